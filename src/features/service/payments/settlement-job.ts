import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JobAttempt, JobOutcome } from '../../../api/job-types.ts';
import type { Database, Tx } from '../../../api/transaction.ts';
import { DAY_MS } from '../../../base/period.ts';
import type { Settlement } from './facilitator-client.ts';
import type { PaymentDeps } from './payment.ts';
import { countAttempt, endPayment, findPayment } from './payment-store.ts';
import { NETWORK, NETWORK_CAIP2, type Payment, signedPaymentOf } from './payment-table.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
/** Delays before the second and later attempts: short while the authorization is valid. The last one repeats. */
const RETRY_DELAYS_MS = [
  ...[2, 5, 10, 20, 30, 60, 60, 60].map((seconds) => seconds * SECOND_MS),
  ...[5, 15, 60].map((minutes) => minutes * MINUTE_MS),
];
/** After this time a payment with an unknown outcome has failed. */
const GIVEN_UP_AFTER_MS = 7 * DAY_MS;
/** How long a payer cannot pay after a payment that failed because of them. */
const BLOCKED_MS = DAY_MS;
/** How long a reply waits for the transaction hash of its payment. The purchase itself is committed. */
const RECEIPT_WAIT_MS = 8000;

/** The signal for an attempt's end, on every instance. */
const topicOf = (paymentId: string): string => `payment:${paymentId}`;

type End =
  | { status: 'settled'; transaction: string | null }
  | { status: 'failed'; error: string; isPayersFault: boolean };

/** What an attempt found: a nonce that was used is judged by the event that used it. */
type Finding = Exclude<Settlement, { kind: 'used' }> | { kind: 'spent'; error: string };

const isLate = ({ validBefore }: Payment, now: number): boolean => now >= Number(validBefore) * SECOND_MS;

/**
 * Decides how a payment ends, or null to try again. Pure.
 * After `validBefore` nothing can be settled. The payer is not to blame: the facilitator may have been late.
 */
function endOf(payment: Payment, settlement: Finding, now: number): End | null {
  if (settlement.kind === 'settled') return { status: 'settled', transaction: settlement.transaction };
  if (settlement.kind === 'spent') return { status: 'failed', error: settlement.error, isPayersFault: true };
  if (settlement.kind === 'refused') {
    const tooLate = isLate(payment, now);
    return { status: 'failed', error: tooLate ? 'expired' : settlement.reason, isPayersFault: !tooLate };
  }
  const isHopeless = now - payment.createdAt >= GIVEN_UP_AFTER_MS;
  return isHopeless ? { status: 'failed', error: 'outcome_unknown', isPayersFault: false } : null;
}

/** Settles payments: the durable job. */
export class SettlementJob {
  readonly #deps: PaymentDeps;

  constructor(deps: PaymentDeps) {
    this.#deps = deps;
  }

