import { tables } from '../../db/statement.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';

interface Row {
  scope: string;
  idempotency_key: string;
  fingerprint: string;
  status: number | null;
  body: string | null;
  expires_at: number;
}

const sql = tables<{ idempotency_keys: Row }>();

interface KeyParams {
  scope: string;
  key: string;
}

const replyOf = sql((q, p: KeyParams & { now: number }) =>
  q
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'status', 'body'])
    .where('scope', '=', p.scope)
    .where('idempotency_key', '=', p.key)
    .where('expires_at', '>', p.now),
);

/** An expired key may be taken again; a live one stays with who has it. */
const takeKey = sql((q, p: KeyParams & { fingerprint: string; expires_at: number; now: number }) =>
  q
    .insertInto('idempotency_keys')
    .values({
      scope: p.scope,
      idempotency_key: p.key,
      fingerprint: p.fingerprint,
      status: null,
      body: null,
      expires_at: p.expires_at,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['scope', 'idempotency_key'])
        .doUpdateSet({ fingerprint: p.fingerprint, status: null, body: null, expires_at: p.expires_at })
        .where('idempotency_keys.expires_at', '<=', p.now),
    ),
);

const keepReply = sql((q, p: KeyParams & { status: number; body: string | null }) =>
  q
    .updateTable('idempotency_keys')
    .set({ status: p.status, body: p.body })
    .where('scope', '=', p.scope)
    .where('idempotency_key', '=', p.key),
);

const forgetKey = sql((q, p: KeyParams) =>
  q.deleteFrom('idempotency_keys').where('scope', '=', p.scope).where('idempotency_key', '=', p.key),
);

const forgetExpired = sql((q, p: { now: number }) => q.deleteFrom('idempotency_keys').where('expires_at', '<=', p.now));

export interface KeptReply {
  fingerprint: string;
  status: number | null;
  /** JSON text; null when the reply held a secret. */
  body: string | null;
}

export const findReply = async (
  reader: Reader,
  scope: string,
  key: string,
  now: number,
): Promise<KeptReply | undefined> => reader.first(replyOf, { scope, key, now });

/** @returns false when someone has the key already */
export async function takeIdempotencyKey(
  tx: Tx,
  taking: KeyParams & { fingerprint: string; expiresAt: number; now: number },
): Promise<boolean> {
  const { scope, key, fingerprint, expiresAt, now } = taking;
  return (await tx.run(takeKey, { scope, key, fingerprint, expires_at: expiresAt, now })) === 1;
}

export const storeReply = async (tx: Tx, reply: KeyParams & { status: number; body: string | null }): Promise<void> =>
  void (await tx.run(keepReply, reply));

export const forgetReply = async (tx: Tx, scope: string, key: string): Promise<void> =>
  void (await tx.run(forgetKey, { scope, key }));

export const purgeReplies = (tx: Tx, now: number): Promise<number> => tx.run(forgetExpired, { now });
