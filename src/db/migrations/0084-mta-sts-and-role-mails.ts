import type { Migration } from '../migration-sql.ts';

/** What domains want of TLS (RFC 8461), and the mail to postmaster and abuse that is not forwarded. */
export const migration: Migration = {
  id: '0084-mta-sts-and-role-mails',
  statements: [
    `create table mta_sts_policies (
      domain text primary key,
      policy text not null,
      fetched_at integer not null,
      expires_at integer not null) clustered`,
    'create index mta_sts_policies_by_expiry on mta_sts_policies (expires_at)',
    `create table role_mails (
      id text primary key,
      content_id text not null,
      recipient text not null,
      envelope_from text not null,
      reason text not null,
      size_bytes integer not null,
      kept_at integer not null)`,
  ],
};
