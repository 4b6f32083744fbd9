import { sql as raw } from 'kysely';
import type { Tx } from '../../../api/transaction.ts';
import type { RecordOf, RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { type LinkKind, MAILED_LINKS } from './mailed-link-table.ts';

type Row = RowOf<typeof MAILED_LINKS>;
type Link = RecordOf<typeof MAILED_LINKS>;

export const findByHash = MAILED_LINKS.find();
export const findBySubject = MAILED_LINKS.find(['kind', 'subject']);
export const removeBySubject = MAILED_LINKS.remove(['kind', 'subject']);
/** Deletes the login links of an account, but for those of its operators, which have a detail. */
export const endPlainLoginLinks = MAILED_LINKS.remove(['accountId'], { kind: 'login', detail: null });
/** Deletes the login links of an address for one account. */
export const endLoginLinksOf = MAILED_LINKS.remove(['accountId', 'email'], { kind: 'login' });
export const purgeLinks = MAILED_LINKS.purge('expiresAt');

const sql = tables<{ mailed_links: Row }>();

/** The confirmation of a person replaces the one before, and keeps the answer that it proposed if it proposes none. */
const insertOrReplace = sql((q, p: Row) =>
  q
    .insertInto('mailed_links')
    .values(MAILED_LINKS.values(p))
    .onConflict((conflict) =>
      conflict
        .column('subject')
        // A literal: with a parameter PostgreSQL does not see which index is meant.
        .where('kind', '=', raw.lit<LinkKind>('confirmation'))
        .doUpdateSet((eb) => ({
          hash: eb.ref('excluded.hash'),
          detail: eb.fn.coalesce('excluded.detail', 'mailed_links.detail'),
          expires_at: eb.ref('excluded.expires_at'),
        })),
    ),
);

/** Checks and uses a link in one statement, so that one of several parallel calls gets the row. */
const use = sql((q, p: { kind: LinkKind; hash: string; now: number }) =>
  q
    .updateTable('mailed_links')
    .set({ used_at: p.now })
    .where('kind', '=', p.kind)
    .where('hash', '=', p.hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', p.now)
    .returning(MAILED_LINKS.names),
);

/** Unused login links of an account; those of its operators too if `all` is 1. */
const endUnusedLogins = sql((q, p: { account_id: string; all: number; now: number }) =>
  q
    .deleteFrom('mailed_links')
    .where('account_id', '=', p.account_id)
    .where('kind', '=', 'login')
    .where((eb) => eb.or([eb('detail', 'is', null), eb(eb.val(p.all), '=', 1)]))
    .where('used_at', 'is', null)
    .where('expires_at', '>', p.now),
);

export const saveLink = async (tx: Tx, link: Link): Promise<void> =>
  void (await tx.run(insertOrReplace, MAILED_LINKS.toRow(link)));

/** Uses a link. @returns null when it is unknown, used or expired */
export async function useLink(tx: Tx, kind: LinkKind, hash: string, now: number): Promise<Link | null> {
  const row = await tx.first(use, { kind, hash, now });
  return row ? MAILED_LINKS.fromRow(row) : null;
}

/** Deletes unused login links of an account, and those of its operators if `isWhole`. @returns how many */
export const endLoginLinks = (tx: Tx, accountId: string, isWhole: boolean, now: number): Promise<number> =>
  tx.run(endUnusedLogins, { account_id: accountId, all: isWhole ? 1 : 0, now });
