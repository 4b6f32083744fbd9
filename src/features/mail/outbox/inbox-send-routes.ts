import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { invalidField } from '../../../api/errors.ts';
import { record, text } from '../../../api/fields.ts';
import { Type } from '../../../base/schema.ts';
import { plainRequest } from './mail-composition.ts';
import type { OutboxDeps } from './outbox-deps.ts';
import { prepareMail } from './prepared-mail.ts';
import { copyFields, listOf, SEND_ERRORS, sentNote } from './send-schema.ts';
import type { OutboxRules } from './sent-mail.ts';

const TAG = 'Inbox';
const AddressParams = record({
  address: text(254, { minLength: 1, description: 'An address of this account, or its local part.' }),
});

const sendFromInbox = (outbox: OutboxRules, deps: OutboxDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/inbox/{address}/send',
    operation: 'sendFromInbox',
    tag: TAG,
    summary: 'Send an email from this address',
    description: 'A simpler form of `POST /v1/email/send`, with the same limits.',
    auth: 'key',
    scope: 'mail:send',
    addresses: 'filtered',
    effect: 'write',
    leaves: ['mail'],
    action: 'email.sent',
    params: AddressParams,
    body: record({
      to: Type.Union([text(254), Type.Array(text(254), { minItems: 1, maxItems: 100 })]),
      ...copyFields,
      subject: text(998),
      body: Type.Optional(text(1_048_576, { description: 'Plain text. Send this, `html`, or both.' })),
      html: Type.Optional(text(1_048_576)),
    }),
    bodyLimitBytes: 4 * 1_048_576,
    payable: true,
    replies: {
      200: record({
        sent: Type.Boolean({ description: 'False if no recipient exists.' }),
        id: Type.String(),
        from: Type.String(),
        to: Type.Array(Type.String()),
        subject: Type.String(),
        status: Type.String({ description: '`pending`, `sent` or `failed`.' }),
        payment_id: Type.Optional(Type.String({ description: 'The payment, if the email was over the limit.' })),
      }),
      202: record({
        sent: Type.Boolean({ description: 'False: the email waits for a review.' }),
        id: Type.String(),
        from: Type.String(),
        to: Type.Array(Type.String()),
        subject: Type.String(),
        status: Type.String(),
        review_id: Type.String(),
        reason: Type.String(),
      }),
    },
    errors: SEND_ERRORS,
    handle: async (call) => {
      const { principal, params, body, now, transact } = call;
      if (body.body === undefined && body.html === undefined) {
        throw invalidField('/body/body', 'required', 'Send body, html, or both.');
      }
      const from = await deps.mailboxes.sender(principal, params.address);
      const to = typeof body.to === 'string' ? [body.to] : body.to;
      const request = {
        ...plainRequest(from, to, body.subject),
        cc: listOf(body.cc),
        bcc: listOf(body.bcc),
        text: body.body ?? null,
        html: body.html ?? null,
      };
      const path = `/v1/inbox/${from.address}/send`;
      const { draft, payment } = await prepareMail(outbox, deps, call, request, path);
      return transact(async (tx, audit) => {
        const sent = await outbox.send(tx, draft, principal, payment, now);
        const { entry, paymentId, review } = sent;
        Object.assign(audit, sentNote(sent));
        const { id, address, recipients: to, subject, status } = entry;
        const mail = { id, from: address, to, subject };
        if (review)
          return reply(202, { sent: false, ...mail, status: 'pending', review_id: review.id, reason: review.reason });
        const paid = paymentId === null ? {} : { payment_id: paymentId };
        return reply(200, { sent: status !== 'failed', ...mail, status, ...paid });
      });
    },
  });

export const inboxSendRoutes = (outbox: OutboxRules, deps: OutboxDeps): Endpoint[] => [sendFromInbox(outbox, deps)];
