import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { LOGIN_LINKS, type LoginLink } from './login-table.ts';

type Row = RowOf<typeof LOGIN_LINKS>;

const sql = tables<{ magic_links: Row }>();

const insertRow = sql((q, p: Row) => q.insertInto('magic_links').values(LOGIN_LINKS.values(p)));

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

const byHash = sql((q, p: { hash: string }) =>
  q.selectFrom('magic_links').select('account_id').where('hash', '=', p.hash),
);

const revokeAgents = sql((q, p: { account_id: string }) =>
  q.deleteFrom('magic_links').where('account_id', '=', p.account_id).where('operator', '=', 0),
);
const revokeOf = sql((q, p: { account_id: string; email: string }) =>
  q.deleteFrom('magic_links').where('account_id', '=', p.account_id).where('email', '=', p.email),
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

export const insertLink = async (tx: Tx, link: LoginLink): Promise<void> =>
  void (await tx.run(insertRow, LOGIN_LINKS.toRow(link)));

/** The account that a link is for, used or not. */
export const accountOfLink = async (reader: Reader, hash: string): Promise<string | null> =>
  (await reader.first(byHash, { hash }))?.account_id ?? null;

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

/** Deletes the links of an account, but for those of its operators. */
export const revokeLinks = async (tx: Tx, accountId: string): Promise<void> =>
  void (await tx.run(revokeAgents, { account_id: accountId }));

/** Deletes the links of an address for one account. */
export const revokeLinksOf = async (tx: Tx, accountId: string, email: string): Promise<void> =>
  void (await tx.run(revokeOf, { account_id: accountId, email }));
