import type { Authority } from '../../api/authority.ts';
import { ApiError, invalidField } from '../../api/errors.ts';
import type { AppendEvents, NewEvent, ReserveEvents } from '../../api/events.ts';
import type { EnqueueJob } from '../../api/job-types.ts';
import type { Limits } from '../../api/limits.ts';
import type { Principal } from '../../api/principal.ts';
import { insufficientScope } from '../../api/scopes.ts';
import type { Database, Reader, Tx } from '../../api/transaction.ts';
import { iso } from '../../base/clock.ts';
import { CAP_PERIODS, type CapPeriod, capPeriodStart, DAY_MS, nextCapPeriod } from '../../base/period.ts';
import type { JobEffects } from '../../jobs/job-effects.ts';
import { lockAccounts } from '../account/accounts/account-lifecycle.ts';
import { confirmedOperators } from '../account/people/person.ts';
import type { LinkMailer } from '../service/mailer/link-mailer.ts';
import type { SettingHistory } from '../service/settings/setting-history.ts';
import type { CapAt } from './budget-schema.ts';
import {
  findBudgets,
  keepSpend,
  lockBudgets,
  readPeriod,
  savePlatformCaps,
  saveSettings,
  saveSpend,
} from './budget-store.ts';
import {
  type Budget,
  type BudgetSettings,
  type Caps,
  forEachPeriod,
  NO_CAPS,
  newBudget,
  type Spend,
} from './budget-table.ts';

/** What budgets, charges and approvals need. Each part takes what it uses of this. */
export interface BudgetDeps {
  database: Database;
  limits: Limits;
  appendEvents: AppendEvents<Tx>;
  reserveEvents: ReserveEvents<Tx>;
  enqueueJob: EnqueueJob;
  jobEffects: JobEffects;
  mailer: LinkMailer;
  settingHistory: SettingHistory;
  baseUrl(): string;
}

/** How long the spend of past periods is kept, in case the clock steps back. */
const PERIODS_KEPT_MS = 62 * DAY_MS;

/** Returns the spend of the periods that contain `now`. */
async function spendAt(reader: Reader, budget: Budget, now: number): Promise<Record<CapPeriod, Spend>> {
  const spend = { ...budget.spend };
  for (const period of CAP_PERIODS) {
    const start = capPeriodStart(period, now);
    if (spend[period].start !== start)
      spend[period] = { start, spent: await readPeriod(reader, budget.accountId, period, start) };
  }
  return spend;
}

/**
 * Moves the counters of a locked budget to the periods of `now`. When the clock has stepped back, that is an earlier
 * period whose spend was kept, so that a wrong clock cannot grant a cap twice. @returns whether a counter moved
 */
export async function rollOverPeriods(tx: Tx, budget: Budget, now: number): Promise<boolean> {
  const spend = await spendAt(tx, budget, now);
  const passed = CAP_PERIODS.filter((period) => spend[period].start !== budget.spend[period].start);
  for (const period of passed) {
    const old = budget.spend[period];
    const before = Math.min(old.start, spend[period].start) - PERIODS_KEPT_MS;
    if (old.spent > 0) await keepSpend(tx, { accountId: budget.accountId, period, ...old }, before);
  }
  budget.spend = spend;
  return passed.length > 0;
}

/** Locks the budget of an account, with its counters in the periods of `now`. */
export async function lockBudgetAt(tx: Tx, accountId: string, now: number): Promise<Budget> {
  const budget = (await lockBudgets(tx, [accountId])).get(accountId) as Budget;
  await rollOverPeriods(tx, budget, now);
  return budget;
}

/** Reads an account's budget with its counters in the periods of `now`. */
export async function readBudgetAt(reader: Reader, accountId: string, now: number): Promise<Budget> {
  const budget = await readBudget(reader, accountId);
  return { ...budget, spend: await spendAt(reader, budget, now) };
}

export const readBudget = async (reader: Reader, accountId: string): Promise<Budget> =>
  (await findBudgets(reader, [accountId])).get(accountId) ?? newBudget(accountId);

