import { tables } from '../../db/statement.ts';
import type { RowOf } from '../../kernel/column-map.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import { type IssuedToken, TOKENS } from './token-data.ts';

type Row = RowOf<typeof TOKENS>;

const sql = tables<{ agent_tokens: Row }>();

const insertRow = sql((q, p: Row) => q.insertInto('agent_tokens').values(TOKENS.values(p)));

const byJti = sql((q, p: { jti: string }) =>
  q.selectFrom('agent_tokens').select(TOKENS.names).where('jti', '=', p.jti),
);

const revokeRow = sql((q, p: { jti: string; account_id: string; now: number }) =>
  q
    .updateTable('agent_tokens')
    .set({ revoked_at: p.now })
    .where('jti', '=', p.jti)
    .where('account_id', '=', p.account_id)
    .where('revoked_at', 'is', null),
);

const lastOfKey = sql((q, p: { kid: string }) =>
  q.selectFrom('agent_tokens').select('expires_at').where('kid', '=', p.kid).orderBy('expires_at', 'desc').limit(1),
);

export const insertToken = async (tx: Tx, token: IssuedToken): Promise<void> =>
  void (await tx.run(insertRow, TOKENS.toRow(token)));

export async function findToken(reader: Reader, jti: string): Promise<IssuedToken | null> {
  const row = await reader.first(byJti, { jti });
  return row ? TOKENS.fromRow(row) : null;
}

/** @returns false when the token was already revoked or belongs to another account */
export const markRevoked = async (tx: Tx, jti: string, accountId: string, now: number): Promise<boolean> =>
  (await tx.run(revokeRow, { jti, account_id: accountId, now })) === 1;

/** Returns when the last token of a key expires, or 0 when the key signed none. */
export const lastExpiryOf = async (reader: Reader, kid: string): Promise<number> =>
  (await reader.first(lastOfKey, { kid }))?.expires_at ?? 0;