  /** Makes one attempt. */
  async run({ payload, attempt, now, signal }: JobAttempt<'payment.settle'>): Promise<JobOutcome> {
    const payment = await findPayment(this.#deps.database, payload.paymentId);
    if (payment?.status !== 'pending') return { status: 'done' };
    const isFirst = attempt === 1 && payment.attempts === 0;
    const settlement = await this.#settle(payment, isFirst, now, signal);
    const end = endOf(payment, settlement, now);
    if (end) return { status: 'done', complete: (tx) => this.#finish(tx, payment, end, now) };
    const delay = RETRY_DELAYS_MS[Math.min(attempt, RETRY_DELAYS_MS.length) - 1] as number;
    const reason = settlement.kind === 'unknown' ? settlement.cause : '';
    return { status: 'retry', reason, runAt: now + delay, complete: (tx) => postpone(tx, payment) };
  }

  async #settle(payment: Payment, isFirst: boolean, now: number, signal: AbortSignal): Promise<Finding> {
    const { facilitator, chain } = this.#deps;
    if (!facilitator) return { kind: 'unknown', cause: 'no facilitator is configured' };
    const settlement = await facilitator.settle({ ...signedPaymentOf(payment), sale: payment }, signal);
    // A transfer of an earlier attempt, whose reply was lost, or whose process, may be why it is refused now.
    const mayBePaid = settlement.kind === 'used' || (settlement.kind === 'refused' && !isFirst);
    if (!mayBePaid) return settlement;
    // Our own earlier attempt, another party that submitted it first, or the payer, who cancelled it or paid another.
    const use = await chain.nonceUse(payment, now, signal);
    if (use.kind === 'paid') return { kind: 'settled', transaction: use.transaction };
    // Too late to settle, through no fault: nothing is won by asking again.
    const isOver = use.kind === 'unused' || (use.kind === 'unknown' && isLate(payment, now));
    if (settlement.kind === 'refused' && isOver) return settlement;
    if (use.kind === 'unused') return { kind: 'unknown', cause: 'the chain shows no use of the nonce yet' };
    if (use.kind === 'unknown') return use;
    return { kind: 'spent', error: use.kind === 'canceled' ? 'authorization_canceled' : 'nonce_already_used' };
  }

  async #finish(tx: Tx, { id, accountId, amountUsdc }: Payment, end: End, now: number): Promise<void> {
    const settled = end.status === 'settled';
    const ended = await endPayment(tx, {
      id,
      status: end.status,
      transaction: settled ? end.transaction : null,
      error: settled ? null : end.error,
      blocksUntil: !settled && end.isPayersFault ? now + BLOCKED_MS : null,
      settledAt: settled ? now : null,
    });
    if (!ended) return;
    tx.signal(topicOf(id));
    const { appendEvent } = this.#deps;
    const data = { payment_id: id, amount_usdc: amountUsdc };
    if (settled) {
      const { transaction } = end;
      await appendEvent(tx, { accountId, type: 'payment.settled', data: { ...data, transaction }, now });
    } else await appendEvent(tx, { accountId, type: 'payment.failed', data: { ...data, error: end.error }, now });
  }
}

async function postpone(tx: Tx, { id }: Payment): Promise<void> {
  await countAttempt(tx, id);
  tx.signal(topicOf(id));
}

/** The headers that report the settlement to the payer, for both versions of the protocol (x402, SettlementResponse). */
function receiptOf(payment: Payment): Record<string, string> {
  const success = payment.status === 'settled';
  const errorReason = {
    settled: undefined,
    pending: 'settlement_pending',
    failed: payment.error ?? 'settlement_failed',
    verified: 'settlement_off',
  }[payment.status];
  const response = (network: string): string => {
    const { payer } = payment;
    const fields = { success, errorReason, transaction: payment.transaction ?? '', network, payer };
    return Buffer.from(JSON.stringify(fields)).toString('base64');
  };
  return { 'x-payment-response': response(NETWORK), 'payment-response': response(NETWORK_CAIP2) };
}

/**
 * Returns the receipt headers of a payment. Waits a bounded time for the end of the first attempt, on any instance; after
 * that the receipt says `settlement_pending`.
 */
export async function waitForReceipt(
  database: Database,
  paymentId: string,
  waitMs = RECEIPT_WAIT_MS,
): Promise<Record<string, string>> {
  let wake = (): void => {};
  let isOver = false;
  const unsubscribe = database.onSignal(topicOf(paymentId), () => wake());
  const timer = setTimeout(() => {
    isOver = true;
    wake();
  }, waitMs);
  try {
    for (;;) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const payment = await findPayment(database, paymentId);
      if (!payment) return {};
      if (payment.status !== 'pending' || payment.attempts > 0 || isOver) return receiptOf(payment);
      await woken;
      // The signal may come before its commit is visible to this turn's reads.
      await nextTurn();
    }
  } finally {
    clearTimeout(timer);
    unsubscribe();
  }
}
