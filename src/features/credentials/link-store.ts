import { tables } from '../../db/statement.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';

interface Row {
  hash: string;
  request_id: string;
  operator_id: string;
  email: string;
  expires_at: number;
}

/** A mailed link: proves that whoever has it reads the operator's mail. */
export interface CredentialLink {
  hash: string;
  requestId: string;
  operatorId: string;
  /** The operator's address when it was mailed; once that changes, the link is void. */
  email: string;
  expiresAt: number;
}

const sql = tables<{ credential_links: Row }>();

const insertRow = sql((q, p: Row) =>
  q.insertInto('credential_links').values({
    hash: p.hash,
    request_id: p.request_id,
    operator_id: p.operator_id,
    email: p.email,
    expires_at: p.expires_at,
  }),
);
const byHash = sql((q, p: { hash: string; now: number }) =>
  q.selectFrom('credential_links').selectAll().where('hash', '=', p.hash).where('expires_at', '>', p.now),
);
const forgetExpired = sql((q, p: { now: number }) => q.deleteFrom('credential_links').where('expires_at', '<=', p.now));

export const insertLink = async (
  tx: Tx,
  { hash, requestId, operatorId, email, expiresAt }: CredentialLink,
): Promise<void> =>
  void (await tx.run(insertRow, {
    hash,
    request_id: requestId,
    operator_id: operatorId,
    email,
    expires_at: expiresAt,
  }));

export async function findLink(reader: Reader, hash: string, now: number): Promise<CredentialLink | null> {
  const row = await reader.first(byHash, { hash, now });
  return row
    ? { hash, requestId: row.request_id, operatorId: row.operator_id, email: row.email, expiresAt: row.expires_at }
    : null;
}

export const purgeLinks = (tx: Tx, now: number): Promise<number> => tx.run(forgetExpired, { now });
