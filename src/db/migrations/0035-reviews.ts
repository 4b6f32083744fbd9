import type { Migration } from '../migration-sql.ts';

/** Outgoing mail that waits for an operator. */
export const migration: Migration = {
  id: '0035-reviews',
  statements: [
    `create table reviews (
      id text primary key,
      account_id text not null references accounts (id),
      outbox_id text not null,
      address text not null,
      recipients text not null,
      subject text not null,
      reason text not null,
      secrets text not null,
      held text not null,
      payment text,
      status text not null,
      created_at integer not null,
      expires_at integer not null,
      resolved_at integer,
      resolved_by text,
      comment text)`,
    'create index reviews_by_account on reviews (account_id, id)',
    'create index reviews_by_status on reviews (account_id, status, id)',
    'create unique index reviews_by_outbox on reviews (outbox_id)',
    "create index reviews_pending on reviews (account_id, expires_at) where status = 'pending'",
    `create table review_tokens (
      hash text primary key,
      review_id text not null references reviews (id),
      email text not null,
      expires_at integer not null)`,
    'create index review_tokens_by_review on review_tokens (review_id)',
    'create index review_tokens_by_expiry on review_tokens (expires_at)',
  ],
};
