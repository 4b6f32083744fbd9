import type { AskerOf } from '../../../api/account/asker-fields.ts';
import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { cursorParam, limitParam, media, nextCursor, oneOf, record, text } from '../../../api/fields.ts';
import type { Database } from '../../../api/transaction.ts';
import { Type } from '../../../base/schema.ts';
import { linkTokenField } from '../../money/approvals/decision-schema.ts';
import {
  heldContentOf,
  pageOfReviews,
  type ReviewRules,
  requireHeldFile,
  requireLinkedReview,
  requireReview,
  shownReview,
} from './review.ts';
import {
  DecidedReview,
  decidedBody,
  LinkedReview,
  ReviewView,
  reviewBody,
  WholeReview,
  wholeBody,
} from './review-schema.ts';
import { REMEMBER, REVIEW_STATUSES, type Remember } from './review-table.ts';

const TAG = 'Email';
const ReviewId = record({ id: text(64, { description: 'The `review_id` of the held email.' }) });
const FileOfReview = record({ ...ReviewId.properties, n: Type.Integer({ minimum: 0, maximum: 1000 }) });
const FILE = { 200: media('application/octet-stream', 'The attachment.') };
const DOWNLOAD = {
  'content-type': 'application/octet-stream',
  'content-disposition': 'attachment',
  'x-content-type-options': 'nosniff',
};
const rememberField = <const R extends readonly Remember[]>(values: R) =>
  Type.Optional(
    oneOf(values, {
      description: 'Of an approval: `recipient` makes the recipients known; `domain` adds their domains to `allow`.',
    }),
  );
const reasonField = Type.Optional(text(1000, { description: 'A comment, kept with the review.' }));

const listReviews = (database: Database) =>
  endpoint({
    method: 'GET',
    path: '/v1/email/reviews',
    operation: 'listReviews',
    tag: TAG,
    summary: 'List held emails, newest first',
    description:
      'What the caller’s addresses sent. Only an operator can read whole emails and decide, under either authority.',
    auth: 'key',
    scope: 'mail:read',
    addresses: 'filtered',
    effect: 'none',
    bucket: 'inspect',
    query: record({
      status: Type.Optional(oneOf(REVIEW_STATUSES)),
      limit: limitParam(20, 100),
      cursor: cursorParam(),
    }),
    replies: { 200: record({ reviews: Type.Array(ReviewView), count: Type.Integer(), next_cursor: nextCursor() }) },
    errors: ['invalid_cursor'],
    handle: async ({ principal, query, now }) => {
      const filter = { status: query.status ?? null, cursor: query.cursor, limit: query.limit as number };
      const { rows, nextCursor } = await pageOfReviews(database, principal, filter);
      const reviews = rows.map((review) => reviewBody(shownReview(principal, review), now));
      return reply(200, { reviews, count: reviews.length, next_cursor: nextCursor });
    },
  });

const getReview = (database: Database) =>
  endpoint({
    method: 'GET',
    path: '/v1/email/reviews/{id}',
    operation: 'getReview',
    tag: TAG,
    summary: 'Read a held email',
    description: 'Shows the whole email and why it is held.',
    auth: 'key',
    scope: 'mail:read',
    wholeAccount: true,
    effect: 'none',
    bucket: 'inspect',
    params: ReviewId,
    replies: { 200: WholeReview },
    errors: ['not_found', 'operator_required'],
    handle: async ({ principal, params, now }) => {
      const review = await requireReview(database, principal, params.id);
      return reply(200, wholeBody(review, await heldContentOf(database, review), now));
    },
  });

const getReviewFile = (database: Database) =>
  endpoint({
    method: 'GET',
    path: '/v1/email/reviews/{id}/attachments/{n}',
    operation: 'getReviewAttachment',
    tag: TAG,
    summary: 'Download an attachment of a held email',
    description: '404 once it is decided.',
    auth: 'key',
    scope: 'mail:read',
    wholeAccount: true,
    effect: 'none',
    params: FileOfReview,
    replies: FILE,
    errors: ['not_found', 'operator_required'],
    handle: async ({ principal, params }) => {
      const review = await requireReview(database, principal, params.id);
      return reply(200, await requireHeldFile(database, review, params.n), DOWNLOAD);
    },
  });

const deciding = (
  reviews: ReviewRules,
  verb: 'approve' | 'reject',
  { operation, summary, description }: { operation: string; summary: string; description: string },
) =>
  endpoint({
    method: 'POST',
    path: `/v1/email/reviews/{id}/${verb}`,
    operation,
    summary,
    description,
    tag: TAG,
    auth: 'key',
    scope: 'mail:send',
    wholeAccount: true,
    effect: 'write',
    leaves: verb === 'approve' ? ['mail'] : [],
    ...(verb === 'reject' ? { bucket: 'revoke' } : {}),
    action: verb === 'approve' ? 'review.approved' : 'review.rejected',
    params: ReviewId,
    body: record({ reason: reasonField, ...(verb === 'approve' ? { remember: rememberField(REMEMBER) } : {}) }),
    replies: { 200: DecidedReview },
    errors: [
      ...(['not_found', 'operator_required', 'already_resolved', 'expired', 'payment_unavailable'] as const),
      ...(verb === 'approve' ? (['public_domain'] as const) : []),
    ],
    handle: async ({ principal, params, body, now, transact }) =>
      transact(async (tx, audit) => {
        audit.resourceId = params.id;
        const { reason: comment = null, remember = 'none' } = body as { reason?: string; remember?: Remember };
        const decision = { approve: verb === 'approve', remember, comment, by: 'session' as const, now };
        return reply(200, decidedBody(await reviews.resolve(tx, principal, params.id, decision), now));
      }),
  });

