import { sql as raw } from 'kysely';
import type { WaitingParams } from '../../../api/account/waiting.ts';
import type { Reader } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { isAmong, jsonTexts } from '../../../db/json-rows.ts';
import { tables } from '../../../db/statement.ts';
import { isAfterPlace } from '../../../db/waiting-rows.ts';
import { APPROVALS, type Approval } from './approval-table.ts';
import type { DecisionStatus } from './decision-schema.ts';

/** Which approvals are listed: those that the account decides, or those that it asked for. */
export type ApprovalSide = 'holderId' | 'spenderId';

export const insertApproval = APPROVALS.insert();
export const findApproval = APPROVALS.find();
/** Locks an approval, so that other decisions wait until the transaction ends. */
export const lockApproval = APPROVALS.lock();
/** Stores the outcome of a pending approval, so that one of several decisions wins. @returns false when it was no longer pending */
export const settleApproval = APPROVALS.patch(
  ['status', 'resolvedAt', 'resolvedBy', 'decidedBy', 'reason', 'chargeId'],
  {
    status: 'pending',
  },
);

const sql = tables<{ approvals: RowOf<typeof APPROVALS> }>();
/** A literal, because with a parameter the planner does not use the partial index. */
const PENDING = raw.lit<DecisionStatus>('pending');

const listsOf = (side: ApprovalSide) => ({
  all: APPROVALS.page([side]),
  ofStatus: APPROVALS.page([side, 'status']),
  overdue: sql((q, p: { account: string; now: number; limit: number }) =>
    q
      .selectFrom('approvals')
      .select('id')
      .where(APPROVALS.columns[side].name, '=', p.account)
      .where('status', '=', PENDING)
      .where('expires_at', '<=', p.now)
      .limit(p.limit),
  ),
});
const LISTS = { holderId: listsOf('holderId'), spenderId: listsOf('spenderId') };

const pendingByHolder = sql((q, p: { ids: string; now: number }, engine) =>
  q
    .selectFrom('approvals')
    .select((eb) => ['holder_id', eb.fn.countAll<number>().as('pending')])
    .where((eb) => isAmong(engine, eb.ref('holder_id'), p.ids))
    .where('status', '=', PENDING)
    .where('expires_at', '>', p.now)
    .groupBy('holder_id'),
);

const waiting = sql((q, p: WaitingParams, engine) =>
  q
    .selectFrom('approvals')
    .select(APPROVALS.names)
    .where((eb) => eb.or([isAmong(engine, eb.ref('holder_id'), p.ids), isAmong(engine, eb.ref('spender_id'), p.ids)]))
    .where('status', '=', PENDING)
    .where((eb) => isAfterPlace(eb.ref('created_at'), eb.ref('id'), p))
    .orderBy('created_at')
    .orderBy('id')
    .limit(p.limit),
);

/** Lists what these accounts decide or asked for, oldest first, also what is overdue. */
export const pendingApprovals = async (reader: Reader, params: WaitingParams): Promise<Approval[]> =>
  (await reader.all(waiting, params)).map(APPROVALS.fromRow);

/** Lists the approvals before an id, newest first. */
export function listApprovals(
  reader: Reader,
  side: ApprovalSide,
  account: string,
  { status, before: id, limit }: { status: DecisionStatus | null; before: string; limit: number },
): Promise<Approval[]> {
  const of = { holderId: account, spenderId: account };
  const { all, ofStatus } = LISTS[side];
  return status === null ? all(reader, of, { id }, limit) : ofStatus(reader, { ...of, status }, { id }, limit);
}

/** Counts the pending approvals of each account that decides, but for those that have expired. */
export async function countPending(
  reader: Reader,
  accountIds: readonly string[],
  now: number,
): Promise<Map<string, number>> {
  const rows = await reader.all(pendingByHolder, { ids: jsonTexts(accountIds), now });
  return new Map(rows.map((row) => [row.holder_id, row.pending]));
}

/** Returns the ids of pending approvals that have expired. */
export const overdueApprovals = async (
  reader: Reader,
  side: ApprovalSide,
  account: string,
  now: number,
  limit: number,
): Promise<string[]> => (await reader.all(LISTS[side].overdue, { account, now, limit })).map(({ id }) => id);
