import { FIRST_ID, type WaitingParts } from '../../../api/account/waiting.ts';
import type { Authority } from '../../../api/authority.ts';
import { ApiError } from '../../../api/errors.ts';
import type { AppendEvent } from '../../../api/events.ts';
import { newestFirst, type Page } from '../../../api/page.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import type { CapPeriod } from '../../../base/period.ts';
import { findAccounts } from '../../account/accounts/account-lifecycle.ts';
import type { Account } from '../../account/accounts/account-table.ts';
import type { AddressRules } from '../../account/addresses/address.ts';
import { daysRemovable, isOperator, operatedBy, type Person, waitingFor } from '../../account/people/person.ts';
import { countOpenApprovals } from '../../money/approvals/approval.ts';
import { capStates, readBudgetAt } from '../../money/budget.ts';
import type { CapAt } from '../../money/budget-schema.ts';
import { platformRoom } from '../../money/platform-quota.ts';
import { emailsToday, USAGE_DAYS } from '../../service/limits/email-quota.ts';
import type { RequestMeter } from '../../service/limits/request-meter.ts';

export { USAGE_DAYS };

/** What waits for a person, beside approvals and reviews. */
const OPEN_ITEMS = ['quarantined_mail', 'credential_request', 'removal'] as const;
type OpenItem = (typeof OPEN_ITEMS)[number];

/** So many of each kind are counted of an agent. */
const OPEN_ITEMS_MAX = 20;

/** Counts what waits for a decision, by account. An account with nothing is left out. */
export type CountOpen = (reader: Reader, accountIds: readonly string[], now: number) => Promise<Map<string, number>>;

/** An account with what its operator wants to see first. */
export interface Agent {
  account: Account;
  authority: Authority;
  /** Atomic USDC of the UTC day. */
  spentToday: number;
  caps: Record<CapPeriod, CapAt | null>;
  /** What the platform leaves a pod of each period, in atomic USDC. */
  room: Record<CapPeriod, number>;
  openApprovals: number;
  openReviews: number;
  /** What else waits for a person. */
  openItems: Record<OpenItem, number>;
  addresses: string[];
  /**
   * The latest UTC day with one of its requests, and the emails of today. Null for a pod, whose platform counts them.
   */
  activity: { lastDay: string | null; emailsToday: number } | null;
}

/** A role that waits for the confirmation of an address. */
export interface WaitingRole extends Pick<Person, 'id' | 'accountId' | 'role' | 'namedAt'> {
  /** The account’s name; null without one. */
  name: string | null;
  /** For how many days from the confirmation the account's key removes the person at once. */
  removableDays: number;
}

/** What operators need. */
export interface OperatorDeps {
  database: Reader;
  appendEvent: AppendEvent<Tx>;
  countOpenReviews: CountOpen;
  waiting: WaitingParts;
  meter: RequestMeter;
  addresses: Pick<AddressRules, 'list'>;
  /** Ends the agent's streams and cached credentials on every instance. */
  credentials: { accountChanged(tx: Tx, accountId: string): void };
}

/** Counts by kind and account, with one statement or two for each kind. */
async function countItems({ database, waiting }: OperatorDeps, caller: Principal, ids: readonly string[], now: number) {
  const limit = OPEN_ITEMS_MAX * ids.length;
  const query = { accountIds: ids, caller, after: { since: 0, id: FIRST_ID }, limit, now };
  const counts = new Map<string, number>();
  for (const kind of OPEN_ITEMS)
    for (const { accountId } of (await waiting[kind]?.list(database, query)) ?? []) {
      const key = `${kind} ${accountId}`;
      counts.set(key, Math.min((counts.get(key) ?? 0) + 1, OPEN_ITEMS_MAX));
    }
  return (kind: OpenItem, accountId: string): number => counts.get(`${kind} ${accountId}`) ?? 0;
}

/** Lists the accounts that the caller's address is a confirmed operator of, newest first. @throws ApiError `invalid_cursor` */
export async function listAgents(
  deps: OperatorDeps,
  caller: Principal,
  page: { cursor: string | undefined; limit: number },
  now: number,
): Promise<Page<Agent>> {
  const { database, countOpenReviews, addresses, meter } = deps;
  const { person, operator } = caller;
  // A link that was mailed for one account opens a session for that account alone, also where the address is an operator.
  const address = operator ? (person as string) : null;
  const found = await newestFirst(
    'per',
    page,
    async (before, many) => (address === null ? [] : operatedBy(database, address, before, many)),
    ({ id }) => id,
  );
  const ids = found.rows.map(({ accountId }) => accountId);
  const accounts = await findAccounts(database, ids);
  const approvals = await countOpenApprovals(database, ids, now);
  const reviews = await countOpenReviews(database, ids, now);
  const lastDays = await meter.lastDays(ids, now);
  const emails = await emailsToday(database, ids, now);
  const items = await countItems(deps, caller, ids, now);
  const rows: Agent[] = [];
  for (const id of ids) {
    const account = accounts.get(id);
    if (!account) continue;
    const budget = await readBudgetAt(database, id, now);
    const isPod = account.parentId !== null;
    rows.push({
      account,
      authority: budget.authority,
      spentToday: budget.spend.daily.spent,
      caps: capStates(budget.caps, budget.spend),
      room: (await platformRoom(database, account.parentId, now)).left,
      openApprovals: approvals.get(id) ?? 0,
      openReviews: reviews.get(id) ?? 0,
      openItems: Object.fromEntries(OPEN_ITEMS.map((kind) => [kind, items(kind, id)])) as Record<OpenItem, number>,
      addresses: (await addresses.list(database, id)).map(({ address }) => address),
      activity: isPod ? null : { lastDay: lastDays.get(id) ?? null, emailsToday: emails.get(id) ?? 0 },
    });
  }
  return { ...found, rows };
}

/** Lists the roles that wait for the caller's confirmation: the oldest and the newest, so that decoys hide none. */
export async function listWaiting(
  database: Reader,
  { person: address }: Principal,
  now: number,
): Promise<WaitingRole[]> {
  const waiting = await waitingFor(database, address as string);
  const accounts = await findAccounts(
    database,
    waiting.map(({ accountId }) => accountId),
  );
  return waiting.map((person) => {
    const { id, accountId, role, namedAt } = person;
    const name = accounts.get(accountId)?.name ?? null;
    return { id, accountId, role, namedAt, name, removableDays: daysRemovable(person, now) };
  });
}

/**
 * Checks that the caller is an operator of an account, in the transaction of the change. Returns the operator's
 * address.
 * @throws ApiError `not_found`: no such account, or one that the caller does not operate; `operator_required` for a
 * session that no operator's link opened
 */
export async function requireOperated(tx: Tx, { person, operator }: Principal, accountId: string): Promise<string> {
  const address = person as string;
  if (!(await isOperator(tx, accountId, address))) throw new ApiError('not_found');
  if (!operator) throw new ApiError('operator_required');
  return address;
}
