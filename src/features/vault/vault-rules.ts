import { ApiError } from '../../kernel/errors.ts';
import type { AppendEvent, VaultAction } from '../../kernel/events.ts';
import { limitFacts, limitReached } from '../../kernel/limit-reached.ts';
import type { Limits, Tier } from '../../kernel/limits.ts';
import { decodeCursor, pageOf } from '../../kernel/page.ts';
import type { Precondition } from '../../kernel/precondition.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import type { Offer, PayingCall, PaymentRules } from '../payments/payment-rules.ts';
import { buyKeyRoom, giveKeyRoom, readCounts, takeKeyRoom } from './key-quota-store.ts';
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

export type { VaultEntry };
export { readCounts };

export interface PutRequest {
  key: string;
  ciphertext: string;
  metadata: Record<string, unknown> | null;
  condition: Precondition;
}

export interface StoredVersion {
  isNew: boolean;
  version: number;
  createdAt: number;
  updatedAt: number;
  /** Of a key over the limit. */
  paymentId: string | null;
}

/** What a request to store brings to pay with, should its key be one over the limit. */
export interface Postage {
  resource: string;
  offer: Offer | null;
}

export interface VaultRules {
  /** Refuses what is too large before a transaction begins. @throws ApiError `payload_too_large`, `metadata_too_large` */
  checkSizes(request: PutRequest, tier: Tier): void;
  /** Checks what the request brings to pay with. Outside the transaction: it may await the network. */
  postage(call: PayingCall, resource: string): Promise<Postage>;
  /** Makes the entry or its next version. @throws ApiError `version_conflict`; 402 for a new key over the limit */
  put(tx: Tx, principal: Principal, request: PutRequest, postage: Postage, now: number): Promise<StoredVersion>;
  /** @throws ApiError `not_found`, `version_not_found` */
  get(reader: Reader, accountId: string, key: string, version: number | undefined): Promise<VaultEntry>;
  /** All versions, or one. @throws ApiError `not_found`, `version_not_found`, `version_conflict` @returns how many went */
  remove(
    tx: Tx,
    accountId: string,
    target: { key: string; version: number | undefined; condition: Precondition },
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

const isUnconditional = ({ versions, isNew }: Precondition): boolean => versions === null && !isNew;

const conflict = (latest: number): ApiError =>
  new ApiError('version_conflict', { facts: { latest_version: latest === 0 ? null : latest } });

/** @throws ApiError `version_conflict` unless the latest version is one that is expected */
function requireVersion({ versions, isNew }: Precondition, latest: number): void {
  const isExpected = versions === null || (versions === 'any' ? latest > 0 : versions.includes(latest));
  if (!isExpected || (isNew && latest > 0)) throw conflict(latest);
}

export interface VaultDeps {
  limits: Limits;
  payments: PaymentRules;
  appendEvent: AppendEvent<Tx>;
}

/** What a buyer is told they pay for. */
const SALE = 'Room for one more vault key, for good';
const NO_KEY = 'The vault of this account has no such key.';

export function createVaultRules({ limits, payments, appendEvent }: VaultDeps): VaultRules {
  const told = (tx: Tx, accountId: string, key: string, version: number | null, action: VaultAction, now: number) =>
    appendEvent(tx, { accountId, type: 'vault.updated', data: { key, version, action }, now });

  /** Counts a new key, or has the room for it paid. @returns the payment */
  async function takeRoom(tx: Tx, { accountId, tier }: Principal, { resource, offer }: Postage, now: number) {
    const limit = limits[tier].vault_keys;
    if (await takeKeyRoom(tx, accountId, limit ?? UNLIMITED)) return null;
    const { keys: count, bought } = await readCounts(tx, accountId);
    const max = (limit ?? 0) + bought;
    const facts = limitFacts('vault_keys', { used: count, max }, { count, limit: max, tier });
    const demand = {
      accountId,
      resource,
      description: SALE,
      reason: 'vault_key_limit',
      facts,
      instead: 'delete a key',
      now,
    };
    const { paymentId } = await payments.collect(tx, offer, demand);
    await buyKeyRoom(tx, accountId);
    return paymentId;
  }

  async function put(
    tx: Tx,
    principal: Principal,
    { key, ciphertext, metadata, condition }: PutRequest,
    postage: Postage,
    now: number,
  ): Promise<StoredVersion> {
    const { accountId, tier } = principal;
    const ref = { accountId, key };
    const before = isUnconditional(condition) ? undefined : await lockVersions(tx, ref);
    if (before !== undefined) requireVersion(condition, before?.latest ?? 0);
    const { version, versions, createdAt } = await addVersion(tx, ref, { ciphertext, metadata }, now);
    // An entry that is not there cannot be locked: where there are several writers, another may just have made it.
    if (before === null && version > 1) throw conflict(version - 1);
    const isNew = version === 1;
    const paymentId = isNew ? await takeRoom(tx, principal, postage, now) : null;
    const keep = limits[tier].vault_versions_per_key;
    if (versions > keep) await pruneVersions(tx, ref, versions, keep);
    await told(tx, accountId, key, version, isNew ? 'created' : 'updated', now);
    return { isNew, version, createdAt, updatedAt: now, paymentId };
  }

  return {
    checkSizes: ({ ciphertext, metadata }, tier) => {
      requireSize('vault_ciphertext_bytes', '/body/ciphertext', ciphertext, limits[tier].vault_ciphertext_bytes);
      if (metadata !== null)
        requireSize('vault_metadata_bytes', '/body/metadata', JSON.stringify(metadata), limits.vault_metadata_bytes);
    },
    postage: async (call, resource) => ({
      resource,
      offer: await payments.offered(call, { resource, description: SALE }),
    }),
    put,
    get: async (reader, accountId, key, version) => {
      if (version === undefined) {
        const latest = await findLatest(reader, { accountId, key });
        if (!latest) throw new ApiError('not_found', { message: NO_KEY });
        return latest;
      }
      const found = await findVersion(reader, { accountId, key }, version);
      if (found === 'no entry') throw new ApiError('not_found', { message: NO_KEY });
      if (found === 'no version') throw new ApiError('version_not_found');
      return found;
    },
    remove: async (tx, accountId, { key, version, condition }, now) => {
      const ref = { accountId, key };
      const entry = await lockVersions(tx, ref);
      requireVersion(condition, entry?.latest ?? 0);
      if (!entry) throw new ApiError('not_found', { message: NO_KEY });
      const isLast = entry.versions === 1;
      if (version !== undefined && !(isLast && version === entry.latest)) {
        if (!(await removeVersion(tx, ref, version, entry.versions - 1))) throw new ApiError('version_not_found');
        await told(tx, accountId, key, version, 'version_deleted', now);
        return 1;
      }
      await removeEntry(tx, ref);
      await giveKeyRoom(tx, accountId);
      await told(tx, accountId, key, null, 'deleted', now);
      return entry.versions;
    },
    list: async (reader, { accountId, tier }, cursor, limit) => {
      const after = cursor === undefined ? '' : decodeCursor(cursor, ['string'])?.[0];
      if (after === undefined) throw new ApiError('invalid_cursor');
      const { keys: count, bought } = await readCounts(reader, accountId);
      const page = pageOf(
        await listKeysAfter(reader, { accountId, key: String(after) }, limit + 1),
        limit,
        ({ key }) => [key],
      );
      const most = limits[tier].vault_keys;
      return { keys: page.rows, nextCursor: page.nextCursor, count, limit: most === null ? null : most + bought };
    },
  };
}

/** Sizes are those of the text as UTF-8. @throws ApiError with the code of the limit and both figures */
export function requireSize(
  name: 'vault_ciphertext_bytes' | 'vault_metadata_bytes' | 'vault_seed_bytes' | 'legacy_vault_seed_bytes',
  path: string,
  text: string,
  limitBytes: number,
): void {
  const size = Buffer.byteLength(text);
  if (size <= limitBytes) return;
  const message = `${path.slice('/body/'.length)} is ${size} bytes; at most ${limitBytes} are kept.`;
  throw limitReached(
    name,
    { used: size, max: limitBytes },
    {
      message,
      details: [{ path, code: 'too_long', message }],
      facts: { limit_bytes: limitBytes, size_bytes: size },
    },
  );
}
