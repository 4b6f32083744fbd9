import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AppendEvent } from '../../kernel/events.ts';
import type { JobAttempt, JobOutcome } from '../../kernel/jobs.ts';
import { DAY_MS } from '../../kernel/period.ts';
import type { Database, Tx } from '../../kernel/transaction.ts';
import type { Facilitator, Settlement } from './facilitator-client.ts';
import { NETWORK, NETWORK_CAIP2, type Payment } from './payment-data.ts';
import { endPayment, findPayment, noteAttempt } from './payment-store.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
/** Waits before the second and later attempts: close together while the authorization is good, the last one for ever. */
const RETRY_DELAYS_MS = [
  ...[2, 5, 10, 20, 30, 60, 60, 60].map((seconds) => seconds * SECOND_MS),
  ...[5, 15, 60].map((minutes) => minutes * MINUTE_MS),
];
/** A facilitator that cannot say within this time what became of a payment never will. */
const GIVEN_UP_AFTER_MS = 7 * DAY_MS;
/** Whoever was served on a payment that their wallet then did not honour pays nothing more for this long. */
const BLOCKED_MS = DAY_MS;
/** How long a request waits for its payment's transaction hash. Its work is done and stays done. */
const RECEIPT_WAIT_MS = 8000;

/** Wakes who waits for a payment's end, on every instance. */
const topicOf = (paymentId: string): string => `payment:${paymentId}`;

export interface SettlementDeps {
  database: Database;
  /** Null: none is configured (any more); what is pending waits for one. */
  facilitator: Facilitator | null;
  appendEvent: AppendEvent<Tx>;
}

type End =
  | { status: 'settled'; transaction: string | null }
  | { status: 'failed'; error: string; isPayersFault: boolean };

/**
 * What an attempt decides for good, or null to try again. Pure.
 * A transfer that had happened before this attempt is ours when an earlier attempt may have done it: it pays nobody else.
 * After `validBefore` nothing can be settled, and whether the payer or the facilitator was late cannot be told.
 */
function endOf(payment: Payment, settlement: Settlement, attempt: number, now: number): End | null {
  if (settlement.kind === 'settled') return { status: 'settled', transaction: settlement.transaction };
  if (settlement.kind === 'used') {
    if (attempt > 1) return { status: 'settled', transaction: null };
    return { status: 'failed', error: 'nonce_already_used', isPayersFault: true };
  }
  if (settlement.kind === 'refused') {
    const isLate = now >= Number(payment.authorization.validBefore) * SECOND_MS;
    return { status: 'failed', error: isLate ? 'expired' : settlement.reason, isPayersFault: !isLate };
  }
  const isHopeless = now - payment.createdAt >= GIVEN_UP_AFTER_MS;
  return isHopeless ? { status: 'failed', error: 'outcome_unknown', isPayersFault: false } : null;
}

/** One attempt at settling a payment, as a durable job. */
export function createSettlement(deps: SettlementDeps): (attempt: JobAttempt<'payment.settle'>) => Promise<JobOutcome> {
  const { database, facilitator, appendEvent } = deps;

  async function finish(tx: Tx, payment: Payment, end: End, now: number): Promise<void> {
    const { id, accountId } = payment;
    const settled = end.status === 'settled';
    const ended = await endPayment(tx, id, {
      status: end.status,
      transaction: settled ? end.transaction : null,
      error: settled ? null : end.error,
      blocksUntil: !settled && end.isPayersFault ? now + BLOCKED_MS : null,
      settledAt: settled ? now : null,
    });
    if (!ended) return;
    tx.signal(topicOf(id));
    const data = { payment_id: id, amount_usdc: Number(payment.authorization.value) };
    if (settled) {
      const { transaction } = end;
      await appendEvent(tx, { accountId, type: 'payment.settled', data: { ...data, transaction }, now });
    } else await appendEvent(tx, { accountId, type: 'payment.failed', data: { ...data, error: end.error }, now });
  }

  async function postpone(tx: Tx, { id }: Payment): Promise<void> {
    await noteAttempt(tx, id);
    tx.signal(topicOf(id));
  }

  return async ({ payload, attempt, now, signal }) => {
    const payment = await findPayment(database, payload.paymentId);
    if (payment?.status !== 'pending') return { status: 'done' };
    const { version, authorization } = payment;
    const settlement: Settlement = facilitator
      ? await facilitator.settle({ version, authorization, sale: payment }, signal)
      : { kind: 'unknown', cause: 'no facilitator is configured' };
    const end = endOf(payment, settlement, attempt, now);
    if (end) return { status: 'done', settle: (tx) => finish(tx, payment, end, now) };
    const delay = RETRY_DELAYS_MS[Math.min(attempt, RETRY_DELAYS_MS.length) - 1] as number;
    const reason = settlement.kind === 'unknown' ? settlement.cause : '';
    return { status: 'retry', reason, runAt: now + delay, settle: (tx) => postpone(tx, payment) };
  };
}

/** What the payer is told, in both versions of the protocol (x402, SettlementResponse). */
function receiptOf(payment: Payment): Record<string, string> {
  const success = payment.status === 'settled';
  const errorReason = {
    settled: undefined,
    pending: 'settlement_pending',
    failed: payment.error ?? 'settlement_failed',
    verified: 'settlement_off',
  }[payment.status];
  const response = (network: string): string => {
    const { from: payer } = payment.authorization;
    const fields = { success, errorReason, transaction: payment.transaction ?? '', network, payer };
    return Buffer.from(JSON.stringify(fields)).toString('base64');
  };
  return { 'x-payment-response': response(NETWORK), 'payment-response': response(NETWORK_CAIP2) };
}

/**
 * Headers that tell the payer how settlement went. Waits a bounded time for the first attempt, on whatever instance;
 * then says `settlement_pending`.
 */
export function createReceipts(
  database: Database,
  waitMs = RECEIPT_WAIT_MS,
): (paymentId: string) => Promise<Record<string, string>> {
  return async (paymentId) => {
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
        // Whoever committed may still be in the turn that signalled: read what is there after it.
        await nextTurn();
      }
    } finally {
      clearTimeout(timer);
      unsubscribe();
    }
  };
}
