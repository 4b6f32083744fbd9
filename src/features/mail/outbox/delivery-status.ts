import type { AppendEvents, NewEvent } from '../../../api/events.ts';
import type { Tx } from '../../../api/transaction.ts';
import { releaseContent } from '../mailboxes/content/mail-content.ts';
import {
  type Deferral,
  keepSentContent,
  lockOutbox,
  type OutboxEntry,
  type Outcome,
  updateOutbox,
} from '../mailboxes/messages/sent.ts';

/** Where an outcome comes from: an attempt to deliver the mail, or a delivery report after the attempt. */
export type OutcomeSource = 'attempt' | 'report';

const ERROR_CHARS = 500;
/** Of the words of a server, and of how many attempts. */
const REPLY_CHARS = 300;
const DEFERRALS_MAX = 100;

type Failure = { address: string; error: string };

const failuresIn = (outcomes: readonly Outcome[]): Failure[] =>
  outcomes.flatMap(({ address, error }) => (error === null ? [] : [{ address, error }]));

/** The reason alone if all recipients failed for the same one, else each reason with its address. */
function errorOf(failures: readonly Failure[], allFailed: boolean): string | null {
  if (failures.length === 0) return null;
  const reasons = new Set(failures.map(({ error }) => error));
  const named = failures.map(({ address, error }) => `${address}: ${error}`).join('; ');
  return (allFailed && reasons.size === 1 ? [...reasons].join() : named).slice(0, ERROR_CHARS).toWellFormed();
}

/** The status of a mail with these outcomes: `sent` if at least one recipient has it. `error` names the others. */
export function statusOf(outcomes: readonly Outcome[]): Pick<OutboxEntry, 'status' | 'error'> {
  const failures = failuresIn(outcomes);
  const allFailed = failures.length === outcomes.length;
  return { status: allFailed ? 'failed' : 'sent', error: errorOf(failures, allFailed) };
}

function sentEvent({ id, accountId, address, recipients, subject, provider }: OutboxEntry, now: number): NewEvent {
  const data = { id, from: address, to: recipients, subject, provider };
  return { accountId, type: 'email.sent', data, now };
}

function failedEvent(entry: OutboxEntry, failures: readonly Failure[], now: number): NewEvent {
  const { id, accountId, address, recipients, subject, status } = entry;
  const error = errorOf(failures, status === 'failed' && failures.length === recipients.length) ?? '';
  const data = { id, from: address, to: recipients, subject, error, status, recipients: [...failures] };
  return { accountId, type: 'email.failed', data, now };
}

/** The events of a mail whose outcomes are all known: `email.sent`, `email.failed`, or both. */
export function endEvents(entry: OutboxEntry, now: number): NewEvent[] {
  const failures = failuresIn(entry.outcomes);
  const events = entry.status === 'sent' ? [sentEvent(entry, now)] : [];
  return failures.length > 0 ? [...events, failedEvent(entry, failures, now)] : events;
}

/** Whether an outcome replaces the known one. The first stays, but a later report may turn success into failure. */
function replaces(known: Outcome | undefined, next: Outcome, source: OutcomeSource): boolean {
  if (known === undefined) return true;
  return source === 'report' && known.error === null && next.error !== null;
}

/** What a call of {@link recordOutcomes} found new. */
export interface RecordedOutcomes {
  entry: OutboxEntry;
  /** Recipients whose first outcome this is. */
  handedOver: number;
  failures: Failure[];
}

interface NewOutcomes {
  outboxId: string;
  outcomes: readonly Outcome[];
  source: OutcomeSource;
  now: number;
  /** It never left, so nothing of it is kept. */
  isDropped?: boolean;
  /** Whom an attempt left waiting for the next. */
  deferred?: { nextAt: number; waiting: readonly { address: string; reason: string }[] } | undefined;
}

