import { tables } from '../../db/statement.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import {
  ASSET,
  type HexText,
  NETWORK_CAIP2,
  type Payment,
  type PaymentStatus,
  type X402Version,
} from './payment-data.ts';

interface Row {
  id: string;
  account_id: string;
  status: string;
  version: number;
  network: string;
  asset: string;
  payer: string;
  pay_to: string;
  amount_usdc: number;
  valid_after: string;
  valid_before: string;
  nonce: string;
  signature: string;
  resource: string;
  description: string;
  transaction_hash: string | null;
  attempts: number;
  error: string | null;
  blocks_until: number | null;
  created_at: number;
  settled_at: number | null;
}

const sql = tables<{ payments: Row }>();

const insertRow = sql((q, p: Row) =>
  q
    .insertInto('payments')
    .values({
      id: p.id,
      account_id: p.account_id,
      status: p.status,
      version: p.version,
      network: p.network,
      asset: p.asset,
      payer: p.payer,
      pay_to: p.pay_to,
      amount_usdc: p.amount_usdc,
      valid_after: p.valid_after,
      valid_before: p.valid_before,
      nonce: p.nonce,
      signature: p.signature,
      resource: p.resource,
      description: p.description,
      transaction_hash: p.transaction_hash,
      attempts: p.attempts,
      error: p.error,
      blocks_until: p.blocks_until,
      created_at: p.created_at,
      settled_at: p.settled_at,
    })
    .onConflict((conflict) => conflict.columns(['network', 'asset', 'payer', 'nonce']).doNothing()),
);

const byNonce = sql((q, p: Pick<Row, 'network' | 'asset' | 'payer' | 'nonce'>) =>
  q
    .selectFrom('payments')
    .select('id')
    .where('network', '=', p.network)
    .where('asset', '=', p.asset)
    .where('payer', '=', p.payer)
    .where('nonce', '=', p.nonce),
);

const byId = sql((q, p: { id: string }) => q.selectFrom('payments').selectAll().where('id', '=', p.id));

const page = sql((q, p: { account_id: string; before: string; limit: number }) =>
  q
    .selectFrom('payments')
    .selectAll()
    .where('account_id', '=', p.account_id)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const waiting = sql((q, p: { payer: string; limit: number }) =>
  q.selectFrom('payments').select('id').where('payer', '=', p.payer).where('status', '=', 'pending').limit(p.limit),
);

const blockingAccount = sql((q, p: { account_id: string; now: number }) =>
  q
    .selectFrom('payments')
    .select('blocks_until')
    .where('account_id', '=', p.account_id)
    .where('blocks_until', '>', p.now)
    .limit(1),
);

const blockingPayer = sql((q, p: { payer: string; now: number }) =>
  q
    .selectFrom('payments')
    .select('blocks_until')
    .where('payer', '=', p.payer)
    .where('blocks_until', '>', p.now)
    .limit(1),
);

const countAttempt = sql((q, p: { id: string }) =>
  q
    .updateTable('payments')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', p.id),
);

/** Only a pending payment ends, so that a late answer cannot turn what was settled into a failure. */
const end = sql((q, p: Pick<Row, 'id' | 'status' | 'transaction_hash' | 'error' | 'blocks_until' | 'settled_at'>) =>
  q
    .updateTable('payments')
    .set({
      status: p.status,
      transaction_hash: p.transaction_hash,
      error: p.error,
      blocks_until: p.blocks_until,
      settled_at: p.settled_at,
    })
    .where('id', '=', p.id)
    .where('status', '=', 'pending'),
);

const toPayment = (row: Row): Payment => ({
  id: row.id,
  accountId: row.account_id,
  status: row.status as PaymentStatus,
  version: row.version as X402Version,
  authorization: {
    from: row.payer as HexText,
    to: row.pay_to as HexText,
    value: String(row.amount_usdc),
    validAfter: row.valid_after,
    validBefore: row.valid_before,
    nonce: row.nonce as HexText,
    signature: row.signature as HexText,
  },
  resource: row.resource,
  description: row.description,
  transaction: row.transaction_hash,
  attempts: row.attempts,
  error: row.error,
  createdAt: row.created_at,
  settledAt: row.settled_at,
});

const COIN = { network: NETWORK_CAIP2, asset: ASSET.toLowerCase() } as const;

/** Spends the payment's nonce. @returns false when it is spent already */
export const insertPayment = async (tx: Tx, payment: Payment): Promise<boolean> => {
  const { authorization } = payment;
  const changed = await tx.run(insertRow, {
    ...COIN,
    id: payment.id,
    account_id: payment.accountId,
    status: payment.status,
    version: payment.version,
    payer: authorization.from,
    pay_to: authorization.to,
    amount_usdc: Number(authorization.value),
    valid_after: authorization.validAfter,
    valid_before: authorization.validBefore,
    nonce: authorization.nonce,
    signature: authorization.signature,
    resource: payment.resource,
    description: payment.description,
    transaction_hash: payment.transaction,
    attempts: payment.attempts,
    error: payment.error,
    blocks_until: null,
    created_at: payment.createdAt,
    settled_at: payment.settledAt,
  });
  return changed === 1;
};

export const isSpent = async (reader: Reader, payer: string, nonce: string): Promise<boolean> =>
  (await reader.first(byNonce, { ...COIN, payer, nonce })) !== undefined;

export async function findPayment(reader: Reader, id: string): Promise<Payment | null> {
  const row = await reader.first(byId, { id });
  return row ? toPayment(row) : null;
}

/** Newest first, with ids smaller than `before`. */
export const listPayments = async (
  reader: Reader,
  accountId: string,
  before: string,
  limit: number,
): Promise<Payment[]> => (await reader.all(page, { account_id: accountId, before, limit })).map(toPayment);

/** How many payments of a wallet are not settled yet; counts no further than `atMost`. */
export const countWaiting = async (reader: Reader, payer: string, atMost: number): Promise<number> =>
  (await reader.all(waiting, { payer, limit: atMost })).length;

/** Until when a failed payment of the account or of the wallet keeps either from paying; null for not at all. */
export async function blockedUntil(
  reader: Reader,
  { accountId, payer, now }: { accountId: string; payer: string; now: number },
): Promise<number | null> {
  const row =
    (await reader.first(blockingAccount, { account_id: accountId, now })) ??
    (await reader.first(blockingPayer, { payer, now }));
  return row?.blocks_until ?? null;
}

/** Notes an attempt that settled nothing. */
export const noteAttempt = async (tx: Tx, id: string): Promise<void> => void (await tx.run(countAttempt, { id }));

/** Ends a pending payment. @returns false when it had ended before */
export const endPayment = async (
  tx: Tx,
  id: string,
  outcome: {
    status: 'settled' | 'failed';
    transaction: string | null;
    error: string | null;
    blocksUntil: number | null;
    settledAt: number | null;
  },
): Promise<boolean> =>
  (await tx.run(end, {
    id,
    status: outcome.status,
    transaction_hash: outcome.transaction,
    error: outcome.error,
    blocks_until: outcome.blocksUntil,
    settled_at: outcome.settledAt,
  })) === 1;
