import type { Static } from 'typebox';
import { named, nullable, oneOf, record, timestamp } from '../../../api/fields.ts';
import { iso } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import type { OutboxEntry, Outcome } from '../mailboxes/messages/sent-table.ts';
import type { OpenReview } from '../reviews/review-table.ts';

/** The delivery of a sent mail, step by step. */

const DeliveryStep = named(
  'DeliveryStep',
  record({
    at: timestamp(),
    step: oneOf(['queued', 'held', 'deferred', 'accepted', 'delivered', 'written', 'failed', 'bounced'], {
      description:
        '`accepted`: the server of the recipient, or the relay, took it. `delivered`: it is in an inbox of this service. `written`: to a file, as there is no relay. `bounced`: a server took it, and a report came back.',
    }),
    recipients: Type.Array(Type.String()),
    reply: nullable(Type.String({ description: 'The words of the server, or why there are none.' })),
    next_at: nullable(timestamp({ description: 'The next attempt, or when the review expires.' })),
  }),
);
type Step = Static<typeof DeliveryStep>;

export const DeliverySteps = Type.Array(DeliveryStep, { description: 'Oldest first.' });

/** What happened to one recipient. Entries of earlier versions know the time of the whole mail only. */
function stepsOfOutcome(entry: OutboxEntry, { address, at, error, reply, takenAt }: Outcome): Step[] {
  const known = at ?? (error === null ? entry.sentAt : entry.failedAt) ?? entry.queuedAt;
  const isOutside = entry.externalRecipients.includes(address);
  const taken = entry.provider === 'file' ? 'written' : 'accepted';
  const row = (step: Step['step'], when: number, words: string | null): Step => ({
    at: iso(when),
    step,
    recipients: [address],
    reply: words,
    next_at: null,
  });
  if (error === null) return [isOutside ? row(taken, known, reply ?? null) : row('delivered', known, null)];
  if (takenAt === undefined) return [row('failed', known, error)];
  return [row(taken, takenAt, reply ?? null), row('bounced', known, error)];
}

/** The delivery of a mail, oldest first. Recipients to whom the same happened at once are one step. */
export function deliverySteps(entry: OutboxEntry, review: OpenReview | undefined): Step[] {
  const { recipients, queuedAt, outcomes, deferrals } = entry;
  const all: Step[] = [{ at: iso(queuedAt), step: 'queued', recipients, reply: null, next_at: null }];
  if (review) {
    const { createdAt, expiresAt } = review;
    all.push({ at: iso(createdAt), step: 'held', recipients, reply: null, next_at: iso(expiresAt) });
  }
  for (const { at, nextAt, reason, addresses } of deferrals ?? [])
    all.push({ at: iso(at), step: 'deferred', recipients: addresses, reply: reason, next_at: iso(nextAt) });
  const same = new Map<string, Step>();
  for (const step of outcomes.flatMap((outcome) => stepsOfOutcome(entry, outcome))) {
    const name = `${step.at} ${step.step} ${step.reply}`;
    const known = same.get(name);
    if (known) known.recipients.push(...step.recipients);
    else same.set(name, step);
  }
  // Steps of one time keep this order: a mail is queued before it is delivered.
  return [...all, ...same.values()].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}
