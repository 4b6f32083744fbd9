import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { PERSON_LINKS, PERSON_REFUSALS, type PersonLink } from './confirmation-table.ts';

/** Finds the link of an address, expired or not. */
export const linkOfPerson = PERSON_LINKS.find();
export const dropLink = PERSON_LINKS.remove();
const findRefusal = PERSON_REFUSALS.find();

type LinkRow = RowOf<typeof PERSON_LINKS>;

const sql = tables<{ person_links: LinkRow; person_refusals: RowOf<typeof PERSON_REFUSALS> }>();

const replaceLink = sql((q, p: LinkRow) =>
  q
    .insertInto('person_links')
    .values(PERSON_LINKS.values(p))
    .onConflict((conflict) =>
      conflict.column('person_id').doUpdateSet((eb) => ({
        hash: eb.ref('excluded.hash'),
        authority: eb.ref('excluded.authority'),
        expires_at: eb.ref('excluded.expires_at'),
      })),
    ),
);
const byHash = sql((q, p: { hash: string; now: number }) =>
  q.selectFrom('person_links').select(PERSON_LINKS.names).where('hash', '=', p.hash).where('expires_at', '>', p.now),
);
const deleteExpired = sql((q, p: { now: number }) => q.deleteFrom('person_links').where('expires_at', '<=', p.now));

const insertRefusal = sql((q, p: RowOf<typeof PERSON_REFUSALS>) =>
  q
    .insertInto('person_refusals')
    .values(PERSON_REFUSALS.values(p))
    .onConflict((conflict) => conflict.doNothing()),
);
const refusalsSince = sql((q, p: { account_id: string; after: number; limit: number }) =>
  q
    .selectFrom('person_refusals')
    .select('refused_at')
    .where('account_id', '=', p.account_id)
    .where('refused_at', '>', p.after)
    .limit(p.limit),
);

/** Stores the link of an address. It replaces the link before. */
export const saveLink = async (tx: Tx, link: PersonLink): Promise<void> =>
  void (await tx.run(replaceLink, PERSON_LINKS.toRow(link)));

/** Finds a link that has not expired. */
export async function findLink(reader: Reader, hash: string, now: number): Promise<PersonLink | null> {
  const row = await reader.first(byHash, { hash, now });
  return row ? PERSON_LINKS.fromRow(row) : null;
}

export const purgePersonLinks = (tx: Tx, now: number): Promise<number> => tx.run(deleteExpired, { now });

export const saveRefusal = async (tx: Tx, accountId: string, address: string, refusedAt: number): Promise<void> =>
  void (await tx.run(insertRefusal, { account_id: accountId, address, refused_at: refusedAt }));

export const isRefused = async (reader: Reader, accountId: string, address: string): Promise<boolean> =>
  (await findRefusal(reader, accountId, address)) !== null;

/** Counts the refusals of an account after a time, up to `most`. */
export const countRefusals = async (reader: Reader, accountId: string, after: number, most: number): Promise<number> =>
  (await reader.all(refusalsSince, { account_id: accountId, after, limit: most })).length;
