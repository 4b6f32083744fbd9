import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { LOGIN_LINKS, type LoginLink } from './login-table.ts';

export const insertLink = LOGIN_LINKS.insert();
const findLink = LOGIN_LINKS.find();
/** Deletes the links of an account, but for those of its operators. */
export const revokeLinks = LOGIN_LINKS.remove(['accountId'], { operator: false });
/** Deletes the links of an address for one account. */
export const revokeLinksOf = LOGIN_LINKS.remove(['accountId', 'email']);

const sql = tables<{ magic_links: RowOf<typeof LOGIN_LINKS> }>();

/** Checks and uses a link in one statement, so that one of several parallel calls gets the row. */
const useLink = sql((q, p: { hash: string; now: number }) =>
  q
    .updateTable('magic_links')
    .set({ used_at: p.now })
    .where('hash', '=', p.hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', p.now)
    .returning(['account_id', 'email', 'operator']),
);

/** Unused links of an account; those of its operator too if `all` is 1. */
const endUnused = sql((q, p: { account_id: string; all: number; now: number }) =>
  q
    .deleteFrom('magic_links')
    .where('account_id', '=', p.account_id)
    .where('operator', '<=', p.all)
    .where('used_at', 'is', null)
    .where('expires_at', '>', p.now),
);

const forgetExpired = sql((q, p: { now: number }) => q.deleteFrom('magic_links').where('expires_at', '<=', p.now));

/** The account that a link is for, used or not. */
export const accountOfLink = async (reader: Reader, hash: string): Promise<string | null> =>
  (await findLink(reader, hash))?.accountId ?? null;

/** Uses a link. @returns what it opens, or null when it is unknown, used or expired */
export async function takeLink(
  tx: Tx,
  hash: string,
  now: number,
): Promise<Pick<LoginLink, 'accountId' | 'email' | 'operator'> | null> {
  const row = await tx.first(useLink, { hash, now });
  return row ? { accountId: row.account_id, email: row.email, operator: row.operator === 1 } : null;
}

export const purgeLinks = (tx: Tx, now: number): Promise<number> => tx.run(forgetExpired, { now });

/** Deletes unused links of an account, and those of its operator if `isWhole`. @returns how many */
export const endLinksOf = (tx: Tx, accountId: string, isWhole: boolean, now: number): Promise<number> =>
  tx.run(endUnused, { account_id: accountId, all: isWhole ? 1 : 0, now });
