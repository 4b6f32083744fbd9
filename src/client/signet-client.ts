import { type EventStreamOptions, followEvents, type SignetEvent } from './event-stream.ts';
import type { CallOptions, FullReply, Operation } from './operation.ts';
import {
  type CreateKeyInput,
  type CreateKeyReply,
  OPERATIONS,
  type OperationName,
  Operations,
  type OperationTypes,
  type PagedItems,
  type RegisterInput,
  type RegisterReply,
} from './operations.ts';
import { Transport, type TransportOptions } from './transport.ts';
import { Vault, type VaultOptions } from './vault.ts';

export type SignetOptions = TransportOptions;

/**
 * The client of a Signet service: a typed method for each endpoint, named like its `operationId` in `GET /api`.
 *
 *     const signet = new SignetClient({ baseUrl: 'https://signet.example', key });
 *     await signet.sendEmail({ from, to, subject: 'Hello', text: 'Hello, you.' });
 *
 * The input has path, query and body fields together; the result is the body of the reply. An error reply is thrown
 * as `SignetError`, a missing reply as `SignetConnectionError`.
 */
export class SignetClient extends Operations {
  readonly #transport: Transport;

  constructor(options: SignetOptions) {
    super();
    this.#transport = new Transport(options);
  }

  get baseUrl(): string {
    return this.#transport.baseUrl;
  }

  /** Creates an account without any personal data. Store `account.api_key`: it is shown only once. */
  static async createKey(
    options: SignetOptions,
    input: CreateKeyInput = {},
  ): Promise<{ client: SignetClient; account: CreateKeyReply }> {
    const account = await new SignetClient(options).createKey(input);
    return { client: new SignetClient({ ...options, key: account.api_key }), account };
  }

  /** Creates an account with an email address. Store `account.api_key`: it is shown only once. */
  static async register(
    options: SignetOptions,
    input: RegisterInput,
  ): Promise<{ client: SignetClient; account: RegisterReply }> {
    const account = await new SignetClient(options).register(input);
    return { client: new SignetClient({ ...options, key: account.api_key }), account };
  }

  /** A client with the same options and another key. */
  withKey(key: string): SignetClient {
    return new SignetClient({ ...this.#transport.options, key });
  }

  /** The account's vault. Entries are sealed and opened locally with a seed from `randomSeed`. */
  vault(seed: Uint8Array, options?: VaultOptions): Vault {
    return new Vault(this, seed, options);
  }

  /** Calls an operation by its name and returns status and headers with the body. */
  async call<Name extends OperationName>(
    name: Name,
    input: OperationTypes[Name]['input'],
    options?: CallOptions,
  ): Promise<FullReply<OperationTypes[Name]['reply']>> {
    return (await this.#transport.call(OPERATIONS[name], input, options)) as FullReply<OperationTypes[Name]['reply']>;
  }

  /**
   * Iterates over every entry of a list. Pages are fetched as needed:
   * `for await (const message of signet.paginate('listInbox', { address })) …`
   */
  async *paginate<Name extends keyof PagedItems & OperationName>(
    name: Name,
    input: OperationTypes[Name]['input'],
    options?: CallOptions,
  ): AsyncGenerator<PagedItems[Name], void, undefined> {
    const operation: Operation = OPERATIONS[name];
    const { items, cursor, next } = operation.page as NonNullable<Operation['page']>;
    let asked: Record<string, unknown> = { ...input };
    for (;;) {
      const { body } = await this.#transport.call(operation, asked, options);
      const reply = body as Record<string, unknown>;
      yield* reply[items] as PagedItems[Name][];
      const following = next.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], reply);
      // A list that can grow returns the same cursor again at its end.
      if (following === null || reply.has_more === false || following === asked[cursor]) return;
      asked = { ...asked, [cursor]: following };
    }
  }

  /**
   * Yields every event of the account as it happens, without gaps: a broken connection resumes after the last event.
   * Ends with `options.signal`. Store `event.id` and pass it as `after` to resume after a restart.
   */
  events(options: EventStreamOptions = {}): AsyncGenerator<SignetEvent, void, undefined> {
    return followEvents(this.#transport, options);
  }

  /** Opens a WebSocket of events with a ticket, because browsers cannot send a key with it. */
  async openWebSocket(input: { after?: string } = {}, options?: CallOptions): Promise<WebSocket> {
    const { ticket } = await this.createSocketTicket({}, options);
    const query = new URLSearchParams({ ticket, ...input });
    return new WebSocket(`${this.baseUrl.replace(/^http/, 'ws')}/v1/ws?${query}`);
  }

  protected override async perform(name: OperationName, input: object, options?: CallOptions): Promise<unknown> {
    const { body } = await this.#transport.call(OPERATIONS[name], input, options);
    return body;
  }
}
