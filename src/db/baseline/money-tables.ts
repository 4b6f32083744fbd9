import type { Migration } from '../migration-sql.ts';

/** Budgets, the ledger and approvals. */
export const MONEY_TABLES: Migration['statements'] = [
  // One row an account: limits, and what the current day, week and month have spent. A charge locks and writes this
  // row alone, however long the ledger is. `platform_…_cap` are what a platform sets over its pod.
  `create table budgets (
    account_id text primary key,
    daily_cap integer,
    weekly_cap integer,
    monthly_cap integer,
    platform_daily_cap integer,
    platform_weekly_cap integer,
    platform_monthly_cap integer,
    single_tx_limit integer,
    on_limit text not null,
    authority text not null,
    daily_start integer not null,
    daily_spent integer not null,
    weekly_start integer not null,
    weekly_spent integer not null,
    monthly_start integer not null,
    monthly_spent integer not null,
    entries integer not null,
    total_usdc integer not null,
    categories integer not null,
    last_position integer not null) clustered`,
  // Periods that are not the current one, for a clock that steps back into them; forgotten after two months.
  `create table budget_periods (
    account_id text not null,
    period text not null,
    period_start integer not null,
    spent integer not null,
    primary key (account_id, period, period_start)) clustered`,
  // A pod's charge has a row in the ledger of each account it counts for. `position` is microseconds, the last three
  // digits counting the charges of a millisecond.
  `create table ledger (
    account_id text not null,
    position integer not null,
    id text not null,
    spender_id text not null,
    amount_usdc integer not null,
    category text not null,
    description text not null,
    reference_id text,
    metadata text,
    approval_id text,
    created_at integer not null,
    primary key (account_id, position, id))`,
  'create index ledger_by_category on ledger (account_id, category, position, id)',
  `create table ledger_totals (
    account_id text not null,
    category text not null,
    entries integer not null,
    total_usdc integer not null,
    primary key (account_id, category)) clustered`,
  // holder: whose it is to decide; spender: who wants to spend. They differ where a pod meets its platform's limit.
  // The delegation that a charge came by, so that granting it charges the delegation too.
  `create table approvals (
    id text primary key,
    holder_id text not null,
    spender_id text not null,
    amount_usdc integer not null,
    category text not null,
    description text not null,
    reference_id text,
    metadata text,
    cause text not null,
    status text not null,
    created_at integer not null,
    expires_at integer not null,
    resolved_at integer,
    resolved_by text,
    reason text,
    charge_id text,
    delegation_path text)`,
  'create index approvals_of_holder on approvals (holder_id, status, id)',
  'create index approvals_of_spender on approvals (spender_id, status, id)',
  'create index approvals_of_holder_all on approvals (holder_id, id)',
  'create index approvals_of_spender_all on approvals (spender_id, id)',
  `create index approvals_due_of_holder on approvals (holder_id, expires_at) where status = 'pending'`,
  `create index approvals_due_of_spender on approvals (spender_id, expires_at) where status = 'pending'`,
  `create table approval_tokens (
    hash text primary key,
    approval_id text not null,
    email text not null,
    expires_at integer not null) clustered`,
  'create index approval_tokens_by_expiry on approval_tokens (expires_at)',
  // Approvals for one mail that lists them all, because the operator got many mails in an hour.
  `create table approval_digests (
    email text not null,
    approval_id text not null,
    primary key (email, approval_id)) clustered`,
];
