import type { TierLimits } from '../../../api/limits.ts';
import { type LimitCounts, limitReachedUntil } from '../../../api/metering/limit-reached.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { DAY_MS, dayStart, hourStart, nextDay, nextHour, secondsUntil } from '../../../base/period.ts';
import {
  addToCounters,
  type CounterKey,
  purgeCounters,
  readBoth,
  readCounter,
  readCounterOfEach,
  readDays,
  returnCounter,
  takeBoth,
  takeCounter,
} from './quota-counter-store.ts';
import { purgeWindows } from './rate-window-store.ts';

const DAILY = 'emails_per_day';
const HOURLY = 'emails_per_hour';

const ofDay = (accountId: string, metric: string, now: number): CounterKey => ({
  accountId,
  metric,
  periodStart: dayStart(now),
});
const ofHour = (accountId: string, metric: string, now: number): CounterKey => ({
  accountId,
  metric,
  periodStart: hourStart(now),
});

export interface EmailQuota {
  dailyUsed: number;
  dailyLimit: number;
  dailyRemaining: number;
  hourlyUsed: number;
  hourlyLimit: number;
  hourlyRemaining: number;
  /** When the daily count resets, in milliseconds. */
  resetAt: number;
}

export type EmailQuotaDecision =
  | { admitted: true; quota: EmailQuota }
  | {
      admitted: false;
      reason: 'daily_limit' | 'hourly_limit';
      limit: LimitCounts & { name: typeof DAILY | typeof HOURLY };
      resetAt: number;
      quota: EmailQuota;
    };

function quotaOf(dailyUsed: number, hourlyUsed: number, limits: TierLimits, now: number): EmailQuota {
  return {
    dailyUsed,
    dailyLimit: limits.emails_per_day,
    dailyRemaining: Math.max(0, limits.emails_per_day - dailyUsed),
    hourlyUsed,
    hourlyLimit: limits.emails_per_hour,
    hourlyRemaining: Math.max(0, limits.emails_per_hour - hourlyUsed),
    resetAt: nextDay(now),
  };
}

export async function readEmailQuota(
  reader: Reader,
  accountId: string,
  limits: TierLimits,
  now: number,
): Promise<EmailQuota> {
  const [daily, hourly] = await readBoth(reader, ofDay(accountId, DAILY, now), ofHour(accountId, HOURLY, now));
  return quotaOf(daily, hourly, limits, now);
}

/** Counts an export of an account. @returns false when the day's are used up */
export const takeExport = async (tx: Tx, accountId: string, max: number, now: number): Promise<boolean> =>
  (await takeCounter(tx, ofDay(accountId, 'account_exports_per_day', now), max)) !== null;

const PROGRAM_BYTES = 'mail_program_bytes_per_day';

/** Counts bytes that mail programs got of an account. @returns how many it are in this UTC day */
export async function addProgramBytes(tx: Tx, accountId: string, bytes: number, now: number): Promise<number> {
  const [sum] = await addToCounters(tx, [{ ...ofDay(accountId, PROGRAM_BYTES, now), used: bytes }]);
  return sum?.used ?? bytes;
}

/** The bytes that mail programs got of an account in this UTC day. */
export const readProgramBytes = (reader: Reader, accountId: string, now: number): Promise<number> =>
  readCounter(reader, ofDay(accountId, PROGRAM_BYTES, now));

/** Counts a mail from a sender to an account. @returns false when the clock hour's are used up */
export const takeMailFrom = async (
  tx: Tx,
  { accountId, sender }: { accountId: string; sender: string },
  max: number,
  now: number,
): Promise<boolean> =>
  (await takeCounter(tx, ofHour(accountId, `mails_per_sender_per_hour:${sender}`, now), max)) !== null;

const TRIED = 'tried_recipients_per_hour';

/** Counts the recipients of a mail that is only tried. @throws ApiError `rate_limited` when the clock hour's are used up */
export async function takeTriedRecipients(
  tx: Tx,
  accountId: string,
  amount: number,
  max: number,
  now: number,
): Promise<void> {
  const key = ofHour(accountId, TRIED, now);
  if ((await takeCounter(tx, key, max, amount)) !== null) return;
  throw limitReachedUntil(TRIED, { used: await readCounter(tx, key), max }, secondsUntil(nextHour(now), now));
}

