import { type MethodGroups, OPERATIONS, type OperationName } from './generated/operations.ts';
import type { CallOptions, Operation } from './operation.ts';

/** What the methods of a group call. */
interface Performer {
  perform(name: OperationName, input: object, options?: CallOptions): Promise<unknown>;
  /** Every entry of a list. */
  entries(name: OperationName, input: Promise<object>, options?: CallOptions): AsyncGenerator<unknown, void, undefined>;
  listAddresses(): Promise<{ addresses: readonly string[] }>;
}

const CHANGE_ADDRESSES: readonly OperationName[] = ['claimAddress', 'releaseAddress', 'createInbox'];

/** Makes the grouped methods of a client. They fill in what has one sensible value. */
export class GroupMaker {
  readonly #performer: Performer;
  #only: string | undefined;

  constructor(performer: Performer) {
    this.#performer = performer;
  }

  make<Name extends keyof MethodGroups>(group: Name): MethodGroups[Name] {
    const methods = (Object.keys(OPERATIONS) as OperationName[])
      .filter((operation) => OPERATIONS[operation].group === group)
      .flatMap((operation) => {
        const { name, former = [], page }: Operation = OPERATIONS[operation];
        const call = async (input: object = {}, options?: CallOptions): Promise<unknown> =>
          this.#performed(operation, await this.complete(operation, input), options);
        const iter = (input: object = {}, options?: CallOptions) =>
          this.#performer.entries(operation, this.complete(operation, input), options);
        const method = page ? Object.assign(call, { iter }) : call;
        return [name, ...former].map((each) => [each, method]);
      });
    return Object.fromEntries(methods) as MethodGroups[Name];
  }

  async #performed(operation: OperationName, input: object, options?: CallOptions): Promise<unknown> {
    try {
      return await this.#performer.perform(operation, input, options);
    } finally {
      // Also after an error: the service may have done it.
      if (CHANGE_ADDRESSES.includes(operation)) this.#only = undefined;
    }
  }

  /** An input with the only address of the account, and without what claims an address by reading it. */
  async complete(operation: OperationName, input: object): Promise<object> {
    const filled: Record<string, unknown> = { ...input };
    const { own, query }: Operation = OPERATIONS[operation];
    if (own !== undefined && filled[own] === undefined) filled[own] = await this.#onlyAddress(own);
    if (query.includes('claim') && filled.claim === undefined) filled.claim = false;
    return filled;
  }

  async #onlyAddress(field: string): Promise<string> {
    if (this.#only !== undefined) return this.#only;
    const { addresses } = await this.#performer.listAddresses();
    const [only, ...others] = addresses;
    if (only === undefined) throw new TypeError('The account has no address: claim one with email.claim.');
    if (others.length > 0) throw new TypeError(`The account has ${addresses.length} addresses: pass ${field}.`);
    this.#only = only;
    return only;
  }
}
