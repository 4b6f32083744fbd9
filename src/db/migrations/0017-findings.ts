import type { Migration } from '../migration-sql.ts';

/** Security findings, the programs that judge them, and counters of the judgements. */
export const migration: Migration = {
  id: '0017-findings',
  statements: [
    `create table findings (
      jti text primary key,
      account_id text not null references accounts (id),
      title text not null,
      severity text not null,
      target text not null,
      evidence_hash text not null,
      cwe text,
      evidence_url text,
      tools_used text not null,
      time_to_find_ms integer,
      audience text,
      accepted integer not null,
      rejected integer not null,
      created_at integer not null)`,
    'create index findings_by_account on findings (account_id, jti)',

    `create table programs (
      id text primary key,
      account_id text not null references accounts (id),
      name text not null,
      audience text not null,
      key_hash text not null,
      key_prefix text not null,
      created_at integer not null,
      ended_at integer)`,
    'create unique index programs_by_key on programs (key_hash)',
    'create index programs_by_account on programs (account_id, id)',
    'create table program_counts (account_id text primary key, used integer not null) clustered',

    `create table finding_outcomes (
      jti text not null,
      program_id text not null,
      outcome text not null,
      note text,
      created_at integer not null,
      primary key (jti, program_id)) clustered`,

    `create table track_records (
      account_id text not null,
      severity text not null,
      submitted integer not null,
      accepted integer not null,
      rejected integer not null,
      primary key (account_id, severity)) clustered`,
  ],
};
