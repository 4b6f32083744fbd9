import { tables } from '../../db/statement.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';

interface Row {
  jti: string;
  account_id: string;
  kid: string;
  audience: string;
  scopes: string;
  issued_at: number;
  expires_at: number;
  revoked_at: number | null;
}

/** A token that was issued; never the token itself. */
export interface IssuedToken {
  jti: string;
  accountId: string;
  kid: string;
  audience: string;
  scopes: string[];
  /** Milliseconds, whole seconds. */
  issuedAt: number;
  expiresAt: number;
  revokedAt: number | null;
}

const sql = tables<{ agent_tokens: Row }>();

const insertRow = sql((q, p: Omit<Row, 'revoked_at'>) =>
  q.insertInto('agent_tokens').values({
    jti: p.jti,
    account_id: p.account_id,
    kid: p.kid,
    audience: p.audience,
    scopes: p.scopes,
    issued_at: p.issued_at,
    expires_at: p.expires_at,
    revoked_at: null,
  }),
);

const byJti = sql((q, p: { jti: string }) => q.selectFrom('agent_tokens').selectAll().where('jti', '=', p.jti));

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
  void (await tx.run(insertRow, {
    jti: token.jti,
    account_id: token.accountId,
    kid: token.kid,
    audience: token.audience,
    scopes: JSON.stringify(token.scopes),
    issued_at: token.issuedAt,
    expires_at: token.expiresAt,
  }));

export async function findToken(reader: Reader, jti: string): Promise<IssuedToken | null> {
  const row = await reader.first(byJti, { jti });
  if (!row) return null;
  return {
    jti: row.jti,
    accountId: row.account_id,
    kid: row.kid,
    audience: row.audience,
    scopes: JSON.parse(row.scopes) as string[],
    issuedAt: row.issued_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  };
}

/** @returns false when it was revoked before, or is not the account's */
export const markRevoked = async (tx: Tx, jti: string, accountId: string, now: number): Promise<boolean> =>
  (await tx.run(revokeRow, { jti, account_id: accountId, now })) === 1;

/** When the last token of a key ends; 0 when it signed none. */
export const lastExpiryOf = async (reader: Reader, kid: string): Promise<number> =>
  (await reader.first(lastOfKey, { kid }))?.expires_at ?? 0;
