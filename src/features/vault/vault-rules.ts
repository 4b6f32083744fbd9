import { ApiError, invalidField } from '../../kernel/errors.ts';
import type { AppendEvent, VaultAction } from '../../kernel/events.ts';
import type { Limits, Tier } from '../../kernel/limits.ts';
import { decodeCursor, pageOf } from '../../kernel/page.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import { buyKeyRoom, giveKeyRoom, readCounts, takeKeyRoom } from './room-store.ts';
import {
  addVersion,
  findLatest,
  findVersion,
  listKeysAfter,
  lockVersions,
  pruneVersions,
  removeEntry,
  removeVersion,
  type VaultEntry,
  type VaultKey,
} from './vault-store.ts';

export type { VaultEntry, VaultKey };

/** What a write expects of the entry (RFC 9110 13.1). */
export interface Condition {
  /** One of these must be the latest version; `any`: the entry must be there. Null: nothing is expected. */
  versions: readonly number[] | 'any' | null;
  /** The entry must not be there. */
  isNew: boolean;
}

export interface PutRequest {
  key: string;
  ciphertext: string;
  metadata: Record<string, unknown> | null;
  condition: Condition;
}

export interface StoredVersion {
  isNew: boolean;
  version: number;
  createdAt: number;
  updatedAt: number;
}

/** Takes the payment for a key over the limit in the transaction of the key. @throws ApiError 402 when there is none, or no good one */
export type CollectPayment = (tx: Tx, facts: Record<string, unknown>) => Promise<void>;

export interface VaultRules {
  /** Refuses what is too large before a transaction begins. @throws ApiError `payload_too_large`, `metadata_too_large` */
  checkSizes(request: PutRequest, tier: Tier): void;
  /** Makes the entry or its next version. @throws ApiError `version_conflict`; whatever `collect` throws at the limit of keys */
  put(tx: Tx, principal: Principal, request: PutRequest, collect: CollectPayment, now: number): Promise<StoredVersion>;
  /** @throws ApiError `not_found`, `version_not_found` */
  get(reader: Reader, accountId: string, key: string, version: number | undefined): Promise<VaultEntry>;
  /** All versions, or one. @throws ApiError `not_found`, `version_not_found`, `version_conflict` @returns how many went */
  remove(
    tx: Tx,
    accountId: string,
    target: { key: string; version: number | undefined; condition: Condition },
    now: number,
  ): Promise<number>;
  /** In the order of their names. @throws ApiError `invalid_cursor` */
  list(
    reader: Reader,
    principal: Principal,
    cursor: string | undefined,
    limit: number,
  ): Promise<{ keys: VaultKey[]; nextCursor: string | null; count: number; limit: number | null }>;
}

const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** @throws ApiError `version_conflict` unless `latest` (null: no entry) is what is expected */
function requireVersion({ versions, isNew }: Condition, latest: number | null): void {
  const isMet =
    (!isNew || latest === null) &&
    (versions === null || (latest === null ? versions.includes(0 as never) : meets(versions, latest)));
  if (!isMet) throw new ApiError('version_conflict', { facts: { latest_version: latest } });
}

const meets = (versions: readonly number[] | 'any', latest: number): boolean =>
  versions === 'any' || versions.includes(latest);

export const isUnconditional = ({ versions, isNew }: Condition): boolean => versions === null && !isNew;

export interface VaultDeps {
  limits: Limits;
  appendEvent: AppendEvent<Tx>;
}

