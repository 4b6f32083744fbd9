import { tables } from '../../db/statement.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';

interface Row {
  account_id: string;
  seq: number;
  hash: string;
  kid: string;
  signature: string;
  sealed_at: number;
}

/** A signature over a chain as it was when `seq` was its last entry. */
export interface Seal {
  seq: number;
  /** SHA-256 of that entry, hex. */
  hash: string;
  kid: string;
  /** Ed25519, base64url. */
  signature: string;
  sealedAt: number;
}

const sql = tables<{ audit_seals: Row }>();

const insertRow = sql((q, p: Row) =>
  q
    .insertInto('audit_seals')
    .values({
      account_id: p.account_id,
      seq: p.seq,
      hash: p.hash,
      kid: p.kid,
      signature: p.signature,
      sealed_at: p.sealed_at,
    })
    // Another instance was faster.
    .onConflict((conflict) => conflict.doNothing()),
);

const after = sql((q, p: { account_id: string; seq: number; limit: number }) =>
  q
    .selectFrom('audit_seals')
    .selectAll()
    .where('account_id', '=', p.account_id)
    .where('seq', '>', p.seq)
    .orderBy('seq')
    .limit(p.limit),
);

export const insertSeal = async (tx: Tx, accountId: string, seal: Seal): Promise<void> =>
  void (await tx.run(insertRow, {
    account_id: accountId,
    seq: seal.seq,
    hash: seal.hash,
    kid: seal.kid,
    signature: seal.signature,
    sealed_at: seal.sealedAt,
  }));

/** Oldest first. */
export const listSeals = async (reader: Reader, accountId: string, seq: number, limit: number): Promise<Seal[]> =>
  (await reader.all(after, { account_id: accountId, seq, limit })).map((row) => ({
    seq: row.seq,
    hash: row.hash,
    kid: row.kid,
    signature: row.signature,
    sealedAt: row.sealed_at,
  }));

const lastOf = sql((q, p: { account_id: string }) =>
  q.selectFrom('audit_seals').select('seq').where('account_id', '=', p.account_id).orderBy('seq', 'desc').limit(1),
);

/** The entry of the newest seal; 0 for none. */
export const lastSealed = async (reader: Reader, accountId: string): Promise<number> =>
  (await reader.first(lastOf, { account_id: accountId }))?.seq ?? 0;
