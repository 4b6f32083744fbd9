import { SignetCryptoError } from './signet-error.ts';

/**
 * Keeps the highest version seen of each entry of one vault across restarts, in a file for example. It holds no secret,
 * but must be out of reach of the service and of everyone who may only use the API key.
 */
export interface VersionStore {
  /** Returns the stored version, or undefined for an unknown entry. */
  get(name: string): number | undefined | Promise<number | undefined>;
  /** Replaces the stored version. 0: the owner deleted what was seen. */
  set(name: string, version: number): unknown;
}

/**
 * The highest version seen of each entry. Only versions that a proof covers count. Otherwise a service could claim a huge
 * number once and make every later version look too old.
 */
export class SeenVersions {
  readonly #seen = new Map<string, number>();
  readonly #store: VersionStore | null;

  constructor(store: VersionStore | null) {
    this.#store = store;
  }

  /**
   * The highest version seen so far, 0 for none. Ask before a request and compare its reply with the answer: a version
   * that appears during the request must not make an honest reply look old.
   */
  async highest(name: string): Promise<number> {
    return Math.max(this.#seen.get(name) ?? 0, (await this.#store?.get(name)) ?? 0);
  }

  /** Remembers a version, if it is the highest so far. */
  async note(name: string, version: number): Promise<void> {
    if (version > (await this.highest(name))) await this.replace(name, version);
  }

  /** Replaces what was seen, after the owner deleted versions or accepted an older one. */
  async replace(name: string, version: number): Promise<void> {
    this.#seen.set(name, version);
    await this.#store?.set(name, version);
  }
}

/** @throws SignetCryptoError `version_rolled_back` */
export function requireNotOlder(name: string, version: number, seen: number): void {
  if (version < seen)
    throw new SignetCryptoError('version_rolled_back', `${name}: version ${version} is older than ${seen}.`);
}
