import { textOf } from './encoding.ts';
import type {
  DeleteVaultEntryReply,
  ListVaultKeysReply,
  Operations,
  PutVaultEntryReply,
} from './generated/operations.ts';
import type { CallOptions } from './operation.ts';
import { SignetCryptoError, SignetError } from './signet-error.ts';
import { checkVaultVersion, openVaultEntry, proveVaultVersion, sealVaultEntry, VERSION_PROOF } from './vault-seal.ts';
import { SEALED_SEED } from './vault-seed.ts';
import { requireNotOlder, SeenVersions, type VersionStore } from './vault-versions.ts';

type Metadata = Record<string, unknown>;
type Waiting = Pick<CallOptions, 'signal' | 'timeoutMs' | 'retries'>;

export interface PutOptions extends Waiting, Pick<CallOptions, 'payment'> {
  /** Not sealed: the service can read it. At most about 4,000 bytes of JSON. */
  metadata?: Metadata;
  /** Store only if this is the latest version, 0 for a new key; otherwise 412 `version_conflict`. */
  ifVersion?: number;
}

export interface ReadOptions extends Waiting {
  /** Default: the latest. */
  version?: number;
  /** A version you know of: an older one is refused with `version_rolled_back`. */
  atLeast?: number;
  /** Accepts a latest version older than one seen before. Use it after another client deleted versions. */
  acceptRollback?: boolean;
  /** Also accepts an entry without a version proof, stored by another tool. The service could return an old one as new. */
  unproven?: boolean;
}

export interface VaultOptions {
  /** Keeps the versions seen across restarts. Without it they are remembered in memory only. One store for each vault. */
  versions?: VersionStore;
}

export interface VaultContent {
  name: string;
  content: Uint8Array<ArrayBuffer>;
  metadata: Metadata | null;
  version: number;
}

export type VaultKey = Omit<ListVaultKeysReply['keys'][number], 'metadata'> & { metadata: Metadata | null };

/** The calls of a `SignetClient` that a vault makes. */
export interface VaultCalls extends Pick<Operations, 'getVaultEntry' | 'putVaultEntry' | 'deleteVaultEntry'> {
  paginate(
    name: 'listVaultKeys',
    input: Record<string, never>,
    options?: CallOptions,
  ): AsyncGenerator<ListVaultKeysReply['keys'][number], void, undefined>;
}

interface ToStore {
  /** Makes the ciphertext. */
  seal(): Promise<string>;
  metadata: Metadata | undefined;
}

/** How often a write is retried after a conflict with another write. */
const CONFLICTS_MAX = 100;

/** The user's metadata, without the proof. */
function withoutProof(metadata: Metadata | null): Metadata | null {
  if (metadata === null) return null;
  const { [VERSION_PROOF]: _, ...own } = metadata;
  return Object.keys(own).length > 0 ? own : null;
}

interface SealedEntry {
  key: string;
  ciphertext: string;
  metadata: Metadata | null;
  version: number;
}

const isProven = ({ metadata }: Pick<SealedEntry, 'metadata'>): boolean => metadata?.[VERSION_PROOF] !== undefined;

/** @throws SignetCryptoError before any content of an entry that fails its checks is returned */
async function openEntry(seed: Uint8Array, entry: SealedEntry, unproven: boolean): Promise<VaultContent> {
  const { key: name, ciphertext, metadata, version } = entry;
  const content = await openVaultEntry(seed, name, ciphertext);
  if (isProven(entry) || !unproven) await checkVaultVersion(seed, name, version, ciphertext, metadata?.[VERSION_PROOF]);
  return { name, content, metadata: withoutProof(metadata), version };
}

/** Recovered entries. `failed` lists those that did not open, each with the reason. */
export interface RecoveredEntries extends Array<VaultContent> {
  failed: { name: string; version: number; error: SignetCryptoError }[];
}

/**
 * Opens the entries returned by `verifyVaultRecovery`, with the seed of the account. An entry that does not open, because
 * it was sealed with another seed for example, is listed in `failed` and loses no other.
 */
