import { sql as raw } from 'kysely';
import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { ASSET, NETWORK_CAIP2, PAYMENTS, type Payment, type StoredStatus } from './payment-table.ts';

/** The token that every payment is in. */
export const TOKEN = { network: NETWORK_CAIP2, asset: ASSET.toLowerCase() } as const;

export const findPayment = PAYMENTS.find() as (reader: Reader, id: string) => Promise<Payment | null>;
/**
 * Ends a pending payment only, so that a late answer cannot turn a settled one into a failed one.
 * @returns false when it ended before
 */
export const endPayment = PAYMENTS.patch(['status', 'transaction', 'error', 'blocksUntil', 'settledAt'], {
  status: 'pending',
});
/** Ends the reservation of a nonce. Does nothing to a payment that was taken. */
export const freeNonce = PAYMENTS.remove(['id'], { status: 'reserved' });

const findByNonce = PAYMENTS.find(['network', 'asset', 'payer', 'nonce']);

type Row = RowOf<typeof PAYMENTS>;

const sql = tables<{ payments: Row }>();
const RESERVED = raw.lit<StoredStatus>('reserved');

const page = sql((q, p: { account_id: string; before: string; limit: number }) =>
  q
    .selectFrom('payments')
    .select(PAYMENTS.names)
    .where('account_id', '=', p.account_id)
    .where('id', '<', p.before)
    .where('status', '<>', RESERVED)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const pendingOf = sql((q, p: Pick<Row, 'payer'> & { limit: number }) =>
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

const blockingPayer = sql((q, p: Pick<Row, 'payer'> & { now: number }) =>
  q
    .selectFrom('payments')
    .select('blocks_until')
    .where('payer', '=', p.payer)
    .where('blocks_until', '>', p.now)
    .limit(1),
);

const countOne = sql((q, p: { id: string }) =>
  q
    .updateTable('payments')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', p.id),
);

/** Spends the payment's nonce. @returns false when it was spent before */
export const insertPayment = PAYMENTS.insertNew(['network', 'asset', 'payer', 'nonce']);

export const isSpent = async (reader: Reader, { payer, nonce }: Pick<Payment, 'payer' | 'nonce'>): Promise<boolean> =>
  (await findByNonce(reader, TOKEN.network, TOKEN.asset, payer, nonce)) !== null;

const toPayment = (row: Row): Payment => PAYMENTS.fromRow(row) as Payment;

/** Newest first, with ids smaller than `before`. */
export const listPayments = async (
  reader: Reader,
  accountId: string,
  before: string,
  limit: number,
): Promise<Payment[]> => (await reader.all(page, { account_id: accountId, before, limit })).map(toPayment);

/** Counts the pending payments of a wallet, up to `atMost`. */
export const countPending = async (reader: Reader, payer: Payment['payer'], atMost: number): Promise<number> =>
  (await reader.all(pendingOf, { payer, limit: atMost })).length;

/** Whether a failed payment of the account or of the wallet blocks new ones. */
export const isBlocked = async (
  reader: Reader,
  { accountId, payer, now }: Pick<Payment, 'accountId' | 'payer'> & { now: number },
): Promise<boolean> =>
  (await reader.first(blockingAccount, { account_id: accountId, now })) !== undefined ||
  (await reader.first(blockingPayer, { payer, now })) !== undefined;

/** Counts an attempt without a result. */
export const countAttempt = async (tx: Tx, id: string): Promise<void> => void (await tx.run(countOne, { id }));
