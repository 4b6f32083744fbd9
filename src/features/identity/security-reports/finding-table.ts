import { column, exported, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

/** Most severe first. */
export const SEVERITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const OUTCOMES = ['accepted', 'rejected'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const FINDINGS = table(
  'findings',
  {
    jti: exported.text('jti'),
    accountId: exported.text('account_id'),
    title: exported.text('title'),
    severity: exported.enum<Severity>()('severity'),
    target: exported.text('target'),
    /** `sha256:` and 64 hex digits. */
    evidenceHash: exported.text('evidence_hash'),
    cwe: exported.text('cwe').orNull(),
    evidenceUrl: exported.text('evidence_url').orNull(),
    toolsUsed: exported.json<string[]>()('tools_used'),
    timeToFindMs: exported.integer('time_to_find_ms').orNull(),
    /** Programs with this audience may judge the finding; null: no program may judge it. */
    audience: exported.text('audience').orNull(),
    /** How many programs accepted it. */
    accepted: exported.integer('accepted'),
    rejected: exported.integer('rejected'),
    createdAt: exported.integer('created_at'),
  },
  { key: ['jti'], account: ['accountId'], erase: 'delete', page: ['jti'] },
);
export type Finding = RecordOf<typeof FINDINGS>;

/** What an agent submits. */
export type FindingClaim = Omit<Finding, 'jti' | 'accountId' | 'accepted' | 'rejected' | 'createdAt'>;

export const PROGRAMS = table(
  'programs',
  {
    id: exported.text('id'),
    accountId: exported.text('account_id'),
    name: exported.text('name'),
    audience: exported.text('audience'),
    /** SHA-256. No reply shows it. */
    keyHash: column.text('key_hash'),
    keyPrefix: exported.text('key_prefix'),
    createdAt: exported.integer('created_at'),
    endedAt: exported.integer('ended_at').orNull(),
  },
  { key: ['id'], account: ['accountId'], erase: 'delete', page: ['id'] },
);
export type Program = RecordOf<typeof PROGRAMS>;

/** The judgement of one program on one finding. */
export const FINDING_OUTCOMES = table(
  'finding_outcomes',
  {
    jti: column.text('jti'),
    programId: column.text('program_id'),
    outcome: column.enum<Outcome>()('outcome'),
    note: column.text('note').orNull(),
    createdAt: column.integer('created_at'),
  },
  {
    key: ['jti', 'programId'],
    account: [
      { field: 'jti', of: FINDINGS, account: 'accountId' },
      { field: 'programId', of: PROGRAMS, account: 'accountId' },
    ],
    erase: 'delete',
  },
);
export type FindingOutcome = RecordOf<typeof FINDING_OUTCOMES>;

/** Counts of an agent's findings, one row for each severity. */
export const TRACK_RECORDS = table(
  'track_records',
  {
    accountId: column.text('account_id'),
    severity: column.enum<Severity>()('severity'),
    submitted: column.integer('submitted'),
    accepted: column.integer('accepted'),
    rejected: column.integer('rejected'),
  },
  { key: ['accountId', 'severity'], account: ['accountId'], erase: 'delete' },
);
export type SeverityRecord = RecordOf<typeof TRACK_RECORDS>;
export type Tally = Omit<SeverityRecord, 'accountId' | 'severity'>;
