import type { SealedColumn } from '../../../base/sealing.ts';
import { column, exported, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';
import { DECISION_STATUSES } from '../../money/approvals/decision-schema.ts';

/** How a review stands. `withdrawn`: by its sender. */
export const REVIEW_STATUSES = [...DECISION_STATUSES, 'withdrawn'] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

/** What an approval is remembered for. `domain`: the list of the mail policy gets the domains of the recipients. */
export const REMEMBER = ['none', 'recipient', 'domain'] as const;
export type Remember = (typeof REMEMBER)[number];

/** What the outbox needs to send the mail later as it was made. */
export interface HeldMail {
  /** The display name of the sender; empty for none. */
  fromName: string;
  to: string[];
  cc: string[];
  replyTo: string[];
  inReplyTo: string | null;
  references: string[];
  /** The Date header, ISO 8601. */
  date: string | null;
  /** The account whose quota counted the mail; null when a payment comes with it instead. */
  countedFor: string | null;
  /** The reservation of the payment's nonce. */
  reservedPayment?: string | null;
  /** Where its recipients were counted: at an address of the account (empty: the account), or at its platform. */
  counted: (string | { platformId: string })[];
}

/** A mail that waits until an operator lets it go. */
export const REVIEWS = table(
  'reviews',
  {
    id: exported.text('id'),
    accountId: exported.text('account_id'),
    outboxId: exported.text('outbox_id'),
    /** The sender. */
    address: exported.text('address'),
    recipients: exported.json<string[]>()('recipients'),
    subject: exported.text('subject'),
    /** Why it waits. */
    reason: exported.text('reason'),
    /** The kinds of well-known secrets in it. */
    secrets: exported.json<string[]>()('secrets'),
    held: exported.json<HeldMail>()('held'),
    /** The payment that is settled when the mail is released, as JSON. */
    payment: column.sealed('payment').orNull(),
    status: exported.enum<ReviewStatus>()('status'),
    createdAt: exported.integer('created_at'),
    expiresAt: exported.integer('expires_at'),
    resolvedAt: exported.integer('resolved_at').orNull(),
    resolvedBy: exported.text('resolved_by').orNull(),
    /** What the operator wrote. */
    comment: exported.text('comment').orNull(),
  },
  { key: ['id'], account: ['accountId'], erase: 'delete', page: ['id'] },
);
export type Review = RecordOf<typeof REVIEWS>;

/** What the sender of a mail sees of the review that it waits for. */
export type OpenReview = Pick<Review, 'id' | 'reason' | 'createdAt' | 'expiresAt'>;

/** The payment of a held mail is a signed order to pay, so it is sealed. */
export const REVIEW_PAYMENT: SealedColumn = {
  purpose: 'held-payment',
  table: 'reviews',
  column: 'payment',
  id: 'id',
};

/** Why a mail is held, for the person who decides. */
export const WHY = {
  always: 'Every email of this account waits for you.',
  first_contact: 'A recipient is new: neither on the list of this account nor remembered by an operator.',
  not_listed: 'A recipient is not on the list of those that this account may write to.',
  after_suspicious: 'The agent read a suspicious email shortly before, or this one belongs to its conversation.',
  secrets: 'It contains what looks like a secret.',
} as const;
export type Why = keyof typeof WHY;

/** A decision, and what became of the mail. */
export interface ReviewDecision {
  review: Review;
  /** Why the mail failed; null when it is on its way. */
  error: string | null;
}
