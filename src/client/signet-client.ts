import { type ApprovalWait, waitForApproval } from './approval-wait.ts';
import { type CodeWait, type ReceivedCode, waitForCode } from './code-wait.ts';
import { type EventStreamOptions, followEvents } from './event-stream.ts';
import {
  type ApprovalsMethods,
  type CreateKeyInput,
  type CreateKeyReply,
  type EmailMethods,
  type EventsMethods,
  type GetApprovalReply,
  type MethodGroups,
  OPERATIONS,
  type OperationName,
  Operations,
  type OperationTypes,
  type PagedItems,
  type RegisterInput,
  type RegisterReply,
  type SignetEvent,
} from './generated/operations.ts';
import { GroupMaker } from './method-groups.ts';
import type { CallOptions, FullReply, Operation } from './operation.ts';
import { ApprovalRequired } from './signet-error.ts';
import { Transport, type TransportOptions } from './transport.ts';
import { Vault, type VaultOptions } from './vault.ts';
import { readSeed } from './vault-seed.ts';

export interface SignetOptions extends TransportOptions, VaultOptions {
  /** The seed of the vault, 32 bytes or their base64url: for `signet.vault.put` and the like. */
  seed?: Uint8Array | string;
  /** A charge or a mail that waits for a person's decision is thrown as `ApprovalRequired`, instead of the reply. */
  throwWaiting?: boolean;
}

/** `signet.approvals` */
export interface ApprovalGroup extends ApprovalsMethods {
  /** Waits until a charge is approved, rejected or expired. It is still `pending` when the time is over. */
  wait(input: { id: string } & ApprovalWait, options?: CallOptions): Promise<GetApprovalReply>;
}

/** `signet.email`: the methods of mail, with the only address of the account where one is left out. */
export interface EmailGroup extends EmailMethods {
  /**
   * Waits for the next mail with a one-time code. Pass `after`, a time or the id of an event, if the mail may come before
   * this call.
   * @returns null if none came in time; `code` is null when several candidates fit equally well
   */
  waitForCode(wait?: CodeWait, options?: CallOptions): Promise<ReceivedCode | null>;
}

/** `signet.events`: the methods of the event log; called itself, it follows the log. */
export interface EventGroup extends EventsMethods {
  /**
   * Yields every event of the account as it happens, without gaps: a broken connection resumes after the last event.
   * Ends with `options.signal`. Store `event.id` and pass it as `after` to resume after a restart.
   */
  (options?: EventStreamOptions): AsyncGenerator<SignetEvent, void, undefined>;
}

type VaultMethod = 'put' | 'get' | 'getText' | 'list' | 'delete' | 'restore' | 'rotateSeed';

/** `signet.vault`: the vault of the client's own seed; called with a seed, another one. */
export interface VaultGroup extends Pick<Vault, VaultMethod> {
  /** The account's vault. Entries are sealed and opened locally with a seed from `randomSeed`. */
  (seed: Uint8Array, options?: VaultOptions): Vault;
}

/** @throws {ApprovalRequired} for the reply of a charge or a mail that waits for a person's decision */
function requireDecided(body: unknown): unknown {
  const fields = { ...(body as { approval_id?: string; review_id?: string; message?: string } | null) };
  if (fields.approval_id === undefined && fields.review_id === undefined) return body;
  const code = fields.approval_id === undefined ? 'held_for_review' : 'approval_required';
  const about = { status: 202, code, details: [], requestId: null, retryAfterSeconds: null, fields };
  throw new ApprovalRequired(fields.message ?? 'A person decides this first.', about);
}

/**
 * The client of a Signet service: a typed method for each endpoint, by group, and named like its `operationId` in
 * `GET /api`.
 *
 *     const signet = new SignetClient({ baseUrl: 'https://signet.example', key });
 *     await signet.email.send({ to, subject: 'Hello', text: 'Hello, you.' });
 *     await signet.sendEmail({ from, to, subject: 'Hello', text: 'Hello, you.' });
 *
 * The input has path, query and body fields together; the result is the body of the reply. An error reply is thrown
 * as `SignetError`, a missing reply as `SignetConnectionError`.
 */
export class SignetClient extends Operations {
  readonly #transport: Transport;
  readonly #options: SignetOptions;
  readonly #groups: GroupMaker;
  #vault: VaultGroup | undefined;

