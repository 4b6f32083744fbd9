import { tables } from '../../db/statement.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import type { Finding, Outcome, Severity, Tally } from './finding-data.ts';

interface Row {
  jti: string;
  account_id: string;
  title: string;
  severity: string;
  target: string;
  evidence_hash: string;
  cwe: string | null;
  evidence_url: string | null;
  tools_used: string;
  time_to_find_ms: number | null;
  audience: string | null;
  accepted: number;
  rejected: number;
  created_at: number;
}

interface OutcomeRow {
  jti: string;
  program_id: string;
  outcome: string;
  note: string | null;
  created_at: number;
}

interface RecordRow extends Tally {
  account_id: string;
  severity: string;
}

const sql = tables<{ findings: Row; finding_outcomes: OutcomeRow; track_records: RecordRow }>();

const insertRow = sql((q, p: Row) =>
  q.insertInto('findings').values({
    jti: p.jti,
    account_id: p.account_id,
    title: p.title,
    severity: p.severity,
    target: p.target,
    evidence_hash: p.evidence_hash,
    cwe: p.cwe,
    evidence_url: p.evidence_url,
    tools_used: p.tools_used,
    time_to_find_ms: p.time_to_find_ms,
    audience: p.audience,
    accepted: p.accepted,
    rejected: p.rejected,
    created_at: p.created_at,
  }),
);

const byJti = sql((q, p: { jti: string }) => q.selectFrom('findings').selectAll().where('jti', '=', p.jti));

const page = sql((q, p: { account_id: string; before: string; limit: number }) =>
  q
    .selectFrom('findings')
    .selectAll()
    .where('account_id', '=', p.account_id)
    .where('jti', '<', p.before)
    .orderBy('jti', 'desc')
    .limit(p.limit),
);

/** Check and record in one statement: of any number of judgements by a program one gets in. */
const insertOutcome = sql((q, p: OutcomeRow) =>
  q
    .insertInto('finding_outcomes')
    .values({ jti: p.jti, program_id: p.program_id, outcome: p.outcome, note: p.note, created_at: p.created_at })
    .onConflict((conflict) => conflict.doNothing()),
);

const addToFinding = sql((q, p: { jti: string; accepted: number; rejected: number }) =>
  q
    .updateTable('findings')
    .set((eb) => ({ accepted: eb('accepted', '+', p.accepted), rejected: eb('rejected', '+', p.rejected) }))
    .where('jti', '=', p.jti),
);

const addToRecord = sql((q, p: RecordRow) =>
  q
    .insertInto('track_records')
    .values({
      account_id: p.account_id,
      severity: p.severity,
      submitted: p.submitted,
      accepted: p.accepted,
      rejected: p.rejected,
    })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'severity']).doUpdateSet((eb) => ({
        submitted: eb('track_records.submitted', '+', eb.ref('excluded.submitted')),
        accepted: eb('track_records.accepted', '+', eb.ref('excluded.accepted')),
        rejected: eb('track_records.rejected', '+', eb.ref('excluded.rejected')),
      })),
    ),
);

const recordsOf = sql((q, p: { account_id: string }) =>
  q.selectFrom('track_records').selectAll().where('account_id', '=', p.account_id),
);

const toFinding = (row: Row): Finding => ({
  jti: row.jti,
  accountId: row.account_id,
  title: row.title,
  severity: row.severity as Severity,
  target: row.target,
  evidenceHash: row.evidence_hash,
  cwe: row.cwe,
  evidenceUrl: row.evidence_url,
  toolsUsed: JSON.parse(row.tools_used) as string[],
  timeToFindMs: row.time_to_find_ms,
  audience: row.audience,
  accepted: row.accepted,
  rejected: row.rejected,
  createdAt: row.created_at,
});

export const insertFinding = async (tx: Tx, finding: Finding): Promise<void> =>
  void (await tx.run(insertRow, {
    jti: finding.jti,
    account_id: finding.accountId,
    title: finding.title,
    severity: finding.severity,
    target: finding.target,
    evidence_hash: finding.evidenceHash,
    cwe: finding.cwe,
    evidence_url: finding.evidenceUrl,
    tools_used: JSON.stringify(finding.toolsUsed),
    time_to_find_ms: finding.timeToFindMs,
    audience: finding.audience,
    accepted: finding.accepted,
    rejected: finding.rejected,
    created_at: finding.createdAt,
  }));

export async function findFinding(reader: Reader, jti: string): Promise<Finding | null> {
  const row = await reader.first(byJti, { jti });
  return row ? toFinding(row) : null;
}

/** Newest first, those before the given one. */
export const listFindings = async (
  reader: Reader,
  accountId: string,
  before: string,
  limit: number,
): Promise<Finding[]> => (await reader.all(page, { account_id: accountId, before, limit })).map(toFinding);

/** @returns false when the program has judged it before */
export async function recordOutcome(
  tx: Tx,
  { jti, accountId, severity }: Finding,
  judgement: { programId: string; outcome: Outcome; note: string | null; now: number },
): Promise<boolean> {
  const { programId, outcome, note, now } = judgement;
  const added = await tx.run(insertOutcome, { jti, program_id: programId, outcome, note, created_at: now });
  if (added === 0) return false;
  const counts = { accepted: outcome === 'accepted' ? 1 : 0, rejected: outcome === 'rejected' ? 1 : 0 };
  await tx.run(addToFinding, { jti, ...counts });
  await tx.run(addToRecord, { account_id: accountId, severity, submitted: 0, ...counts });
  return true;
}

export const countSubmitted = async (tx: Tx, accountId: string, severity: Severity): Promise<void> =>
  void (await tx.run(addToRecord, { account_id: accountId, severity, submitted: 1, accepted: 0, rejected: 0 }));

/** By severity; those without a finding are left out. */
export async function readRecord(reader: Reader, accountId: string): Promise<Map<Severity, Tally>> {
  const rows = await reader.all(recordsOf, { account_id: accountId });
  return new Map(
    rows.map(({ severity, submitted, accepted, rejected }) => [
      severity as Severity,
      { submitted, accepted, rejected },
    ]),
  );
}
