import type { TSchema } from 'typebox';
import { LOOK_BACK_DAYS, type LockdownHook, type RecentChange } from '../../../api/account/lockdown-parts.ts';
import { ApiError, invalidField } from '../../../api/errors.ts';
import { limitReached } from '../../../api/metering/limit-reached.ts';
import { newestFirst, type Page } from '../../../api/page.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import type { Gate } from '../../../api/way-out.ts';
import { isId, lastId, newId } from '../../../base/ids.ts';
import { type CapPeriod, DAY_MS, RATE_WINDOWS, type RateLimits } from '../../../base/period.ts';
import {
  type Account,
  changePodAccount,
  createAccount,
  findAccount,
  findAccounts,
  lockAccounts,
  moveStatus,
} from '../../account/accounts/account-lifecycle.ts';
import type { KeyRules, MintedKey } from '../../account/keys/key.ts';
import type { SecureRules } from '../../account/lockdown/account-lockdown.ts';
import type { PeopleRules } from '../../account/people/people-changes.ts';
import { setSpendingCaps, spendingCapsOf } from '../../money/budget.ts';
import {
  findPod,
  findPodOfAccount,
  insertPod,
  listPods,
  listPodsSince,
  podSlots,
  saveAccess,
  savePod,
} from './pod-store.ts';
import { limitFields, type PodRecord, rateLimitsIn } from './pod-table.ts';

type Caps = Record<CapPeriod, number | null>;

export interface Pod extends Omit<PodRecord, 'perMinute' | 'perHour' | 'perDay' | 'accessGivenAt'> {
  rateLimits: RateLimits;
  name: string | null;
  status: 'active' | 'suspended';
  allowedScopes: string[] | null;
  /** Null for none. */
  spendingCaps: Caps | null;
}

/** A change of a pod by its platform. Absent settings, limits and caps stay as they are. */
export interface PodChange {
  name?: string | null | undefined;
  status?: Pod['status'] | undefined;
  rateLimits?: Partial<RateLimits> | null | undefined;
  spendingCaps?: Partial<Caps> | null | undefined;
  allowedScopes?: string[] | null | undefined;
  /** The address that logs in to the pod; null for none. */
  recoveryEmail?: string | null | undefined;
  /** What may leave it. Null: nothing is set. */
  policy?: object | null | undefined;
}

const NO_LIMITS: RateLimits = { minute: null, hour: null, day: null };

export { podSlots };

/** Returns the rate limits of a pod; null when it has none or the account is not a pod. */
export async function rateLimitsOf(reader: Reader, accountId: string): Promise<RateLimits | null> {
  const pod = await findPodOfAccount(reader, accountId);
  const limits = pod && rateLimitsIn(pod);
  return limits && hasAny(limits) ? limits : null;
}

export const hasAny = (values: Record<string, number | null>): boolean =>
  Object.values(values).some((value) => value !== null);

/** @throws ApiError `invalid_request` unless minute <= hour <= day holds for the limits that are set */
function requireLimitOrder(limits: RateLimits): void {
  const present = RATE_WINDOWS.filter((window) => limits[window] !== null);
  for (const [i, window] of present.entries()) {
    const next = present[i + 1];
    if (next !== undefined && (limits[window] as number) > (limits[next] as number))
      throw invalidField(
        `/body/rate_limits/requests_per_${window}`,
        'out_of_order',
        `requests_per_${window} would be ${limits[window]} and requests_per_${next} ${limits[next]}; minute <= hour <= day must hold, including the stored limits.`,
      );
  }
}

/** A platform cannot give a pod more scopes than it has. @throws ApiError `invalid_request` */
function requireWithin(scopes: readonly string[], ceiling: readonly string[] | null): void {
  const beyond = ceiling === null ? -1 : scopes.findIndex((scope) => !ceiling.includes(scope));
  if (beyond < 0) return;
  const message = `${scopes[beyond]} is not a scope of the platform.`;
  throw invalidField(`/body/allowed_scopes/${beyond}`, 'scope_ceiling_exceeded', message);
}

const merged = <T extends object>(old: T, change: Partial<T> | null): T => ({
  ...old,
  ...Object.fromEntries(Object.entries(change ?? {}).filter(([, value]) => value !== undefined)),
});

const podOf = (record: PodRecord, account: Account, spendingCaps: Caps | null): Pod => ({
  podId: record.podId,
  accountId: record.accountId,
  parentAccountId: record.parentAccountId,
  createdAt: record.createdAt,
  updatedAt: record.updatedAt,
  rateLimits: rateLimitsIn(record),
  name: account.name,
  status: account.status === 'active' ? 'active' : 'suspended',
  allowedScopes: account.allowedScopes,
  spendingCaps,
});

