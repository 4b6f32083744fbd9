import { ApiError } from '../../../api/errors.ts';
import type { AppendEvent, VaultAction } from '../../../api/events.ts';
import type { EnqueueJob } from '../../../api/job-types.ts';
import type { Limits, TierLimits } from '../../../api/limits.ts';
import { limitFields, limitReached } from '../../../api/metering/limit-reached.ts';
import { decodeCursor, pageOf } from '../../../api/page.ts';
import type { Precondition } from '../../../api/precondition.ts';
import type { Principal } from '../../../api/principal.ts';
import { type Database, pipeline, type Reader, type Tx } from '../../../api/transaction.ts';
import type { ClientNetworks } from '../../../base/client-network.ts';
import type { LoginNetworks } from '../../identity/login/login-network.ts';
import type { StorageRules } from '../../mail/storage/storage-quota.ts';
import type { LinkMailer } from '../../service/mailer/link-mailer.ts';
import type { PayingCall, PaymentOffer, PaymentRules } from '../../service/payments/payment.ts';
import { buyKeySlot, giveKeySlotBack, readCounts, takeKeySlot } from './vault-key-quota-store.ts';
import {
  addVersion,
  type EntryRef,
  findLatest,
  findVersion,
  listKeysAfter,
  listVersions,
  lockEntry,
  removeEntry,
  removeVersion,
  type VersionAbout,
} from './vault-store.ts';
import type { NewVersion, VaultEntry, VaultKey } from './vault-table.ts';

export { readCounts };

export interface StoredVersion {
  isNew: boolean;
  version: number;
  createdAt: number;
  updatedAt: number;
  /** The payment for a key over the limit; null where none was needed. */
  paymentId: string | null;
}

/** Which versions to delete, and under what condition. */
export interface Removal {
  /** Absent: all of them. */
  version: number | undefined;
  condition: Precondition;
}

export interface KeyPage {
  keys: VaultKey[];
  nextCursor: string | null;
  /** Keys on all pages. */
  count: number;
  /** Keys the vault may have, with those it bought; null: no limit. */
  limit: number | null;
}

/** What the vault and its recovery need. Each part takes what it uses of this. */
export interface VaultDeps {
  database: Database;
  limits: Limits;
  appendEvent: AppendEvent<Tx>;
  enqueueJob: EnqueueJob;
  payments: PaymentRules;
  storage: StorageRules;
  mailer: LinkMailer;
  loginNetworks: LoginNetworks;
  baseUrl(): string;
  /** Keyed hash of a client's address, for what is stored. */
  hashIp(ip: string): string;
  networksOf(ip: string): ClientNetworks;
}

/** What a payment buys, in the terms of the 402. */
const DESCRIPTION = 'Room for one more vault key, for good';
const NO_KEY = 'The vault of this account has no such key.';
const sizeOf = ({ ciphertext, metadata }: Pick<NewVersion, 'ciphertext' | 'metadata'>): number =>
  Buffer.byteLength(ciphertext) + (metadata === null ? 0 : Buffer.byteLength(JSON.stringify(metadata)));
const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** Stores, reads and deletes the entries of vaults. */
export class VaultRules {
  readonly #deps: VaultDeps;

  constructor(deps: VaultDeps) {
    this.#deps = deps;
  }

  /** Checks sizes before a transaction begins. @throws ApiError `payload_too_large`, `metadata_too_large` */
  checkSizes({ ciphertext, metadata }: Pick<NewVersion, 'ciphertext' | 'metadata'>, tier: TierLimits): void {
    requireSize('vault_ciphertext_bytes', '/body/ciphertext', ciphertext, tier.vault_ciphertext_bytes);
    if (metadata === null) return;
    const most = this.#deps.limits.vault_metadata_bytes;
    requireSize('vault_metadata_bytes', '/body/metadata', JSON.stringify(metadata), most);
  }

