import type { Migration } from '../migration-sql.ts';

const MOVED = {
  addresses: 'address_counts',
  webhooks: 'webhook_counts',
  pods: 'pod_counts',
  stacks: 'stack_counts',
  signing_keys: 'agent_key_counts',
  programs: 'program_counts',
  drafts: 'draft_counts',
};

/** One table for the counts of all kinds of things that an account has. A kind has the name of its limit. */
export const migration: Migration = {
  id: '0090-account-counts',
  statements: [
    `create table account_counts (
      account_id text not null,
      kind text not null,
      used integer not null,
      primary key (account_id, kind)) clustered`,
    ...Object.entries(MOVED).flatMap(([kind, table]) => [
      `insert into account_counts (account_id, kind, used) select account_id, '${kind}', used from ${table}`,
      `drop table ${table}`,
    ]),
  ],
};
