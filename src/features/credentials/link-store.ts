import { tables } from '../../db/statement.ts';
import type { RowOf } from '../../kernel/column-map.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import { CREDENTIAL_LINKS, type CredentialLink } from './request-data.ts';

type Row = RowOf<typeof CREDENTIAL_LINKS>;

const sql = tables<{ credential_links: Row }>();

const insertRow = sql((q, p: Row) => q.insertInto('credential_links').values(CREDENTIAL_LINKS.values(p)));

const byHash = sql((q, p: { hash: string; now: number }) =>
  q
    .selectFrom('credential_links')
    .select(CREDENTIAL_LINKS.names)
    .where('hash', '=', p.hash)
    .where('expires_at', '>', p.now),
);

const deleteExpired = sql((q, p: { now: number }) => q.deleteFrom('credential_links').where('expires_at', '<=', p.now));

export const insertLink = async (tx: Tx, link: CredentialLink): Promise<void> =>
  void (await tx.run(insertRow, CREDENTIAL_LINKS.toRow(link)));

export async function findLink(reader: Reader, hash: string, now: number): Promise<CredentialLink | null> {
  const row = await reader.first(byHash, { hash, now });
  return row ? CREDENTIAL_LINKS.fromRow(row) : null;
}

export const purgeLinks = (tx: Tx, now: number): Promise<number> => tx.run(deleteExpired, { now });
