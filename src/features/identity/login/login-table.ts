import type { SessionMethod } from '../../../api/principal.ts';
import { column, exported, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

export const SESSIONS = table(
  'sessions',
  {
    id: exported.text('id'),
    /** SHA-256 of the session token. The token itself is not stored. */
    hash: column.text('hash'),
    /** The account that the login link named. An operator session can select others. */
    accountId: exported.text('account_id'),
    /** The address whose link opened the session. Empty for one that a key opened. */
    email: exported.text('email'),
    operator: exported.flag('operator'),
    method: exported.enum<SessionMethod | 'key'>()('method'),
    /** The hash of the key that opened the session, and that it ends with. Null: a person opened it. */
    keyHash: column.text('key_hash').orNull(),
    createdAt: exported.integer('created_at'),
    expiresAt: exported.integer('expires_at'),
  },
  { key: ['hash'], account: ['accountId'], erase: 'delete', expires: 'expiresAt' },
);
export type Session = RecordOf<typeof SESSIONS>;

/** An account that an operator session selected, or may no longer act for. */
export const SESSION_ACCOUNTS = table(
  'session_accounts',
  {
    accountId: column.text('account_id'),
    sessionHash: column.text('session_hash'),
    /** When it first acted for the account. */
    selectedAt: column.integer('selected_at'),
    /** When the account ended it. The session goes on for the person's other accounts. Null: it may act. */
    endedAt: column.integer('ended_at').orNull(),
    /** When the session ends. */
    expiresAt: column.integer('expires_at'),
  },
  { key: ['accountId', 'sessionHash'], account: ['accountId'], erase: 'delete' },
);

/** The hash of a network, and when the address last logged in there, in milliseconds. */
export type LoginNetwork = [network: string, at: number];

export const LOGIN_NETWORKS = table(
  'login_networks',
  {
    addressHash: column.text('address_hash'),
    networks: column.json<LoginNetwork[]>()('networks'),
    expiresAt: column.integer('expires_at'),
  },
  { key: ['addressHash'], account: [], erase: { by: 'passkey-erasure.ts' } },
);