/** @throws ApiError `rate_limited` when no recipient may be tried any more in this clock hour */
export async function requireTriesLeft(reader: Reader, accountId: string, max: number, now: number): Promise<void> {
  const used = await readCounter(reader, ofHour(accountId, TRIED, now));
  if (used >= max) throw limitReachedUntil(TRIED, { used, max }, secondsUntil(nextHour(now), now));
}

/** Counts one mail against the UTC day and hour. A refusal counts against neither. */
export async function takeEmailQuota(
  tx: Tx,
  accountId: string,
  limits: TierLimits,
  now: number,
): Promise<EmailQuotaDecision> {
  const [ofThisDay, ofThisHour] = [ofDay(accountId, DAILY, now), ofHour(accountId, HOURLY, now)];
  const [daily, hourly] = await takeBoth(tx, [ofThisDay, limits.emails_per_day], [ofThisHour, limits.emails_per_hour]);
  if (daily !== null && hourly !== null) return { admitted: true, quota: quotaOf(daily, hourly, limits, now) };
  if (daily !== null) await returnCounter(tx, ofThisDay);
  if (hourly !== null) await returnCounter(tx, ofThisHour);
  const quota = await readEmailQuota(tx, accountId, limits, now);
  if (daily === null) {
    const limit = { name: DAILY, used: quota.dailyUsed, max: quota.dailyLimit } as const;
    return { admitted: false, reason: 'daily_limit', limit, resetAt: nextDay(now), quota };
  }
  const limit = { name: HOURLY, used: quota.hourlyUsed, max: quota.hourlyLimit } as const;
  return { admitted: false, reason: 'hourly_limit', limit, resetAt: nextHour(now), quota };
}

/** Takes back the count of a mail that was counted at a time and not sent. */
export async function returnEmailQuota(tx: Tx, accountId: string, countedAt: number): Promise<void> {
  await returnCounter(tx, ofDay(accountId, DAILY, countedAt));
  await returnCounter(tx, ofHour(accountId, HOURLY, countedAt));
}

/** Whose recipients are counted: those of an account (empty address), or of one of its addresses. */
interface Sending {
  accountId: string;
  address: string;
}

const ofSending = ({ accountId, address }: Sending, now: number): CounterKey =>
  ofDay(accountId, `max_recipients_per_day${address === '' ? '' : `:${address}`}`, now);

/** Counts the recipients of a mail against a limit of the UTC day, all or none. */
export async function takeRecipients(
  tx: Tx,
  sending: Sending,
  amount: number,
  max: number,
  now: number,
): Promise<{ admitted: boolean; used: number }> {
  const key = ofSending(sending, now);
  const used = await takeCounter(tx, key, max, amount);
  return { admitted: used !== null, used: used ?? (await readCounter(tx, key)) };
}

/** Takes back the recipients of a mail that was not sent. */
export const returnRecipients = (tx: Tx, sending: Sending, amount: number, countedAt: number) =>
  returnCounter(tx, ofSending(sending, countedAt), amount);

/** Whole days that an account sees of its requests and emails, with the current one. */
export const USAGE_DAYS = 30;

export const usageStart = (now: number): number => dayStart(now) - (USAGE_DAYS - 1) * DAY_MS;

/** The emails of the last days, by day. Days without any are left out. */
export const emailsByDay = (reader: Reader, accountId: string, now: number): Promise<Map<string, number>> =>
  readDays(reader, ofDay(accountId, DAILY, usageStart(now)));

/** The emails of this UTC day, by account. Accounts without any are left out. */
export const emailsToday = (reader: Reader, accountIds: readonly string[], now: number): Promise<Map<string, number>> =>
  readCounterOfEach(reader, accountIds, DAILY, dayStart(now));

/**
 * Deletes windows that have passed, and counters older than two days. What the account sees by day stays longer. Only the
 * day before those two days is looked through for others, because this runs often.
 */
export async function purgeLimits(tx: Tx, now: number): Promise<void> {
  await purgeWindows(tx, now);
  const [to, from] = [dayStart(now) - 2 * DAY_MS, dayStart(now) - 3 * DAY_MS];
  await purgeCounters(tx, usageStart(now), { from, to, kept: [DAILY, 'requests_per_day'] });
}
