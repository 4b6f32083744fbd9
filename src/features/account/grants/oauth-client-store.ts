import type { Tx } from '../../../api/transaction.ts';
import { OAUTH_CLIENTS } from './grant-table.ts';

export const insertClient = OAUTH_CLIENTS.insert();
export const findRegistered = OAUTH_CLIENTS.find();
export const purgeClients = OAUTH_CLIENTS.purge('expiresAt');
const setExpiry = OAUTH_CLIENTS.patch(['expiresAt']);

/** Keeps a client, because a person let it act. @returns false when it is forgotten */
export const keepClient = (tx: Tx, id: string): Promise<boolean> => setExpiry(tx, { id, expiresAt: null });