export async function openRecovered(
  seed: Uint8Array,
  entries: readonly SealedEntry[],
  options: Pick<ReadOptions, 'unproven'> = {},
): Promise<RecoveredEntries> {
  const recovered: RecoveredEntries = Object.assign([], { failed: [] });
  for (const entry of entries) {
    if (entry.key === SEALED_SEED) continue;
    try {
      recovered.push(await openEntry(seed, entry, options.unproven === true));
    } catch (error) {
      if (!(error instanceof SignetCryptoError)) throw error;
      recovered.failed.push({ name: entry.key, version: entry.version, error });
    }
  }
  return recovered;
}

/**
 * A vault as its owner sees it. Entries are sealed before they are sent and opened after they arrive, so the service
 * cannot read them. Nor can it swap one entry or version for another: see `vault-seal.ts`. Nor can it go back to a version
 * older than this vault has seen: see `vault-versions.ts`.
 */
export class Vault {
  readonly #client: VaultCalls;
  readonly #seed: Uint8Array;
  /** The latest version of each entry as the service said: a write without `ifVersion` tries it first. */
  readonly #newest = new Map<string, number>();
  readonly #seen: SeenVersions;

  constructor(client: VaultCalls, seed: Uint8Array, options: VaultOptions = {}) {
    this.#client = client;
    this.#seed = new Uint8Array(seed);
    this.#seen = new SeenVersions(options.versions ?? null);
  }

