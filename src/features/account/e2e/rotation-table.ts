import { column, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

/** The encryption of an account: the key of all its addresses, and who may replace that key. */
export const ACCOUNT_ENCRYPTION = table(
  'e2e_accounts',
  {
    accountId: column.text('account_id'),
    /** SHA-256 of the master seed, hex. */
    seedHash: column.text('seed_hash'),
    /** X25519, base64url. */
    publicKey: column.text('public_key'),
    updatedAt: column.integer('updated_at'),
  },
  { key: ['accountId'], account: ['accountId'], erase: 'delete' },
);

/** The public keys that an account has had. */
export const KEY_HISTORY = table(
  'e2e_keys',
  {
    accountId: column.text('account_id'),
    publicKey: column.text('public_key'),
    /** 1 for the first key of the account. */
    n: column.integer('n'),
    createdAt: column.integer('created_at'),
    /** Set in the account's first hour, by a session of an old address, or with the seed of an old key. */
    trustedFromStart: column.flag('born_old'),
  },
  { key: ['accountId', 'publicKey'], account: ['accountId'], erase: 'delete' },
);
export type HistoryKey = RecordOf<typeof KEY_HISTORY>;
