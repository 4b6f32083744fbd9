import { ApiError } from '../../../api/errors.ts';
import type { AppendEvents, NewEvent } from '../../../api/events.ts';
import type { Limits } from '../../../api/limits.ts';
import { limitReached } from '../../../api/metering/limit-reached.ts';
import { decodeCursor, type Page, pageOf } from '../../../api/page.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { iso } from '../../../base/clock.ts';
import { dayStart, secondsUntil } from '../../../base/period.ts';
import { pauseOf, type Tolerance, windowStart } from './sending-pause.ts';
import { addToDay, daysSince, forgetDays } from './sending-store.ts';
import { deleteSuppression, insertSuppression, listSuppressions, suppressionsAmong } from './suppression-store.ts';
import type { Suppression, SuppressionReason } from './suppression-table.ts';

export interface SuppressionDeps {
  limits: Pick<Limits, 'bounced_percent' | 'bounces_counted_from'>;
  appendEvents: AppendEvents<Tx>;
}

/** A sent mail. */
interface Sent {
  /** The outbox entry. */
  id: string;
  accountId: string;
  /** The sender. */
  address: string;
}

/** What is new about the copies of a mail. */
export interface SendingNews {
  /** Copies that the relay took or refused for good. */
  handedOver: number;
  /** Recipients whose copy came back or was refused, with the words of the server. */
  failures: readonly { address: string; error: string }[];
}

/**
 * The enhanced status codes that say that the address itself is wrong (RFC 3463 3.2: X.1.0 to X.1.4, X.1.6, X.1.10) or
 * disabled (X.2.1). A full mailbox, a policy or a spam filter is no reason to stop writing.
 */
const HARD = /^5\.(?:1\.(?:[0-46]|10)|2\.1)$/;

/** The first status code in the words of a server, which says why; a later one may be part of an explanation. */
const statusIn = (words: string): string => /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.]*\d)/.exec(words)?.[0] ?? '';

const fold = (address: string): string => address.toLowerCase();

/** Recipients that get no more mail from an account, and the pause of an account whose mail comes back too often. */
export class Suppressions {
  readonly #deps: SuppressionDeps;

  constructor(deps: SuppressionDeps) {
    this.#deps = deps;
  }

  /**
   * Refuses a mail that must not be sent.
   * @param external how many of the recipients are on other services; a pause concerns only those
   * @throws ApiError `recipient_suppressed`, which names them; `sending_paused`
   */
  async requireMaySend(
    reader: Reader,
    accountId: string,
    recipients: readonly string[],
    external: number,
    now: number,
  ): Promise<void> {
    const found = await suppressionsAmong(reader, accountId, [...new Set(recipients.map(fold))]);
    if (found.length > 0) throw suppressedError(found, recipients);
    if (external === 0) return;
    const pause = pauseOf(await daysSince(reader, accountId, windowStart(now)), this.#tolerance(), now);
    if (pause === null) return;
    const { sent, bad, resumesAt } = pause;
    throw limitReached(
      'bounced_percent',
      { used: Math.ceil((bad * 100) / sent), max: this.#tolerance().percent },
      { fields: { resumes_at: iso(resumesAt) }, headers: { 'retry-after': String(secondsUntil(resumesAt, now)) } },
    );
  }

  /** Counts what became of copies of a mail, and suppresses the recipients that do not exist. */
  async learn(tx: Tx, mail: Sent, { handedOver, failures }: SendingNews, now: number): Promise<void> {
    const hard = failures.filter(({ error }) => HARD.test(statusIn(error)));
    if (handedOver + hard.length === 0) return;
    const events: NewEvent[] = [];
    for (const { address } of hard) events.push(...(await this.#suppress(tx, mail, address, 'hard_bounce', now)));
    events.push(...(await this.#count(tx, mail.accountId, { sent: handedOver, bad: hard.length }, now)));
    if (events.length > 0) await this.#deps.appendEvents(tx, events);
  }

  /** Records that recipients of a mail reported it as spam. A second report changes nothing. */
  async complain(tx: Tx, mail: Sent, recipients: readonly string[], now: number): Promise<void> {
    const events: NewEvent[] = [];
    for (const recipient of recipients) events.push(...(await this.#suppress(tx, mail, recipient, 'complaint', now)));
    if (events.length === 0) return;
    events.push(...(await this.#count(tx, mail.accountId, { sent: 0, bad: events.length }, now)));
    await this.#deps.appendEvents(tx, events);
  }

  /** Stops mail to a recipient who asked for that. It says nothing bad about the sender, so it does not count. */
  async unsubscribe(tx: Tx, mail: Sent, recipient: string, now: number): Promise<void> {
    const events = await this.#suppress(tx, mail, recipient, 'unsubscribed', now);
    if (events.length > 0) await this.#deps.appendEvents(tx, events);
  }

  /** Lists suppressed recipients by address. @throws ApiError `invalid_cursor` */
  async list(reader: Reader, accountId: string, cursor: string | undefined, limit: number): Promise<Page<Suppression>> {
    const after = cursor === undefined ? '' : decodeCursor(cursor, ['string'])?.[0];
    if (typeof after !== 'string') throw new ApiError('invalid_cursor');
    return pageOf(
      await listSuppressions(reader, { accountId }, { address: after }, limit + 1),
      limit,
      ({ address }) => [address],
    );
  }

  /** Lets mail go to a recipient again. @throws ApiError `not_found` @returns the address as the list showed it */
  async remove(tx: Tx, accountId: string, address: string): Promise<string> {
    if ((await deleteSuppression(tx, accountId, fold(address))) === 0) throw new ApiError('not_found');
    return fold(address);
  }

  /** Deletes the counts that no longer matter. */
  expire(tx: Tx, now: number): Promise<number> {
    return forgetDays(tx, windowStart(now) - 1);
  }

  #tolerance(): Tolerance {
    const { bounced_percent: percent, bounces_counted_from: from } = this.#deps.limits;
    return { percent, from };
  }

  async #suppress(
    tx: Tx,
    { id, accountId, address: from }: Sent,
    recipient: string,
    reason: SuppressionReason,
    now: number,
  ): Promise<NewEvent[]> {
    const address = fold(recipient);
    if (!(await insertSuppression(tx, { accountId, address, reason, createdAt: now }))) return [];
    return [{ accountId, type: 'email.suppressed', data: { id, from, recipient: address, reason }, now }];
  }

  /** Adds to the counts. @returns the event of a pause that this starts, of which people are told */
  async #count(tx: Tx, accountId: string, added: { sent: number; bad: number }, now: number): Promise<NewEvent[]> {
    const today = dayStart(now);
    await addToDay(tx, { accountId, day: today, ...added });
    const days = await daysSince(tx, accountId, windowStart(now));
    const before = days.map((each) =>
      each.day === today ? { ...each, sent: each.sent - added.sent, bad: each.bad - added.bad } : each,
    );
    const pause = pauseOf(days, this.#tolerance(), now);
    if (pause === null || pauseOf(before, this.#tolerance(), now) !== null) return [];
    const { sent, bad, resumesAt } = pause;
    return [{ accountId, type: 'sending.paused', data: { sent, bad, resumes_at: iso(resumesAt) }, now }];
  }
}

function suppressedError(found: readonly Suppression[], recipients: readonly string[]): ApiError {
  const reasons = new Map(found.map(({ address, reason }) => [address, reason]));
  const named = recipients.filter((recipient) => reasons.has(fold(recipient)));
  return new ApiError('recipient_suppressed', {
    fields: { recipients: named.map((address) => ({ address, reason: reasons.get(fold(address)) })) },
  });
}