/** The deferrals of an entry with those of one more attempt: recipients with the same reason are one. */
function deferralsOf({ deferrals }: OutboxEntry, { deferred, now }: NewOutcomes): Deferral[] | null {
  if (deferred === undefined) return deferrals;
  const byReason = new Map<string, string[]>();
  for (const { address, reason } of deferred.waiting) {
    const cut = reason.slice(0, REPLY_CHARS).toWellFormed();
    byReason.set(cut, [...(byReason.get(cut) ?? []), address]);
  }
  const { nextAt } = deferred;
  const news = [...byReason].map(([reason, addresses]) => ({ at: now, nextAt, reason, addresses }));
  return [...(deferrals ?? []), ...news].slice(-DEFERRALS_MAX);
}

/**
 * Records the outcomes of recipients, ends the mail when all are known, and appends its events. A repeated call changes
 * nothing. Ignores recipients that the mail does not have.
 * @returns what is new, for the counts of the account
 */
export async function recordOutcomes(
  tx: Tx,
  appendEvents: AppendEvents<Tx>,
  given: NewOutcomes,
): Promise<RecordedOutcomes | null> {
  const { now } = given;
  const entry = await lockOutbox(tx, given.outboxId);
  if (!entry) return null;
  const { outcomes, failures, changed } = mergeOutcomes(entry, given);
  const deferrals = deferralsOf(entry, given);
  if (!changed) {
    if (deferrals !== entry.deferrals) await updateOutbox(tx, { ...entry, deferrals });
    return null;
  }
  const recorded = { entry, handedOver: outcomes.length - entry.outcomes.length, failures };
  const wasPending = entry.status === 'pending';
  if (wasPending && outcomes.length < entry.recipients.length) {
    await updateOutbox(tx, { ...entry, outcomes, deferrals });
    return recorded;
  }
  const { status, error } = statusOf(outcomes);
  const providerId = entry.providerId ?? outcomes.find((outcome) => outcome.providerId !== null)?.providerId ?? null;
  const sentAt = entry.sentAt ?? (status === 'sent' ? now : null);
  const failedAt = error === null ? entry.failedAt : now;
  const ended: OutboxEntry = { ...entry, outcomes, status, error, providerId, sentAt, failedAt, contentId: null };
  await updateOutbox(tx, ended);
  if (entry.contentId !== null) await settleContent(tx, entry, entry.contentId, given.isDropped ?? false);
  const events = wasPending ? endEvents(ended, now) : [failedEvent(ended, failures, now)];
  if (events.length > 0) await appendEvents(tx, events);
  return recorded;
}

/** What has left stays as it was made, unless nothing readable of it may be kept. It takes the same storage. */
async function settleContent(tx: Tx, entry: OutboxEntry, contentId: string, isDropped: boolean): Promise<void> {
  const isKept = entry.excerpt !== null && !isDropped && (await keepSentContent(tx, entry, contentId));
  if (!isKept) await releaseContent(tx, contentId);
}

/** The outcomes of an entry with the new ones. `failures` are those that are new. */
function mergeOutcomes(entry: OutboxEntry, { outcomes, source, now }: NewOutcomes) {
  const merged = new Map(entry.outcomes.map((outcome) => [outcome.address, outcome]));
  const failures: Failure[] = [];
  let changed = false;
  for (const next of outcomes) {
    const known = merged.get(next.address);
    if (!entry.recipients.includes(next.address) || !replaces(known, next, source)) continue;
    const reply = (next.reply ?? known?.reply)?.slice(0, REPLY_CHARS).toWellFormed();
    merged.set(next.address, {
      address: next.address,
      providerId: next.providerId ?? known?.providerId ?? null,
      error: next.error,
      at: now,
      ...(reply === undefined ? {} : { reply }),
      ...(known === undefined ? {} : { takenAt: known.at ?? entry.sentAt ?? entry.queuedAt }),
    });
    if (next.error !== null) failures.push({ address: next.address, error: next.error });
    changed = true;
  }
  return { outcomes: [...merged.values()], failures, changed };
}
