import { Asker } from '../../../api/account/asker-fields.ts';
import { named, nullable, oneOf, record, timestamp } from '../../../api/fields.ts';
import { iso, isoOrNull } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import { statusAt } from '../../money/approvals/decision-schema.ts';
import { maskedField } from '../mailboxes/messages/message-schema.ts';
import { REVIEW_STATUSES, type Review, type ReviewDecision, WHY, type Why } from './review-table.ts';

const reviewFields = {
  review_id: Type.String(),
  account_id: Type.String(),
  id: Type.String({ description: 'The id of the email in the outbox.' }),
  from: Type.String(),
  to: Type.Array(Type.String(), { description: 'Every recipient, blind copies too.' }),
  subject: Type.String(),
  reason: Type.String({
    description: 'Why it is held: `always`, `first_contact`, `not_listed`, `after_suspicious` or `secrets`.',
  }),
  created_at: timestamp(),
  expires_at: timestamp(),
  status: oneOf(REVIEW_STATUSES),
  resolved_at: nullable(timestamp()),
  resolved_by: nullable(Type.String()),
  comment: nullable(Type.String()),
  masked: maskedField(),
};

export const ReviewView = named('Review', record(reviewFields));

export const reviewBody = (review: Review & { masked?: boolean }, now: number) => ({
  review_id: review.id,
  account_id: review.accountId,
  id: review.outboxId,
  from: review.address,
  to: review.recipients,
  subject: review.subject,
  reason: review.reason,
  created_at: iso(review.createdAt),
  expires_at: iso(review.expiresAt),
  status: statusAt(review, now),
  resolved_at: isoOrNull(review.resolvedAt),
  resolved_by: review.resolvedBy,
  comment: review.comment,
  ...(review.masked && { masked: true }),
});

/** The whole mail, while it waits. */
const wholeFields = {
  ...reviewFields,
  why: Type.String(),
  from_name: Type.String({ description: 'The display name in From; empty for none.' }),
  reply_to: Type.Array(Type.String(), { description: 'Where answers go, if not to `from`.' }),
  secrets: Type.Array(Type.String(), { description: 'The kinds of secrets found in it.' }),
  text: nullable(Type.String({ description: 'Null once it is decided.' })),
  html: nullable(Type.String()),
  attachments: Type.Array(
    record({ filename: nullable(Type.String()), content_type: Type.String(), size_bytes: Type.Integer() }),
  ),
};
export const WholeReview = named('WholeReview', record(wholeFields));
/** The same as its mailed link shows it. */
export const LinkedReview = record({ ...wholeFields, agent: Asker, passkey_required: Type.Boolean() });

/** What a held mail holds. */
interface HeldContent {
  text: string | null;
  html: string | null;
  attachments: readonly { filename: string | null; contentType: string; sizeBytes: number }[];
}

export const wholeBody = (review: Review, { text, html, attachments }: HeldContent, now: number) => ({
  ...reviewBody(review, now),
  why: WHY[review.reason as Why],
  from_name: review.held.fromName,
  reply_to: review.held.replyTo,
  secrets: review.secrets,
  text,
  html,
  attachments: attachments.map(({ filename, contentType, sizeBytes }) => ({
    filename,
    content_type: contentType,
    size_bytes: sizeBytes,
  })),
});

export const DecidedReview = named(
  'DecidedReview',
  record({ ...reviewFields, error: nullable(Type.String({ description: 'Why the email is not sent.' })) }),
);

export const decidedBody = ({ review, error }: ReviewDecision, now: number) => ({ ...reviewBody(review, now), error });
