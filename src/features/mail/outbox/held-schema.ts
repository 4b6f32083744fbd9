import type { Static } from 'typebox';
import { guidance, named, nullable, oneOf, record } from '../../../api/fields.ts';
import { Type } from '../../../base/schema.ts';
import { domainOf } from '../../../mail/address/mail-address.ts';
import { providerMeant } from '../../../mail/screening/lookalike-domain.ts';
import type { OutboxEntry } from '../mailboxes/messages/sent-table.ts';

/** The reply of a request whose mail waits for a review. */
export const HeldEmail = named(
  'HeldEmail',
  record({
    id: Type.String(),
    status: oneOf(['pending']),
    review_id: Type.String(),
    reason: Type.String({
      description: 'Why an operator sees it first. The event `email.released` or `email.rejected` follows.',
    }),
    from: Type.String(),
    to: Type.Array(Type.String()),
    rfc_message_id: Type.String(),
    thread_id: nullable(Type.String()),
    rate_limit: record({ daily_remaining: Type.Integer(), hourly_remaining: Type.Integer() }),
    warning: Type.Optional(guidance(Type.String())),
  }),
);

/** Says of a recipient whose domain is one letter off a large provider. The mail leaves nevertheless. */
export function recipientWarning(recipients: readonly string[]): { warning?: string } {
  for (const recipient of recipients) {
    const meant = providerMeant(domainOf(recipient));
    if (meant !== undefined) return { warning: `${recipient} may be a typing error: did you mean ${meant}?` };
  }
  return {};
}

interface HeldShape {
  entry: OutboxEntry;
  quota: { dailyRemaining: number; hourlyRemaining: number };
}

export const heldBody = (
  { entry, quota }: HeldShape,
  review: { id: string; reason: string },
): Static<typeof HeldEmail> => ({
  id: entry.id,
  status: 'pending',
  review_id: review.id,
  reason: review.reason,
  from: entry.address,
  to: entry.recipients,
  rfc_message_id: entry.rfcMessageId,
  thread_id: entry.threadId,
  rate_limit: { daily_remaining: quota.dailyRemaining, hourly_remaining: quota.hourlyRemaining },
  ...recipientWarning(entry.recipients),
});