async function withAccounts(reader: Reader, records: readonly PodRecord[]): Promise<Pod[]> {
  if (records.length === 0) return [];
  const ids = records.map(({ accountId }) => accountId);
  const [accounts, caps] = [await findAccounts(reader, ids), await spendingCapsOf(reader, ids)];
  return records.map((record) => {
    const { accountId } = record;
    return podOf(record, accounts.get(accountId) as Account, caps.get(accountId) ?? null);
  });
}

const PODS_AT_A_TIME = 500;

/** Lists the ids of every pod of a platform, newest first. */
export async function podIdsOf(reader: Reader, platformId: string): Promise<string[]> {
  const ids: string[] = [];
  for (let before = lastId('pod'); ; before = ids.at(-1) as string) {
    const page = await listPods(reader, { parentAccountId: platformId }, { podId: before }, PODS_AT_A_TIME);
    ids.push(...page.map(({ podId }) => podId));
    if (page.length < PODS_AT_A_TIME) return ids;
  }
}

/** Another account's pod is answered like one that does not exist. @throws ApiError `not_found` */
async function requireRecord(reader: Reader, { accountId }: Principal, podId: string): Promise<PodRecord> {
  const found = isId('pod', podId) ? await findPod(reader, podId) : null;
  if (found && (found.parentAccountId === accountId || found.accountId === accountId)) return found;
  throw new ApiError('not_found');
}

/** Reads a pod: a platform may read its pods, a pod itself. @throws ApiError `not_found` */
export async function readPod(reader: Reader, principal: Principal, podId: string): Promise<Pod> {
  return (await withAccounts(reader, [await requireRecord(reader, principal, podId)]))[0] as Pod;
}

/** Lists the pods of a platform, newest first. A pod sees itself alone. @throws ApiError `invalid_cursor` */
export async function listPodsOf(
  reader: Reader,
  { accountId, kind }: Principal,
  page: { cursor: string | undefined; limit: number },
): Promise<Page<Pod>> {
  const list = async (before: string, many: number): Promise<PodRecord[]> => {
    if (kind !== 'pod') return listPods(reader, { parentAccountId: accountId }, { podId: before }, many);
    const own = await findPodOfAccount(reader, accountId);
    return own && own.podId < before ? [own] : [];
  };
  const found = await newestFirst('pod', page, list, ({ podId }) => podId);
  return { ...found, rows: await withAccounts(reader, found.rows) };
}

/** @throws ApiError `pod_limit_reached` */
async function takeSlot(tx: Tx, { accountId, limits: { pods: limit } }: Principal): Promise<void> {
  if (await podSlots.take(tx, accountId, limit)) return;
  throw limitReached('pods', { used: await podSlots.used(tx, accountId), max: limit }, { fields: { limit } });
}

/** Suspended pods do not count, so that a platform that suspends one can create another. */
async function setStatus(tx: Tx, principal: Principal, accountId: string, status: Pod['status']): Promise<void> {
  if (status === 'suspended') {
    if (await moveStatus(tx, accountId, 'active', 'paused')) await podSlots.giveBack(tx, principal.accountId);
    return;
  }
  if (await moveStatus(tx, accountId, 'paused', 'active')) return takeSlot(tx, principal);
  if ((await findAccount(tx, accountId))?.status === 'suspended')
    throw new ApiError('account_suspended', { message: 'The operator of this service suspended the pod.' });
}

async function setScopes(tx: Tx, principal: Principal, accountId: string, scopes: string[] | null): Promise<void> {
  if (scopes !== null) requireWithin(scopes, (await findAccount(tx, principal.accountId))?.allowedScopes ?? null);
  await changePodAccount(tx, accountId, { allowedScopes: scopes });
}

/** What pods need. Each part takes what it uses of this. */
/** What a platform sets about what may leave its pods. */
interface PodPolicies {
  schema: TSchema;
  /** Null removes all. @throws ApiError `operator_required`, `insufficient_scope`, `invalid_request` */
  set(tx: Tx, platform: Principal, accountId: string, given: object | null, now: number): Promise<void>;
  show(reader: Reader, accountId: string): Promise<object>;
}

export interface PodDeps {
  podPolicies: PodPolicies;
  gate: Gate;
  database: Reader;
  keys: Pick<KeyRules, 'issue'>;
  secure: Pick<SecureRules, 'replacePodKey'>;
  people: Pick<PeopleRules, 'list' | 'replaceRecovery'>;
  /** Ends cached credentials and open streams of an account, on every instance. */
  credentials: { accountChanged(tx: Tx, accountId: string): void };
}

