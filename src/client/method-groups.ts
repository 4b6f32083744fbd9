import { type MethodGroups, OPERATIONS, type OperationName } from './generated/operations.ts';
import type { CallOptions, Operation } from './operation.ts';

type Perform = (name: OperationName, input: object, options?: CallOptions) => Promise<unknown>;

const CHANGE_ADDRESSES: readonly OperationName[] = ['claimAddress', 'releaseAddress', 'createInbox'];

/** Makes the grouped methods of a client. They fill in what has one sensible value. */
export class GroupMaker {
  readonly #perform: Perform;
  readonly #listAddresses: () => Promise<{ addresses: readonly string[] }>;
  #only: string | undefined;

  constructor(perform: Perform, listAddresses: () => Promise<{ addresses: readonly string[] }>) {
    this.#perform = perform;
    this.#listAddresses = listAddresses;
  }

  make<Name extends keyof MethodGroups>(group: Name): MethodGroups[Name] {
    const methods = (Object.keys(OPERATIONS) as OperationName[])
      .filter((operation) => OPERATIONS[operation].group === group)
      .map((operation) => [
        OPERATIONS[operation].name,
        async (input: object = {}, options?: CallOptions): Promise<unknown> =>
          this.#performed(operation, await this.complete(operation, input), options),
      ]);
    return Object.fromEntries(methods) as MethodGroups[Name];
  }

  async #performed(operation: OperationName, input: object, options?: CallOptions): Promise<unknown> {
    try {
      return await this.#perform(operation, input, options);
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
    const { addresses } = await this.#listAddresses();
    const [only, ...others] = addresses;
    if (only === undefined) throw new TypeError('The account has no address: claim one with email.claim.');
    if (others.length > 0) throw new TypeError(`The account has ${addresses.length} addresses: pass ${field}.`);
    this.#only = only;
    return only;
  }
}
