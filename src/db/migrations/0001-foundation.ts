import type { Migration } from '../migration-sql.ts';

/** Times are milliseconds, flags 0 or 1, JSON is text: the same on both engines. */
const accounts = [
  // Service-wide values made once, such as the key of keyed hashes.
  'create table service_settings (name text primary key, value text not null)',

  `create table accounts (
    id text primary key,
    parent_id text references accounts (id),
    name text,
    tier text not null,
    status text not null,
    email text,
    recovery_email text,
    operator_email text,
    capabilities text not null,
    allowed_scopes text,
    created_at integer not null)`,
  'create index accounts_by_parent on accounts (parent_id) where parent_id is not null',
  'create index accounts_by_email on accounts (email) where email is not null',
  'create index accounts_by_recovery_email on accounts (recovery_email) where recovery_email is not null',
  'create index accounts_by_operator_email on accounts (operator_email) where operator_email is not null',

  `create table api_keys (
    hash text primary key,
    account_id text not null references accounts (id),
    kind text not null,
    status text not null,
    prefix text not null,
    label text,
    created_at integer not null,
    activated_at integer,
    revoked_at integer)`,
  'create index api_keys_by_account on api_keys (account_id, created_at)',
  // One key of each live status an account: the race for the backup has one winner here.
  `create unique index api_keys_live on api_keys (account_id, status) where status <> 'revoked'`,

  `create table sessions (
    hash text primary key,
    account_id text not null references accounts (id),
    email text not null,
    operator integer not null,
    created_at integer not null,
    expires_at integer not null)`,
  'create index sessions_by_expiry on sessions (expires_at)',
  'create index sessions_by_account on sessions (account_id)',

  `create table magic_links (
    hash text primary key,
    account_id text not null references accounts (id),
    email text not null,
    operator integer not null,
    created_at integer not null,
    expires_at integer not null,
    used_at integer)`,
  'create index magic_links_by_expiry on magic_links (expires_at)',
  'create index magic_links_by_account on magic_links (account_id)',
];

const limits = [
  'create table request_meters (account_id text not null, day text not null, used integer not null, primary key (account_id, day)) clustered',
  'create index request_meters_by_day on request_meters (day)',
  // Hits are a JSON array of milliseconds, never longer than the limit (base/sliding-window.ts).
  'create table rate_windows (bucket text primary key, hits text not null, expires_at integer not null) clustered',
  'create index rate_windows_by_expiry on rate_windows (expires_at)',
  `create table quota_counters (
    account_id text not null,
    metric text not null,
    period_start integer not null,
    used integer not null,
    primary key (account_id, metric, period_start)) clustered`,
  'create index quota_counters_by_period on quota_counters (period_start)',
];

const records = [
  `create table idempotency_keys (
    scope text not null,
    idempotency_key text not null,
    fingerprint text not null,
    status integer,
    body text,
    expires_at integer not null,
    primary key (scope, idempotency_key)) clustered`,
  'create index idempotency_keys_by_expiry on idempotency_keys (expires_at)',

  'create table audit_chains (account_id text primary key, last_seq integer not null, last_hash text not null) clustered',
  // These two tables only grow, and every account appends to them. They are not clustered, so that the rows of all accounts
  // go to the last page. If they were clustered, each append would dirty a different page, and the commit would write
  // twice as much.
  `create table audit_entries (
    account_id text not null,
    seq integer not null,
    entry text not null,
    action text not null,
    created_at integer not null,
    prev_hash text not null,
    hash text not null,
    primary key (account_id, seq))`,

  'create table event_heads (account_id text primary key, last_seq integer not null) clustered',
  `create table events (
    account_id text not null,
    seq integer not null,
    type text not null,
    data text not null,
    created_at integer not null,
    primary key (account_id, seq))`,
  'create index events_by_age on events (created_at)',

  `create table jobs (
    id text primary key,
    lane text not null,
    kind text not null,
    payload text not null,
    attempts integer not null,
    run_at integer not null,
    lease_until integer not null,
    last_error text,
    created_at integer not null)`,
  'create index jobs_due on jobs (lane, run_at)',
  'create index jobs_by_time on jobs (run_at)',
];

const mail = [
  `create table addresses (
    address text primary key,
    account_id text not null references accounts (id),
    public_key text,
    total integer not null,
    unread integer not null,
    created_at integer not null)`,
  'create index addresses_by_account on addresses (account_id, created_at)',

  `create table address_counts (account_id text primary key, used integer not null) clustered`,

  // What a mail says, once, however many of our recipients hold a copy. state: pending (raw alone) | parsed | failed.
  `create table mail_contents (
    id text primary key,
    state text not null,
    raw blob not null,
    size_bytes integer not null,
    text_body text,
    html_body text,
    copies integer not null,
    parse_attempts integer not null,
    parse_lease_until integer not null,
    problem text,
    created_at integer not null)`,
  `create index mail_contents_pending on mail_contents (parse_lease_until) where state = 'pending'`,

  `create table attachments (
    content_id text not null references mail_contents (id) on delete cascade,
    n integer not null,
    filename text,
    content_type text not null,
    content_id_header text,
    size_bytes integer not null,
    content blob not null,
    primary key (content_id, n))`,

  `create table threads (
    id text primary key,
    account_id text not null references accounts (id),
    address text not null,
    subject text not null,
    messages integer not null,
    unread integer not null,
    created_at integer not null,
    last_message_at integer not null)`,
  'create index threads_by_address on threads (address, last_message_at, id)',

  // A copy of a mail in one inbox.
  `create table messages (
    id text primary key,
    account_id text not null references accounts (id),
    address text not null references addresses (address),
    content_id text not null references mail_contents (id),
    thread_id text references threads (id),
    rfc_message_id text,
    from_address text not null,
    from_name text,
    envelope_from text not null,
    recipients text not null,
    subject text not null,
    snippet text not null,
    in_reply_to text,
    reference_ids text not null,
    sent_at text,
    auth text not null,
    encryption text,
    attachments integer not null,
    size_bytes integer not null,
    is_read integer not null,
    is_archived integer not null,
    visible integer not null,
    received_at integer not null)`,
  'create index messages_inbox on messages (address, is_archived, id)',
  'create index messages_by_rfc_id on messages (address, rfc_message_id, id) where rfc_message_id is not null',
  'create index messages_by_thread on messages (thread_id, id)',
  'create index messages_by_content on messages (content_id)',
  'create index messages_hidden on messages (address) where visible = 0',

  `create table outbox (
    id text primary key,
    account_id text not null references accounts (id),
    address text not null,
    content_id text,
    thread_id text references threads (id),
    rfc_message_id text not null,
    recipients text not null,
    external_recipients text not null,
    subject text not null,
    status text not null,
    provider text not null,
    provider_id text,
    error text,
    queued_at integer not null,
    sent_at integer)`,
  'create index outbox_by_account on outbox (account_id, id)',
  'create index outbox_by_rfc_id on outbox (rfc_message_id)',
];

/** Accounts, keys, login, limits, audit, events, jobs, and the whole data model of mail. */
export const migration: Migration = {
  id: '0001-foundation',
  statements: [...accounts, ...limits, ...records, ...mail],
};
