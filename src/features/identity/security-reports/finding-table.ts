import { column, columnMap, type RecordOf } from '../../../db/column-map.ts';

/** Most severe first. */
export const SEVERITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const OUTCOMES = ['accepted', 'rejected'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const FINDINGS = columnMap({
  jti: column.text('jti'),
  accountId: column.text('account_id'),
  title: column.text('title'),
  severity: column.word<Severity>()('severity'),
  target: column.text('target'),
  /** `sha256:` and 64 hex digits. */
  evidenceHash: column.text('evidence_hash'),
  cwe: column.text('cwe').orNull(),
  evidenceUrl: column.text('evidence_url').orNull(),
  toolsUsed: column.json<string[]>()('tools_used'),
  timeToFindMs: column.integer('time_to_find_ms').orNull(),
  /** Programs with this audience may judge the finding; null: no program may judge it. */
  audience: column.text('audience').orNull(),
  /** How many programs accepted it. */
  accepted: column.integer('accepted'),
  rejected: column.integer('rejected'),
  createdAt: column.integer('created_at'),
});
export type Finding = RecordOf<typeof FINDINGS>;

/** What an agent submits. */
export type FindingClaim = Omit<Finding, 'jti' | 'accountId' | 'accepted' | 'rejected' | 'createdAt'>;

/** The judgement of one program on one finding. */
export const FINDING_OUTCOMES = columnMap({
  jti: column.text('jti'),
  programId: column.text('program_id'),
  outcome: column.word<Outcome>()('outcome'),
  note: column.text('note').orNull(),
  createdAt: column.integer('created_at'),
});
export type FindingOutcome = RecordOf<typeof FINDING_OUTCOMES>;

/** Counts of an agent's findings, one row for each severity. */
export const TRACK_RECORDS = columnMap({
  accountId: column.text('account_id'),
  severity: column.word<Severity>()('severity'),
  submitted: column.integer('submitted'),
  accepted: column.integer('accepted'),
  rejected: column.integer('rejected'),
});
export type SeverityRecord = RecordOf<typeof TRACK_RECORDS>;
export type Tally = Omit<SeverityRecord, 'accountId' | 'severity'>;

export const PROGRAMS = columnMap({
  id: column.text('id'),
  accountId: column.text('account_id'),
  name: column.text('name'),
  audience: column.text('audience'),
  /** SHA-256. No reply shows it. */
  keyHash: column.text('key_hash'),
  keyPrefix: column.text('key_prefix'),
  createdAt: column.integer('created_at'),
  endedAt: column.integer('ended_at').orNull(),
});
export type Program = RecordOf<typeof PROGRAMS>;
