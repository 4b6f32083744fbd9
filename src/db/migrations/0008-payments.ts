import type { Migration } from '../migration-sql.ts';

/** x402 payments: what was spent on what, and whether the money arrived. */
export const migration: Migration = {
  id: '0008-payments',
  statements: [
    `create table payments (
      id text primary key,
      account_id text not null references accounts (id),
      status text not null,
      version integer not null,
      network text not null,
      asset text not null,
      payer text not null,
      pay_to text not null,
      amount_usdc integer not null,
      valid_after text not null,
      valid_before text not null,
      nonce text not null,
      signature text not null,
      resource text not null,
      description text not null,
      transaction_hash text,
      attempts integer not null,
      error text,
      blocks_until integer,
      created_at integer not null,
      settled_at integer)`,
    // An authorization pays once, for any caller and in any encoding. EIP-3009 identifies it by these four columns.
    'create unique index payments_by_nonce on payments (network, asset, payer, nonce)',
    'create index payments_by_account on payments (account_id, id)',
    'create index payments_of_payer on payments (payer, status)',
    // An account or payer whose payment failed after delivery cannot pay again for a while.
    'create index payments_blocking_account on payments (account_id, blocks_until)',
    'create index payments_blocking_payer on payments (payer, blocks_until)',
  ],
};
