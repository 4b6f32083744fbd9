import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { CREDENTIAL_LINKS, type CredentialLink } from './secret-request-table.ts';

export const insertLink = CREDENTIAL_LINKS.insert();

const sql = tables<{ credential_links: RowOf<typeof CREDENTIAL_LINKS> }>();

const byHash = sql((q, p: { hash: string; now: number }) =>
  q
    .selectFrom('credential_links')
    .select(CREDENTIAL_LINKS.names)
    .where('hash', '=', p.hash)
    .where('expires_at', '>', p.now),
);

const deleteExpired = sql((q, p: { now: number }) => q.deleteFrom('credential_links').where('expires_at', '<=', p.now));

export async function findLink(reader: Reader, hash: string, now: number): Promise<CredentialLink | null> {
  const row = await reader.first(byHash, { hash, now });
  return row ? CREDENTIAL_LINKS.fromRow(row) : null;
}

export const purgeLinks = (tx: Tx, now: number): Promise<number> => tx.run(deleteExpired, { now });
