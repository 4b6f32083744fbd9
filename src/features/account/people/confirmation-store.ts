import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { PERSON_LINKS, PERSON_REFUSALS, type PersonLink } from './confirmation-table.ts';

type LinkRow = RowOf<typeof PERSON_LINKS>;
type RefusalRow = RowOf<typeof PERSON_REFUSALS>;

const sql = tables<{ person_links: LinkRow; person_refusals: RefusalRow }>();

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
const ofPerson = sql((q, p: { person_id: string }) =>
  q.selectFrom('person_links').select(PERSON_LINKS.names).where('person_id', '=', p.person_id),
);
const deleteLink = sql((q, p: { person_id: string }) =>
  q.deleteFrom('person_links').where('person_id', '=', p.person_id),
);
const deleteExpired = sql((q, p: { now: number }) => q.deleteFrom('person_links').where('expires_at', '<=', p.now));

const insertRefusal = sql((q, p: RefusalRow) =>
  q
    .insertInto('person_refusals')
    .values(PERSON_REFUSALS.values(p))
    .onConflict((conflict) => conflict.doNothing()),
);
const refusalOf = sql((q, p: { account_id: string; address: string }) =>
  q
    .selectFrom('person_refusals')
    .select('refused_at')
    .where('account_id', '=', p.account_id)
    .where('address', '=', p.address),
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

/** Finds the link of an address, expired or not. */
export async function linkOfPerson(reader: Reader, personId: string): Promise<PersonLink | null> {
  const row = await reader.first(ofPerson, { person_id: personId });
  return row ? PERSON_LINKS.fromRow(row) : null;
}

export const dropLink = async (tx: Tx, personId: string): Promise<void> =>
  void (await tx.run(deleteLink, { person_id: personId }));

export const purgePersonLinks = (tx: Tx, now: number): Promise<number> => tx.run(deleteExpired, { now });

export const saveRefusal = async (tx: Tx, accountId: string, address: string, refusedAt: number): Promise<void> =>
  void (await tx.run(insertRefusal, { account_id: accountId, address, refused_at: refusedAt }));

export const isRefused = async (reader: Reader, accountId: string, address: string): Promise<boolean> =>
  (await reader.first(refusalOf, { account_id: accountId, address })) !== undefined;

/** Counts the refusals of an account after a time, up to `most`. */
export const countRefusals = async (reader: Reader, accountId: string, after: number, most: number): Promise<number> =>
  (await reader.all(refusalsSince, { account_id: accountId, after, limit: most })).length;