const withdrawReview = (reviews: ReviewRules) =>
  endpoint({
    method: 'POST',
    path: '/v1/email/reviews/{id}/withdraw',
    operation: 'withdrawReview',
    tag: TAG,
    summary: 'Withdraw a held email',
    description: 'It is not sent and does not count in the emails of the day. No payment is taken.',
    auth: 'key',
    scope: 'mail:send',
    addresses: 'filtered',
    effect: 'write',
    leaves: [],
    bucket: 'revoke',
    action: 'review.withdrawn',
    params: ReviewId,
    replies: { 200: DecidedReview },
    errors: ['not_found', 'already_resolved'],
    handle: async ({ principal, params, now, transact }) =>
      transact(async (tx, audit) => {
        audit.resourceId = params.id;
        const decided = await reviews.withdraw(tx, principal, params.id, now);
        return reply(200, decidedBody({ ...decided, review: shownReview(principal, decided.review) }, now));
      }),
  });

const viewReview = (database: Database, agentOf: AskerOf) =>
  endpoint({
    method: 'POST',
    path: '/v1/email/reviews/{id}/view',
    operation: 'viewReview',
    tag: TAG,
    summary: 'Read the held email of an emailed link',
    description: 'Requires no key, only the token from the link. Nothing is decided.',
    auth: 'none',
    effect: 'none',
    params: ReviewId,
    body: record({ token: linkTokenField }),
    replies: { 200: LinkedReview },
    errors: ['invalid_token'],
    handle: async ({ params, body, now }) => {
      const given = { id: params.id, token: body.token, now };
      const { request: review, needsPasskey } = await requireLinkedReview(database, given);
      const whole = wholeBody(review, await heldContentOf(database, review), now);
      return reply(200, { ...whole, agent: await agentOf(database, review.accountId), passkey_required: needsPasskey });
    },
  });

const viewReviewFile = (database: Database) =>
  endpoint({
    method: 'POST',
    path: '/v1/email/reviews/{id}/view/attachments/{n}',
    operation: 'viewReviewAttachment',
    tag: TAG,
    summary: 'Download an attachment of the held email of an emailed link',
    description: '404 once it is decided.',
    auth: 'none',
    effect: 'none',
    params: FileOfReview,
    body: record({ token: linkTokenField }),
    replies: FILE,
    errors: ['invalid_token', 'not_found'],
    handle: async ({ params, body, now }) => {
      const { request: review } = await requireLinkedReview(database, { id: params.id, token: body.token, now });
      return reply(200, await requireHeldFile(database, review, params.n), DOWNLOAD);
    },
  });

const decideReview = (reviews: ReviewRules) =>
  endpoint({
    method: 'POST',
    path: '/v1/email/reviews/{id}/decide',
    operation: 'decideReview',
    tag: TAG,
    summary: 'Approve or reject with the token from an emailed link',
    description: 'Requires no key, only the token from the link that was emailed to the operator.',
    auth: 'none',
    effect: 'write',
    leaves: ['mail'],
    action: 'review.decided',
    params: ReviewId,
    body: record({
      token: linkTokenField,
      decision: oneOf(['approve', 'reject']),
      reason: reasonField,
      remember: rememberField(['none', 'recipient']),
    }),
    replies: { 200: DecidedReview },
    errors: ['invalid_token', 'already_resolved', 'expired', 'passkey_required', 'payment_unavailable'],
    handle: async ({ params, body, now, transact }) =>
      transact(async (tx, audit) => {
        const approve = body.decision === 'approve';
        const { reason: comment = null, remember = 'none' } = body;
        const decision = { approve, remember, comment, by: 'mail_link' as const, now };
        const { decided, person } = await reviews.resolveByToken(tx, params.id, body.token, decision);
        audit.actor = person;
        audit.resourceId = decided.review.id;
        audit.summary = approve ? 'Let a held mail go out' : 'Rejected a held mail';
        audit.accountId = decided.review.accountId;
        return reply(200, decidedBody(decided, now));
      }),
  });

export const reviewRoutes = (reviews: ReviewRules, database: Database, agentOf: AskerOf): Endpoint[] => [
  listReviews(database),
  getReview(database),
  getReviewFile(database),
  deciding(reviews, 'approve', {
    operation: 'approveReview',
    summary: 'Let a held email go out',
    description: 'Sends it once, and settles the payment that came with it.',
  }),
  deciding(reviews, 'reject', {
    operation: 'rejectReview',
    summary: 'Reject a held email',
    description: 'It is not sent, and does not count in the emails of the day. No payment is taken.',
  }),
  withdrawReview(reviews),
  viewReview(database, agentOf),
  viewReviewFile(database),
  decideReview(reviews),
];
