import type { Migration } from '../migration-sql.ts';

/** The line of rotations of each key, an id for each session, lists of tokens, and signing keys that were revoked. */
export const migration: Migration = {
  id: '0020-revoking',
  statements: [
    'alter table api_keys add column lineage text',
    'alter table sessions add column id text',
    // Sessions last a day. Part of the hash of a random token is unique and tells nothing about the token.
    `update sessions set id = 'ses_' || substr(hash, 1, 26)`,
    'create unique index sessions_by_id on sessions (account_id, id)',
    'drop index sessions_by_account',

    'create index agent_tokens_by_account on agent_tokens (account_id, jti)',
    'create index agent_tokens_revoked on agent_tokens (account_id, jti) where revoked_at is not null',
    'alter table signing_keys add column revoked_at integer',
  ],
};