  /** Reads the payment of a request. Call it outside the transaction: it may wait for the network. */
  async readOffer(call: PayingCall, resource: string): Promise<PaymentOffer> {
    return { resource, offer: await this.#deps.payments.offered(call, { resource, description: DESCRIPTION }) };
  }

  /**
   * Stores an entry or its next version. Earlier versions stay, as many as the tier allows.
   * @throws ApiError `version_conflict`, `storage_full`; 402 for a new key over the limit
   */
  async put(
    tx: Tx,
    principal: Principal,
    content: NewVersion,
    { condition, payment }: { condition: Precondition; payment: PaymentOffer },
    now: number,
  ): Promise<StoredVersion> {
    const before = isUnconditional(condition) ? undefined : await this.#lock(tx, content);
    if (before !== undefined) requireVersion(condition, before?.latestVersion ?? 0);
    const [, stored] = await pipeline([
      this.#deps.storage.requireRoom(tx, principal, sizeOf(content), now),
      addVersion(tx, content, principal.limits.vault_versions_per_key, now),
    ]);
    const { latestVersion: version, createdAt } = stored;
    // An entry that does not exist cannot be locked: on PostgreSQL another request may just have created it.
    if (before === null && version > 1) throw conflict(version - 1);
    const isNew = version === 1;
    const paymentId = isNew ? await this.#takeSlot(tx, principal, payment, now) : null;
    await this.#append(tx, content, { version, action: isNew ? 'created' : 'updated' }, now);
    return { isNew, version, createdAt, updatedAt: now, paymentId };
  }

  /** Returns a version of an entry, the latest by default. @throws ApiError `not_found`, `version_not_found` */
  async get(reader: Reader, ref: EntryRef, version: number | undefined): Promise<VaultEntry> {
    const latest = version === undefined;
    const found = latest ? await findLatest(reader, ref) : await findVersion(reader, ref, version);
    if (found) return found;
    if (!latest && (await findLatest(reader, ref))) throw new ApiError('version_not_found');
    throw new ApiError('not_found', { message: NO_KEY });
  }

  /** Lists the versions of an entry that are kept, newest first. @throws ApiError `not_found` */
  async versions(reader: Reader, ref: EntryRef): Promise<VersionAbout[]> {
    const found = await listVersions(reader, ref);
    if (found.length === 0) throw new ApiError('not_found', { message: NO_KEY });
    return found;
  }

  /**
   * Deletes one version or the whole entry. The entry goes with its last version.
   * @throws ApiError `not_found`, `version_not_found`, `version_conflict`
   * @returns how many versions were deleted
   */
  async remove(tx: Tx, ref: EntryRef, { version, condition }: Removal, now: number): Promise<number> {
    const entry = await this.#lock(tx, ref);
    requireVersion(condition, entry?.latestVersion ?? 0);
    if (!entry) throw new ApiError('not_found', { message: NO_KEY });
    const isLast = entry.versions === 1 && version === entry.latestVersion;
    if (version !== undefined && !isLast) {
      if (!(await removeVersion(tx, entry, version))) throw new ApiError('version_not_found');
      await this.#append(tx, ref, { version, action: 'version_deleted' }, now);
      return 1;
    }
    await removeEntry(tx, ref);
    await giveKeySlotBack(tx, ref.accountId);
    await this.#append(tx, ref, { version: null, action: 'deleted' }, now);
    return entry.versions;
  }

  /** Locks what the account stores before the entry, as every call does, so that no two wait for each other. */
  async #lock(tx: Tx, ref: EntryRef): ReturnType<typeof lockEntry> {
    await this.#deps.storage.lock(tx, [ref.accountId]);
    return lockEntry(tx, ref.accountId, ref.key);
  }

  /** Lists keys in the order of their names. @throws ApiError `invalid_cursor` */
  async list(
    reader: Reader,
    { accountId, limits }: Principal,
    { cursor, limit }: { cursor: string | undefined; limit: number },
  ): Promise<KeyPage> {
    const after = cursor === undefined ? '' : decodeCursor(cursor, ['string'])?.[0];
    if (after === undefined) throw new ApiError('invalid_cursor');
    const { keys: count, bought } = await readCounts(reader, accountId);
    const found = await listKeysAfter(reader, { accountId }, { key: String(after) }, limit + 1);
    const { rows: keys, nextCursor } = pageOf(found, limit, ({ key }) => [key]);
    const most = limits.vault_keys;
    return { keys, nextCursor, count, limit: most === null ? null : most + bought };
  }

  /** Counts a new key, or collects the payment for it. @returns the payment's id */
  async #takeSlot(tx: Tx, principal: Principal, { resource, offer }: PaymentOffer, now: number) {
    const { accountId, tier, limits } = principal;
    const limit = limits.vault_keys;
    if (await takeKeySlot(tx, accountId, limit ?? UNLIMITED)) return null;
    const { keys: count, bought } = await readCounts(tx, accountId);
    const max = (limit ?? 0) + bought;
    const { paymentId } = await this.#deps.payments.collect(tx, offer, {
      accountId,
      resource,
      description: DESCRIPTION,
      reason: 'vault_key_limit',
      fields: limitFields('vault_keys', { used: count, max }, { count, limit: max, tier }),
      instead: 'delete a key',
      now,
    });
    await buyKeySlot(tx, accountId);
    return paymentId;
  }

  #append(
    tx: Tx,
    { accountId, key }: EntryRef,
    change: { version: number | null; action: VaultAction },
    now: number,
  ): Promise<void> {
    return this.#deps.appendEvent(tx, { accountId, type: 'vault.updated', data: { key, ...change }, now });
  }
}

const isUnconditional = ({ versions, isNew }: Precondition): boolean => versions === null && !isNew;

const conflict = (latest: number): ApiError =>
  new ApiError('version_conflict', { fields: { latest_version: latest === 0 ? null : latest } });

/** @throws ApiError `version_conflict` when the latest version is not an expected one; 0 stands for no entry */
function requireVersion({ versions, isNew }: Precondition, latest: number): void {
  const isExpected = versions === null || (versions === 'any' ? latest > 0 : versions.includes(latest));
  if (!isExpected || (isNew && latest > 0)) throw conflict(latest);
}

/** Checks the size of a text, in bytes of UTF-8. @throws ApiError with the limit's code and both sizes */
export function requireSize(
  name: 'vault_ciphertext_bytes' | 'vault_metadata_bytes' | 'vault_seed_bytes' | 'legacy_vault_seed_bytes',
  path: string,
  text: string,
  max: number,
): void {
  const used = Buffer.byteLength(text);
  if (used <= max) return;
  const message = `${path.slice('/body/'.length)} has ${used} bytes; the limit is ${max}.`;
  const details = [{ path, code: 'too_long', message }];
  throw limitReached(name, { used, max }, { message, details, fields: { limit_bytes: max, size_bytes: used } });
}
