import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { OAUTH_CLIENTS, type RegisteredClient } from './grant-table.ts';

type Row = RowOf<typeof OAUTH_CLIENTS>;

const sql = tables<{ oauth_clients: Row }>();

const insertRow = sql((q, p: Row) => q.insertInto('oauth_clients').values(OAUTH_CLIENTS.values(p)));
const byId = sql((q, p: { id: string }) =>
  q.selectFrom('oauth_clients').select(OAUTH_CLIENTS.names).where('id', '=', p.id),
);
const setKept = sql((q, p: { id: string }) =>
  q.updateTable('oauth_clients').set({ expires_at: null }).where('id', '=', p.id),
);
const deleteExpired = sql((q, p: { now: number }) => q.deleteFrom('oauth_clients').where('expires_at', '<=', p.now));

export const insertClient = async (tx: Tx, client: RegisteredClient): Promise<void> =>
  void (await tx.run(insertRow, OAUTH_CLIENTS.toRow(client)));

export async function findRegistered(reader: Reader, id: string): Promise<RegisteredClient | null> {
  const row = await reader.first(byId, { id });
  return row ? OAUTH_CLIENTS.fromRow(row) : null;
}

/** Keeps a client, because a person let it act. @returns false when it is forgotten */
export const keepClient = async (tx: Tx, id: string): Promise<boolean> => (await tx.run(setKept, { id })) === 1;

export const purgeClients = (tx: Tx, now: number): Promise<number> => tx.run(deleteExpired, { now });
