import type { Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import {
  FINDING_OUTCOMES,
  FINDINGS,
  type Finding,
  type FindingOutcome,
  type Severity,
  TRACK_RECORDS,
} from './finding-table.ts';

export const insertFinding = FINDINGS.insert();
export const findFinding = FINDINGS.find();
export const listFindings = FINDINGS.page(['accountId']);

/** Checks and inserts in one statement, so that only one of any number of parallel judgements by a program counts. */
const insertOutcome = FINDING_OUTCOMES.insertNew();

const sql = tables<{
  findings: RowOf<typeof FINDINGS>;
  track_records: RowOf<typeof TRACK_RECORDS>;
}>();

const addToFinding = sql((q, p: { jti: string; accepted: number; rejected: number }) =>
  q
    .updateTable('findings')
    .set((eb) => ({ accepted: eb('accepted', '+', p.accepted), rejected: eb('rejected', '+', p.rejected) }))
    .where('jti', '=', p.jti),
);

const addToRecord = sql((q, p: RowOf<typeof TRACK_RECORDS>) =>
  q
    .insertInto('track_records')
    .values(TRACK_RECORDS.values(p))
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'severity']).doUpdateSet((eb) => ({
        submitted: eb('track_records.submitted', '+', eb.ref('excluded.submitted')),
        accepted: eb('track_records.accepted', '+', eb.ref('excluded.accepted')),
        rejected: eb('track_records.rejected', '+', eb.ref('excluded.rejected')),
      })),
    ),
);

/** @returns false when the program has already judged the finding */
export async function recordOutcome(
  tx: Tx,
  { jti, accountId, severity }: Finding,
  judgement: Omit<FindingOutcome, 'jti'>,
): Promise<boolean> {
  if (!(await insertOutcome(tx, { jti, ...judgement }))) return false;
  const isAccepted = judgement.outcome === 'accepted';
  const counts = { accepted: isAccepted ? 1 : 0, rejected: isAccepted ? 0 : 1 };
  await tx.run(addToFinding, { jti, ...counts });
  await tx.run(addToRecord, { account_id: accountId, severity, submitted: 0, ...counts });
  return true;
}

export const countSubmitted = async (tx: Tx, accountId: string, severity: Severity): Promise<void> =>
  void (await tx.run(addToRecord, { account_id: accountId, severity, submitted: 1, accepted: 0, rejected: 0 }));

/** The counts of each severity that the agent has findings of. */
export const listSeverityRecords = TRACK_RECORDS.list(['accountId']);