  /**
   * Stores bytes or text as the next version.
   * @throws SignetError 412 `version_conflict` with `ifVersion`; 402 `payment_required` over the key limit;
   * SignetCryptoError `version_rolled_back` if the service lost versions that this vault has seen
   */
  async put(name: string, content: string | Uint8Array, options: PutOptions = {}): Promise<PutVaultEntryReply> {
    const { ifVersion, metadata, ...call } = options;
    const seal = (): Promise<string> => sealVaultEntry(this.#seed, name, content);
    return this.#store(name, { seal, metadata, ifVersion }, call);
  }

  /**
   * Stores an earlier version again, as the next one: the same sealed bytes, with a new proof.
   * @throws as {@link get} and {@link put}
   */
  async restore(
    name: string,
    version: number,
    options: Waiting & Pick<PutOptions, 'ifVersion'> & Pick<ReadOptions, 'unproven'> = {},
  ): Promise<PutVaultEntryReply> {
    const { ifVersion, unproven = false, ...call } = options;
    const entry = await this.#client.getVaultEntry({ key: name, version }, call);
    // What does not open, or is another version, must not become the latest.
    await openEntry(this.#seed, { ...entry, key: name, version }, unproven);
    const metadata = withoutProof(entry.metadata) ?? undefined;
    return this.#store(name, { seal: async () => entry.ciphertext, metadata, ifVersion }, call);
  }

  async #store(
    name: string,
    { seal, metadata, ifVersion }: ToStore & { ifVersion: number | undefined },
    call: Omit<PutOptions, 'metadata' | 'ifVersion'>,
  ): Promise<PutVaultEntryReply> {
    // The sealed content includes its version, so the version must be known first. If the guess is wrong, nothing is stored
    // and the service returns the latest version.
    let latest = ifVersion ?? this.#newest.get(name) ?? (await this.#seen.highest(name));
    for (let conflicts = 0; ; conflicts++) {
      const seen = await this.#seen.highest(name);
      try {
        return await this.#putOver(name, { seal, metadata }, latest, call);
      } catch (err) {
        const isConflict = err instanceof SignetError && err.code === 'version_conflict';
        if (!isConflict || ifVersion !== undefined || conflicts >= CONFLICTS_MAX) throw err;
        latest = Number(err.fields.latest_version ?? 0);
        requireNotOlder(name, latest, seen);
      }
    }
  }

  /**
   * Reads the latest version, or the one in `options`.
   * @throws SignetError 404; SignetCryptoError if the service returns anything other than what was stored, or a latest
   * version older than one seen before (`version_rolled_back`)
   */
  async get(name: string, options: ReadOptions = {}): Promise<VaultContent> {
    const { version, atLeast = 0, acceptRollback = false, unproven = false, ...call } = options;
    const seen = acceptRollback ? 0 : await this.#seen.highest(name);
    const entry = await this.#client.getVaultEntry({ key: name, version }, call);
    const opened = await openEntry(this.#seed, { ...entry, key: name }, unproven);
    if (entry.version !== (version ?? entry.latest_version))
      throw new SignetCryptoError('version_mismatch', `${name}: version ${entry.version} is not the requested one.`);
    // An older version that the caller named is no rollback.
    requireNotOlder(name, entry.version, version === undefined ? Math.max(seen, atLeast) : atLeast);
    if (isProven(entry)) await this.#remember(name, opened.version, acceptRollback && version === undefined);
    this.#newest.set(name, entry.latest_version);
    return opened;
  }

  /** Like {@link get}, for text. */
  async getText(name: string, options: ReadOptions = {}): Promise<string> {
    return textOf((await this.get(name, options)).content);
  }

  /** Names, versions and metadata, in the order of the names, but for a sealed copy of the seed. These are not sealed, so the service could forge them. */
  async *list(options: Waiting = {}): AsyncGenerator<VaultKey, void, undefined> {
    for await (const key of this.#client.paginate('listVaultKeys', {}, options))
      if (key.key !== SEALED_SEED) yield { ...key, metadata: withoutProof(key.metadata) };
  }

  /** Deletes all versions, or one. What was seen of deleted versions no longer counts. */
  async delete(name: string, options: Waiting & { version?: number } = {}): Promise<DeleteVaultEntryReply> {
    const { version, ...call } = options;
    const deleted = await this.#client.deleteVaultEntry({ key: name, version }, call);
    if (version === undefined || version >= (await this.#seen.highest(name))) await this.#seen.replace(name, 0);
    return deleted;
  }

  /**
   * Seals the latest version of every entry with a new seed, as the next version. It can be interrupted and run again:
   * entries that are already sealed with the new seed are skipped. Earlier versions keep the old seed: keep it, or delete them.
   * @returns how many entries were sealed again
   */
  async rotateSeed(seed: Uint8Array, options: Waiting = {}): Promise<number> {
    const next = new Vault(this.#client, seed);
    let count = 0;
    for await (const { key } of this.list(options)) {
      const opened = await this.get(key, options).catch(async (err: unknown) => {
        if (!(err instanceof SignetCryptoError) || err.code !== 'not_authentic') throw err;
        await next.get(key, options);
        return null;
      });
      if (opened === null) continue;
      const { content, metadata, version } = opened;
      const stored = await next.put(key, content, {
        ...options,
        ...(metadata ? { metadata } : {}),
        ifVersion: version,
      });
      await this.#seen.note(key, stored.version);
      count += 1;
    }
    return count;
  }

  async #putOver(name: string, content: ToStore, latest: number, options: PutOptions): Promise<PutVaultEntryReply> {
    const { seal, metadata } = content;
    const ciphertext = await seal();
    const proof = await proveVaultVersion(this.#seed, name, latest + 1, ciphertext);
    const input = { key: name, ciphertext, metadata: { ...metadata, [VERSION_PROOF]: proof }, if_version: latest };
    const stored = await this.#client.putVaultEntry(input, options);
    this.#newest.set(name, stored.version);
    if (stored.version === latest + 1) {
      await this.#seen.note(name, stored.version);
      return stored;
    }
    // The newest version was deleted, and its number is not reused, so the sealed content has a wrong version.
    const again = await this.#putOver(name, content, stored.version, options);
    await this.#client.deleteVaultEntry({ key: name, version: stored.version }, options);
    return again;
  }

  #remember(name: string, version: number, isNewStart: boolean): Promise<void> {
    return isNewStart ? this.#seen.replace(name, version) : this.#seen.note(name, version);
  }
}
