import type { Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { OAUTH_CLIENTS } from './grant-table.ts';

export const insertClient = OAUTH_CLIENTS.insert();
export const findRegistered = OAUTH_CLIENTS.find();
const setExpiry = OAUTH_CLIENTS.patch(['expiresAt']);

const sql = tables<{ oauth_clients: RowOf<typeof OAUTH_CLIENTS> }>();

const deleteExpired = sql((q, p: { now: number }) => q.deleteFrom('oauth_clients').where('expires_at', '<=', p.now));

/** Keeps a client, because a person let it act. @returns false when it is forgotten */
export const keepClient = (tx: Tx, id: string): Promise<boolean> => setExpiry(tx, { id, expiresAt: null });

export const purgeClients = (tx: Tx, now: number): Promise<number> => tx.run(deleteExpired, { now });