/** Returns the state of a cap. An approved charge may exceed the cap; `remaining` is 0 then, never negative. */
export const capState = (limit: number, { start, spent }: Spend, period: CapPeriod): CapAt => ({
  limit,
  spent,
  remaining: Math.max(0, limit - spent),
  resetsAt: nextCapPeriod(period, start),
});

export const capStates = (caps: Caps, spend: Budget['spend']): Record<CapPeriod, CapAt | null> =>
  forEachPeriod((period) => (caps[period] === null ? null : capState(caps[period], spend[period], period)));

const spentUpOf = (caps: Caps, spend: Budget['spend']): CapPeriod[] =>
  CAP_PERIODS.filter((period) => (caps[period] ?? Number.POSITIVE_INFINITY) <= spend[period].spent);

/** Returns the periods whose cap is used up: of the account's own caps, and of its platform's. */
export const spentUp = ({ caps, platformCaps, spend }: Budget) => ({
  account: spentUpOf(caps, spend),
  platform: spentUpOf(platformCaps, spend),
});

/** Returns whether any cap is used up. The API shows `limit_reached` then. */
export const isSpentUp = (budget: Budget): boolean => Object.values(spentUp(budget)).some(({ length }) => length > 0);

/** Returns a `budget.limit_reached` event for each cap that is used up now and was not before. */
export function limitEvents(budget: Budget, before: ReturnType<typeof spentUp>, now: number): NewEvent[] {
  const after = spentUp(budget);
  return (['account', 'platform'] as const).flatMap((setBy) => {
    const caps = setBy === 'account' ? budget.caps : budget.platformCaps;
    const reached = after[setBy].filter((period) => !before[setBy].includes(period));
    return reached.map((period) => {
      const { limit, spent, resetsAt } = capState(caps[period] as number, budget.spend[period], period);
      const times = { period, limit_usdc: limit, spent_usdc: spent, resets_at: iso(resetsAt) };
      const data = { ...times, limit_set_by: setBy };
      return { accountId: budget.accountId, type: 'budget.limit_reached' as const, data, now };
    });
  });
}

/** @throws ApiError `invalid_request` unless daily <= weekly <= monthly holds for the caps that are set */
function requireCapOrder(caps: Caps, path: string): void {
  const present = CAP_PERIODS.flatMap((period) => (caps[period] === null ? [] : { period, cap: caps[period] }));
  for (const [i, { period, cap }] of present.entries()) {
    const next = present[i + 1];
    if (next !== undefined && cap > next.cap)
      throw invalidField(
        `${path}/${period}`,
        'out_of_order',
        `The ${period} cap would be ${cap} and the ${next.period} cap ${next.cap}; daily <= weekly <= monthly must hold, including the stored caps.`,
      );
  }
}

/** A change of settings. An absent setting stays as it is. */
export interface BudgetChange extends Partial<Omit<BudgetSettings, 'caps'>> {
  caps: Partial<Caps>;
}

interface BudgetCall {
  principal: Principal;
  now: number;
  /** The refusal of a change that does more than lower caps. Null: it may. */
  spent: ApiError | null;
}

const isLooser = (old: number | null, next: number | null): boolean => old !== null && (next === null || next > old);

const isLoosened = (old: BudgetSettings, next: BudgetSettings): boolean =>
  isLooser(old.singleTxLimit, next.singleTxLimit) ||
  CAP_PERIODS.some((period) => isLooser(old.caps[period], next.caps[period])) ||
  (old.authority === 'operator' && next.authority !== 'operator');

/** @throws ApiError `operator_required` when only the operator may decide and the caller is not the operator */
export function requireAuthority(budget: Pick<Budget, 'authority'>, principal: Principal): void {
  if (budget.authority === 'operator' && !principal.operator) throw new ApiError('operator_required');
}

/**
 * Checks that the caller may change an address that opens the account or decides for it. An agent whose operator took
 * the authority must not make itself the operator. @throws ApiError `operator_required`
 */
export async function requireAddressAuthority(tx: Tx, principal: Principal): Promise<void> {
  // A change of authority takes the same lock, so of two concurrent changes one sees the other.
  await lockAccounts(tx, [principal.accountId]);
  requireAuthority(await readBudget(tx, principal.accountId), principal);
}

