import { ApiError, invalidField } from '../../kernel/errors.ts';
import { isId, newId } from '../../kernel/ids.ts';
import { limitReached } from '../../kernel/limit-reached.ts';
import type { Limits } from '../../kernel/limits.ts';
import { decodeCursor, pageOf } from '../../kernel/page.ts';
import { type CapPeriod, RATE_WINDOWS, type RateLimits } from '../../kernel/period.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import {
  type Account,
  changePodAccount,
  createAccount,
  findAccount,
  findAccounts,
  lockAccounts,
  moveStatus,
} from '../accounts/account-rules.ts';
import { setSpendingCaps, spendingCapsOf } from '../budgets/budget-rules.ts';
import type { KeyRules, MintedKey } from '../keys/key-rules.ts';
import {
  countPods,
  findPod,
  findPodOfAccount,
  insertPod,
  listPods,
  type PodRow,
  returnPodSlot,
  savePod,
  takePodSlot,
} from './pod-store.ts';

type Caps = Record<CapPeriod, number | null>;

export interface Pod extends PodRow {
  name: string | null;
  status: 'active' | 'suspended';
  allowedScopes: string[] | null;
  /** Null: none. */
  spendingCaps: Caps | null;
}

/** What a platform says about a pod; of limits and caps, what is absent stays as it is. */
export interface PodChange {
  name?: string | null | undefined;
  status?: Pod['status'] | undefined;
  rateLimits?: Partial<RateLimits> | null | undefined;
  spendingCaps?: Partial<Caps> | null | undefined;
  allowedScopes?: string[] | null | undefined;
}

export interface PodRules {
  /** @throws ApiError `pod_limit_reached`, `invalid_request` for limits or caps out of order */
  create(tx: Tx, principal: Principal, wanted: PodChange, now: number): Promise<{ pod: Pod; key: MintedKey }>;
  /** @throws ApiError `not_found`, `pod_limit_reached` for one that comes back, and as {@link PodRules.create} */
  change(tx: Tx, principal: Principal, podId: string, change: PodChange, now: number): Promise<Pod>;
  /** A key that takes the place of all others, a backup included. @throws ApiError `not_found` */
  replaceKey(tx: Tx, principal: Principal, podId: string, now: number): Promise<MintedKey>;
  /** One that the caller may see: a platform its pods, a pod itself. @throws ApiError `not_found` */
  read(reader: Reader, principal: Principal, podId: string): Promise<Pod>;
  /** Newest first. @throws ApiError `invalid_cursor` */
  list(
    reader: Reader,
    principal: Principal,
    cursor: string | undefined,
    limit: number,
  ): Promise<{ pods: Pod[]; nextCursor: string | null }>;
}

/** Sorts behind every id. */
const BEYOND_ALL = `pod_${'z'.repeat(26)}`;
const NO_LIMITS: RateLimits = { minute: null, hour: null, day: null };

export { countPods };

/** What its platform allows a pod; null for none, and for an account that is no pod. */
export async function rateLimitsOf(reader: Reader, accountId: string): Promise<RateLimits | null> {
  const limits = (await findPodOfAccount(reader, accountId))?.rateLimits;
  return limits && hasAny(limits) ? limits : null;
}

export const hasAny = (values: Record<string, number | null>): boolean =>
  Object.values(values).some((value) => value !== null);

/** @throws ApiError `invalid_request` unless minute <= hour <= day, of those that there are */
function requireLimitOrder(limits: RateLimits): void {
  const present = RATE_WINDOWS.filter((window) => limits[window] !== null);
  for (const [i, window] of present.entries()) {
    const next = present[i + 1];
    if (next !== undefined && (limits[window] as number) > (limits[next] as number))
      throw invalidField(
        `/body/rate_limits/requests_per_${window}`,
        'out_of_order',
        `requests_per_${window} would be ${limits[window]} and requests_per_${next} ${limits[next]}; minute <= hour <= day must hold, stored limits included.`,
      );
  }
}

/** A platform gives on no more than it has. @throws ApiError `invalid_request` */
function requireWithin(scopes: readonly string[], ceiling: readonly string[] | null): void {
  const beyond = ceiling === null ? -1 : scopes.findIndex((scope) => !ceiling.includes(scope));
  if (beyond < 0) return;
  const message = `${scopes[beyond]} is beyond the scopes of the platform itself.`;
  throw invalidField(`/body/allowed_scopes/${beyond}`, 'scope_ceiling_exceeded', message);
}

const merged = <T extends object>(old: T, change: Partial<T> | null): T => ({
  ...old,
  ...Object.fromEntries(Object.entries(change ?? {}).filter(([, value]) => value !== undefined)),
});

const podOf = (row: PodRow, account: Account, spendingCaps: Caps | null): Pod => ({
  ...row,
  name: account.name,
  status: account.status === 'active' ? 'active' : 'suspended',
  allowedScopes: account.allowedScopes,
  spendingCaps,
});

async function withAccounts(reader: Reader, rows: readonly PodRow[]): Promise<Pod[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ accountId }) => accountId);
  const [accounts, caps] = [await findAccounts(reader, ids), await spendingCapsOf(reader, ids)];
  return rows.map((row) => podOf(row, accounts.get(row.accountId) as Account, caps.get(row.accountId) ?? null));
}