/** Creates pods and changes them. */
export class PodRules {
  readonly #deps: PodDeps;

  constructor(deps: PodDeps) {
    this.#deps = deps;
  }

  /** @throws ApiError `pod_limit_reached`, `invalid_request` for limits or caps out of order; as {@link Gate.require} */
  async create(tx: Tx, principal: Principal, settings: PodChange, now: number): Promise<{ pod: Pod; key: MintedKey }> {
    const { accountId: parentId } = principal;
    await this.#deps.gate.require(tx, principal, 'invite');
    await takeSlot(tx, principal);
    const account = await createAccount(tx, { parentId, name: null }, now);
    const record: PodRecord = {
      podId: newId('pod', now),
      accountId: account.id,
      parentAccountId: parentId,
      ...limitFields(NO_LIMITS),
      createdAt: now,
      updatedAt: now,
      accessGivenAt: null,
    };
    await insertPod(tx, record);
    await this.#apply(tx, principal, record, settings, now);
    const key = await this.#deps.keys.issue(tx, account.id, 'pod', now);
    return { pod: await readPod(tx, principal, record.podId), key };
  }

  /**
   * @throws ApiError `not_found`, `pod_limit_reached` when a suspended pod is reactivated, `address_refused`, and as
   * {@link create}
   */
  async change(tx: Tx, principal: Principal, podId: string, change: PodChange, now: number): Promise<Pod> {
    const { accountId } = await requireRecord(tx, principal, podId);
    await lockAccounts(tx, [accountId]);
    // Read again under the lock, to see what a concurrent change left.
    await this.#apply(tx, principal, await requireRecord(tx, principal, podId), change, now);
    return readPod(tx, principal, podId);
  }

  /** Gives a pod a new key, and ends everything that its former holder had or set up. @throws ApiError `not_found` */
  async replaceKey(tx: Tx, principal: Principal, podId: string, now: number): Promise<MintedKey> {
    const { accountId } = await requireRecord(tx, principal, podId);
    await saveAccess(tx, { podId, accessGivenAt: now });
    return this.#deps.secure.replacePodKey(tx, accountId, now);
  }

  /** Pauses the pods that an account which is being secured made lately, or to which it gave access. */
  readonly secure: LockdownHook = async (tx, { accountId, now }) => {
    const changes: RecentChange[] = [];
    const since = now - LOOK_BACK_DAYS * DAY_MS;
    for (const { podId, accountId: podAccountId } of await listPodsSince(tx, accountId, since)) {
      if (!(await moveStatus(tx, podAccountId, 'active', 'paused'))) continue;
      await podSlots.giveBack(tx, accountId);
      this.#deps.credentials.accountChanged(tx, podAccountId);
      changes.push({ at: now, what: 'pod_paused', detail: podId });
    }
    return { changes };
  };

  async #apply(tx: Tx, principal: Principal, record: PodRecord, change: PodChange, now: number): Promise<void> {
    const { name, status, rateLimits, spendingCaps, allowedScopes, recoveryEmail, policy } = change;
    const { accountId } = record;
    const next = rateLimits === null ? NO_LIMITS : merged(rateLimitsIn(record), rateLimits ?? null);
    requireLimitOrder(next);
    const { gate } = this.#deps;
    // Everyone can see its name, and who recovers it reads it.
    if (name) await gate.require(tx, principal, 'publish');
    if (recoveryEmail) await gate.require(tx, principal, 'invite');
    if (name !== undefined) await changePodAccount(tx, accountId, { name: name === '' ? null : name });
    if (allowedScopes !== undefined) await setScopes(tx, principal, accountId, allowedScopes);
    if (spendingCaps !== undefined) {
      const old = (await spendingCapsOf(tx, [accountId])).get(accountId) ?? null;
      await setSpendingCaps(tx, accountId, spendingCaps && merged<Partial<Caps>>(old ?? {}, spendingCaps));
    }
    if (recoveryEmail !== undefined) {
      await this.#deps.people.replaceRecovery(tx, { accountId, by: principal.actor, address: recoveryEmail }, now);
      if (recoveryEmail !== null) await saveAccess(tx, { podId: record.podId, accessGivenAt: now });
    }
    if (policy !== undefined) await this.#deps.podPolicies.set(tx, principal, accountId, policy, now);
    if (status !== undefined) await setStatus(tx, principal, accountId, status);
    await savePod(tx, { ...record, ...limitFields(next), updatedAt: now });
    this.#deps.credentials.accountChanged(tx, accountId);
  }
}