  constructor(options: SignetOptions) {
    super();
    this.#options = options;
    this.#transport = new Transport(options);
    this.#groups = new GroupMaker({
      perform: (name, input, call) => this.perform(name, input, call),
      entries: (name, input, call) => this.#entries(name, input, call),
      listAddresses: () => this.listAddresses(),
    });
  }

  get baseUrl(): string {
    return this.#transport.baseUrl;
  }

  /** The key of the next call: `accounts.rotate` and `accounts.secure` replace it. */
  get key(): string | undefined {
    return this.#transport.key;
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
    return new SignetClient({ ...this.#options, key });
  }

  /** A client that acts for another account, for a person's session: the header `Signet-Account`. */
  forAccount(account: string): SignetClient {
    const { key } = this;
    return new SignetClient({ ...this.#options, account, ...(key === undefined ? {} : { key }) });
  }

  get vault(): VaultGroup {
    this.#vault ??= this.#makeVault();
    return this.#vault;
  }

  override get email(): EmailGroup {
    const waitForMail = async (input: object, call?: CallOptions) =>
      this.call('waitForMail', (await this.#groups.complete('waitForMail', input)) as object, call);
    return {
      ...this.group('email'),
      waitForCode: (wait = {}, call) => waitForCode(waitForMail, wait, call),
    };
  }

  override get approvals(): ApprovalGroup {
    return {
      ...this.group('approvals'),
      wait: ({ id, ...wait }, call) => waitForApproval(this, id, wait, call),
    };
  }

  override get events(): EventGroup {
    const follow = (options: EventStreamOptions = {}) => followEvents(this.#transport, options);
    return Object.assign(follow, this.group('events'));
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
  paginate<Name extends keyof PagedItems & OperationName>(
    name: Name,
    input: OperationTypes[Name]['input'],
    options?: CallOptions,
  ): AsyncGenerator<PagedItems[Name], void, undefined> {
    return this.#entries(name, input, options) as AsyncGenerator<PagedItems[Name], void, undefined>;
  }

  async *#entries(
    name: OperationName,
    input: object | Promise<object>,
    options?: CallOptions,
  ): AsyncGenerator<unknown, void, undefined> {
    const operation: Operation = OPERATIONS[name];
    const { items, cursor, next } = operation.page as NonNullable<Operation['page']>;
    let asked: Record<string, unknown> = { ...(await input) };
    for (;;) {
      const { body } = await this.#transport.call(operation, asked, options);
      const reply = body as Record<string, unknown>;
      yield* reply[items] as unknown[];
      const following = next.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], reply);
      // A list that can grow returns the same cursor again at its end.
      if (following === null || reply.has_more === false || following === asked[cursor]) return;
      asked = { ...asked, [cursor]: following };
    }
  }

  /** Opens a WebSocket of events with a ticket, because browsers cannot send a key with it. */
  async openWebSocket(input: { after?: string } = {}, options?: CallOptions): Promise<WebSocket> {
    const { ticket } = await this.createSocketTicket({}, options);
    const query = new URLSearchParams({ ticket, ...input });
    return new WebSocket(`${this.baseUrl.replace(/^http/, 'ws')}/v1/ws?${query}`);
  }

  protected override group<Name extends keyof MethodGroups>(name: Name): MethodGroups[Name] {
    return this.#groups.make(name);
  }

  #makeVault(): VaultGroup {
    const { seed, versions } = this.#options;
    const storeOf = versions === undefined ? {} : { versions };
    const withSeed = (own: Uint8Array, options: VaultOptions = storeOf): Vault => new Vault(this, own, options);
    let vault: Vault | undefined;
    const mine = (): Vault => {
      if (seed === undefined) throw new TypeError('The client has no seed: pass `seed`, or call vault(seed).');
      vault ??= withSeed(readSeed(seed));
      return vault;
    };
    const methods: Pick<Vault, VaultMethod> = {
      put: async (name, content, options) => mine().put(name, content, options),
      get: async (name, options) => mine().get(name, options),
      getText: async (name, options) => mine().getText(name, options),
      list: (options) => mine().list(options),
      delete: async (name, options) => mine().delete(name, options),
      restore: async (name, version, options) => mine().restore(name, version, options),
      rotateSeed: async (next, options) => mine().rotateSeed(next, options),
    };
    return Object.assign(withSeed, methods);
  }

  protected override async perform(name: OperationName, input: object, options?: CallOptions): Promise<unknown> {
    const { status, body } = await this.#transport.call(OPERATIONS[name], input, options);
    return this.#options.throwWaiting && status === 202 ? requireDecided(body) : body;
  }
}
