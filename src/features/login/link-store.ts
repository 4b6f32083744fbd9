import { tables } from '../../db/statement.ts';
import type { Tx } from '../../kernel/transaction.ts';

interface Row {
  hash: string;
  account_id: string;
  email: string;
  operator: number;
  created_at: number;
  expires_at: number;
  used_at: number | null;
}

export interface LoginLink {
  hash: string;
  accountId: string;
  email: string;
  operator: boolean;
}

const sql = tables<{ magic_links: Row }>();

const insertRow = sql((q, p: Omit<Row, 'used_at'>) =>
  q.insertInto('magic_links').values({
    hash: p.hash,
    account_id: p.account_id,
    email: p.email,
    operator: p.operator,
    created_at: p.created_at,
    expires_at: p.expires_at,
    used_at: null,
  }),
);

/** Check and use in one statement: of any number of parallel uses one gets the row. */
const useLink = sql((q, p: { hash: string; now: number }) =>
  q
    .updateTable('magic_links')
    .set({ used_at: p.now })
    .where('hash', '=', p.hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', p.now)
    .returning(['account_id', 'email', 'operator']),
);

const revokeAll = sql((q, p: { account_id: string }) =>
  q.deleteFrom('magic_links').where('account_id', '=', p.account_id),
);

const forgetExpired = sql((q, p: { now: number }) => q.deleteFrom('magic_links').where('expires_at', '<=', p.now));

export const insertLink = async (tx: Tx, link: LoginLink & { createdAt: number; expiresAt: number }): Promise<void> =>
  void (await tx.run(insertRow, {
    hash: link.hash,
    account_id: link.accountId,
    email: link.email,
    operator: link.operator ? 1 : 0,
    created_at: link.createdAt,
    expires_at: link.expiresAt,
  }));

/** @returns whose link it was, or null when it is unknown, used or expired */
export async function takeLink(tx: Tx, hash: string, now: number): Promise<Omit<LoginLink, 'hash'> | null> {
  const row = await tx.first(useLink, { hash, now });
  return row ? { accountId: row.account_id, email: row.email, operator: row.operator === 1 } : null;
}

export const purgeLinks = (tx: Tx, now: number): Promise<number> => tx.run(forgetExpired, { now });

/** Links of an account that were mailed and not used yet. */
export const revokeLinks = async (tx: Tx, accountId: string): Promise<void> =>
  void (await tx.run(revokeAll, { account_id: accountId }));