export function createVaultRules({ limits, appendEvent }: VaultDeps): VaultRules {
  const told = (tx: Tx, accountId: string, key: string, version: number | null, action: VaultAction, now: number) =>
    appendEvent(tx, { accountId, type: 'vault.updated', data: { key, version, action }, now });

  async function takeRoom(tx: Tx, { accountId, tier }: Principal, collect: CollectPayment): Promise<void> {
    const limit = limits[tier].vault_keys;
    if (await takeKeyRoom(tx, accountId, limit ?? UNLIMITED)) return;
    const { keys, bought } = await readCounts(tx, accountId);
    await collect(tx, { count: keys, limit: (limit ?? 0) + bought, tier });
    await buyKeyRoom(tx, accountId);
  }

  async function put(
    tx: Tx,
    principal: Principal,
    { key, ciphertext, metadata, condition }: PutRequest,
    collect: CollectPayment,
    now: number,
  ): Promise<StoredVersion> {
    const { accountId, tier } = principal;
    if (!isUnconditional(condition))
      requireVersion(condition, (await lockVersions(tx, accountId, key))?.latest ?? null);
    const { version, versions, createdAt } = await addVersion(tx, { accountId, key, ciphertext, metadata, now });
    const isNew = version === 1;
    // On a database with several writers another may have made, or removed, what was not there to be locked.
    if (isNew ? Array.isArray(condition.versions) && !condition.versions.includes(0) : condition.isNew)
      throw new ApiError('version_conflict', { facts: { latest_version: isNew ? null : version - 1 } });
    if (isNew) await takeRoom(tx, principal, collect);
    const keep = limits[tier].vault_versions_per_key;
    if (versions > keep) await pruneVersions(tx, accountId, key, versions, keep);
    await told(tx, accountId, key, version, isNew ? 'created' : 'updated', now);
    return { isNew, version, createdAt, updatedAt: now };
  }

  return {
    checkSizes: ({ ciphertext, metadata }, tier) => {
      requireSize('payload_too_large', '/body/ciphertext', ciphertext, limits[tier].vault_ciphertext_bytes);
      if (metadata !== null)
        requireSize('metadata_too_large', '/body/metadata', JSON.stringify(metadata), limits.vault_metadata_bytes);
    },
    put,
    get: async (reader, accountId, key, version) => {
      if (version === undefined) {
        const latest = await findLatest(reader, accountId, key);
        if (!latest) throw new ApiError('not_found', { message: NO_KEY });
        return latest;
      }
      const found = await findVersion(reader, accountId, key, version);
      if (found === 'no entry') throw new ApiError('not_found', { message: NO_KEY });
      if (found === 'no version') throw new ApiError('version_not_found');
      return found;
    },
    remove: async (tx, accountId, { key, version, condition }, now) => {
      const entry = await lockVersions(tx, accountId, key);
      if (!isUnconditional(condition)) requireVersion(condition, entry?.latest ?? null);
      if (!entry) throw new ApiError('not_found', { message: NO_KEY });
      const isLast = entry.versions === 1;
      if (version !== undefined && !(isLast && version === entry.latest)) {
        if (!(await removeVersion(tx, accountId, key, version, entry.versions - 1)))
          throw new ApiError('version_not_found');
        await told(tx, accountId, key, version, 'version_deleted', now);
        return 1;
      }
      await removeEntry(tx, accountId, key);
      await giveKeyRoom(tx, accountId);
      await told(tx, accountId, key, null, 'deleted', now);
      return entry.versions;
    },
    list: async (reader, { accountId, tier }, cursor, limit) => {
      const after = cursor === undefined ? '' : decodeCursor(cursor, ['string'])?.[0];
      if (after === undefined) throw new ApiError('invalid_cursor');
      const { keys: count, bought } = await readCounts(reader, accountId);
      const page = pageOf(await listKeysAfter(reader, accountId, String(after), limit + 1), limit, ({ key }) => [key]);
      const most = limits[tier].vault_keys;
      return { keys: page.rows, nextCursor: page.nextCursor, count, limit: most === null ? null : most + bought };
    },
  };
}

const NO_KEY = 'The vault of this account has no such key.';

/** Sizes are those of the text as UTF-8. @throws ApiError `code` with both figures */
export function requireSize(
  code: 'payload_too_large' | 'metadata_too_large',
  path: string,
  text: string,
  limitBytes: number,
): void {
  const size = Buffer.byteLength(text);
  if (size <= limitBytes) return;
  const message = `${path.slice('/body/'.length)} is ${size} bytes; at most ${limitBytes} are kept.`;
  throw new ApiError(code, {
    message,
    details: [{ path, code: 'too_long', message }],
    facts: { limit_bytes: limitBytes, size_bytes: size },
  });
}

/** Entity tags of a vault are versions in quotes; a bare number is taken too. Weak ones never match a write (RFC 9110 8.8.3.2). */
const TAG = /^(W\/)?(?:"([^"]*)"|(\d{1,15}))$/;

/**
 * What `If-Match`, `If-None-Match` and `if_version` together expect. `if_version: 0` expects no entry.
 * @throws ApiError `invalid_request` for a header that is no list of entity tags
 */
export function readCondition(
  header: (name: string) => string | undefined,
  ifVersion: number | undefined,
): Condition {
  const ifMatch = header('if-match')?.trim();
  const ifNoneMatch = header('if-none-match')?.trim();
  if (ifNoneMatch !== undefined && ifNoneMatch !== '*')
    throw invalidField('/header/if-none-match', 'not_allowed', 'If-None-Match of a write can only be *.');
  const matching = ifMatch === undefined ? null : ifMatch === '*' ? 'any' : tagsOf(ifMatch);
  if (ifVersion === undefined) return { versions: matching, isNew: ifNoneMatch === '*' };
  const isExcluded = Array.isArray(matching) && !matching.includes(ifVersion);
  return { versions: isExcluded ? [] : [ifVersion], isNew: ifNoneMatch === '*' };
}

/** The versions a list of entity tags names; a tag that is none of ours names none. */
function tagsOf(list: string): number[] {
  return list.split(',').flatMap((text) => {
    const tag = TAG.exec(text.trim());
    if (!tag)
      throw invalidField('/header/if-match', 'invalid_format', 'If-Match must be a version in quotes, such as "3".');
    const [, weak, quoted, bare] = tag;
    const version = quoted ?? bare ?? '';
    return weak === undefined && /^[1-9]\d{0,14}$/.test(version) ? [Number(version)] : [];
  });
}