/** A missing one and another's are the same to whoever asks. */
async function requireRow(reader: Reader, { accountId }: Principal, podId: string): Promise<PodRow> {
  const row = isId('pod', podId) ? await findPod(reader, podId) : null;
  if (row && (row.parentAccountId === accountId || row.accountId === accountId)) return row;
  throw new ApiError('not_found');
}

async function read(reader: Reader, principal: Principal, podId: string): Promise<Pod> {
  return (await withAccounts(reader, [await requireRow(reader, principal, podId)]))[0] as Pod;
}

async function list(reader: Reader, { accountId, kind }: Principal, cursor: string | undefined, limit: number) {
  const before = cursor === undefined ? BEYOND_ALL : String(decodeCursor(cursor, ['string'])?.[0]);
  if (!isId('pod', before)) throw new ApiError('invalid_cursor');
  if (kind === 'pod') {
    const own = await findPodOfAccount(reader, accountId);
    return { pods: await withAccounts(reader, own && own.podId < before ? [own] : []), nextCursor: null };
  }
  const found = await listPods(reader, accountId, before, limit + 1);
  const { rows, nextCursor } = pageOf(found, limit, ({ podId }) => [podId]);
  return { pods: await withAccounts(reader, rows), nextCursor };
}

/** @param accountChanged ends what the authenticator remembers of an account, and its streams, on every instance */
export function createPodRules(
  limits: Limits,
  keys: Pick<KeyRules, 'issue' | 'replaceAll'>,
  accountChanged: (tx: Tx, accountId: string) => void,
): PodRules {
  async function takeSlot(tx: Tx, { accountId, tier }: Principal): Promise<void> {
    const limit = limits[tier].pods;
    if (await takePodSlot(tx, accountId, limit)) return;
    throw limitReached('pods', { used: await countPods(tx, accountId), max: limit }, { facts: { limit } });
  }

  /** Suspended ones do not count: a platform that lets a customer go may take the next one. */
  async function setStatus(tx: Tx, principal: Principal, { accountId }: PodRow, status: Pod['status']): Promise<void> {
    if (status === 'suspended') {
      if (await moveStatus(tx, accountId, 'active', 'paused')) await returnPodSlot(tx, principal.accountId);
      return;
    }
    if (await moveStatus(tx, accountId, 'paused', 'active')) return takeSlot(tx, principal);
    if ((await findAccount(tx, accountId))?.status === 'suspended')
      throw new ApiError('account_suspended', { message: 'The operator of this service suspended the pod.' });
  }

  async function setScopes(tx: Tx, principal: Principal, { accountId }: PodRow, scopes: string[] | null) {
    if (scopes !== null) requireWithin(scopes, (await findAccount(tx, principal.accountId))?.allowedScopes ?? null);
    await changePodAccount(tx, accountId, { allowedScopes: scopes });
  }

  async function apply(tx: Tx, principal: Principal, row: PodRow, change: PodChange, now: number): Promise<void> {
    const { name, status, rateLimits, spendingCaps, allowedScopes } = change;
    const next = rateLimits === null ? NO_LIMITS : merged(row.rateLimits, rateLimits ?? null);
    requireLimitOrder(next);
    if (name !== undefined) await changePodAccount(tx, row.accountId, { name: name === '' ? null : name });
    if (allowedScopes !== undefined) await setScopes(tx, principal, row, allowedScopes);
    if (spendingCaps !== undefined) {
      const old = (await spendingCapsOf(tx, [row.accountId])).get(row.accountId) ?? null;
      await setSpendingCaps(tx, row.accountId, spendingCaps && merged<Partial<Caps>>(old ?? {}, spendingCaps));
    }
    if (status !== undefined) await setStatus(tx, principal, row, status);
    await savePod(tx, { ...row, rateLimits: next, updatedAt: now });
    accountChanged(tx, row.accountId);
  }

  return {
    create: async (tx, principal, wanted, now) => {
      const { accountId: parentId } = principal;
      await takeSlot(tx, principal);
      const account = await createAccount(tx, { parentId, name: null }, now);
      const row: PodRow = {
        podId: newId('pod', now),
        accountId: account.id,
        parentAccountId: parentId,
        rateLimits: NO_LIMITS,
        createdAt: now,
        updatedAt: now,
      };
      await insertPod(tx, row);
      await apply(tx, principal, row, wanted, now);
      const key = await keys.issue(tx, account.id, 'pod', now);
      return { pod: await read(tx, principal, row.podId), key };
    },
    change: async (tx, principal, podId, change, now) => {
      const { accountId } = await requireRow(tx, principal, podId);
      await lockAccounts(tx, [accountId]);
      // Again, behind the lock: what another change left is what this one goes on from.
      await apply(tx, principal, await requireRow(tx, principal, podId), change, now);
      return read(tx, principal, podId);
    },
    replaceKey: async (tx, principal, podId, now) => {
      const { accountId } = await requireRow(tx, principal, podId);
      return keys.replaceAll(tx, accountId, 'pod', now);
    },
    read,
    list,
  };
}