/** Who decides for each of these accounts. */
export async function authoritiesOf(reader: Reader, accountIds: readonly string[]): Promise<Map<string, Authority>> {
  if (accountIds.length === 0) return new Map();
  const budgets = await findBudgets(reader, accountIds);
  return new Map([...budgets].map(([id, { authority }]) => [id, authority]));
}

export const authorityOf = async (reader: Reader, accountId: string): Promise<Authority> =>
  (await readBudget(reader, accountId)).authority;

/** Hands the authority to the operators, or back to the account when it has none left. The caller holds its lock. */
export async function setAuthority(tx: Tx, accountId: string, authority: Authority): Promise<void> {
  if ((await authorityOf(tx, accountId)) === authority) return;
  const budget = (await lockBudgets(tx, [accountId])).get(accountId) as Budget;
  await saveSettings(tx, { ...budget, authority });
}

/** The settings that `secure` may take back. Only the operators take back their authority. */
export const revocableOf = ({ caps, singleTxLimit, onLimit }: BudgetSettings) => ({ ...caps, singleTxLimit, onLimit });

/** Stores new settings of a locked budget, and tells of each cap that is used up by them. */
export async function storeSettings(
  tx: Tx,
  { appendEvents }: BudgetDeps,
  budget: Budget,
  next: Budget,
  now: number,
): Promise<void> {
  await saveSettings(tx, next);
  await saveSpend(tx, next);
  const events = limitEvents(next, spentUp(budget), now);
  if (events.length > 0) await appendEvents(tx, events);
}

/**
 * Changes limits and settings. @throws ApiError `invalid_request` for caps out of order, `operator_required`,
 * `operator_email_required`; `insufficient_scope` for a named key or token that changes the authority
 */
export async function changeBudget(
  tx: Tx,
  deps: BudgetDeps,
  { principal, now, spent }: BudgetCall,
  { caps, ...settings }: BudgetChange,
): Promise<{ before: Budget; next: Budget }> {
  const { accountId } = principal;
  await lockAccounts(tx, [accountId]);
  const budget = await lockBudgetAt(tx, accountId, now);
  const next: Budget = { ...budget, ...settings, caps: { ...budget.caps, ...caps } };
  if (spent && (Object.keys(settings).length > 0 || isLoosened(budget, next))) throw spent;
  requireCapOrder(next.caps, '/body/caps');
  if (isLoosened(budget, next)) requireAuthority(budget, principal);
  // Afterwards the primary key could not take it back, so this exceeds every lesser credential.
  if (next.authority !== budget.authority && principal.scopes !== null)
    throw insufficientScope('money:manage', 'Only the primary key or a session can change the authority.');
  if (next.authority === 'operator' && (await confirmedOperators(tx, accountId)).length === 0)
    throw new ApiError('operator_email_required');
  await storeSettings(tx, deps, budget, next, now);
  const { authority: _, ...given } = { ...settings, ...caps };
  const change = { setting: 'budget', target: '', before: revocableOf(budget), given } as const;
  await deps.settingHistory.note(tx, principal, change, now);
  return { before: budget, next };
}

/**
 * Sets the caps of a platform for its pod. Every charge of the pod must fit them and the pod's own budget. Null removes
 * them all. @throws ApiError `invalid_request` for caps out of order, with paths under `path`
 */
export async function setSpendingCaps(
  tx: Tx,
  podAccountId: string,
  caps: Partial<Caps> | null,
  path = '/body/spending_caps',
): Promise<void> {
  const next = { ...NO_CAPS, ...caps };
  requireCapOrder(next, path);
  await lockBudgets(tx, [podAccountId]);
  await savePlatformCaps(tx, podAccountId, next);
}

/** Returns the caps that platforms set for these pods, by account. Null when a pod has none. */
export async function spendingCapsOf(
  reader: Reader,
  podAccountIds: readonly string[],
): Promise<Map<string, Caps | null>> {
  const budgets = await findBudgets(reader, podAccountIds);
  return new Map(
    podAccountIds.map((id) => {
      const caps = budgets.get(id)?.platformCaps ?? NO_CAPS;
      return [id, CAP_PERIODS.every((period) => caps[period] === null) ? null : caps];
    }),
  );
}
