import type { Static } from 'typebox';
import { type Endpoint, endpoint } from '../../../api/endpoint.ts';
import { invalidField } from '../../../api/errors.ts';
import { record, text } from '../../../api/fields.ts';
import { requireScope } from '../../../api/scopes.ts';
import { Type } from '../../../base/schema.ts';
import { MESSAGE_ERRORS, MessageParams } from '../mailboxes/messages/message-schema.ts';
import { decodeFiles } from './attached-files.ts';
import type { SendRequest } from './mail-composition.ts';
import type { OutboxDeps } from './outbox-deps.ts';
import { prepareMail, withLargeParts } from './prepared-mail.ts';
import { answered, forward, replyTo, replyToAll } from './reply.ts';
import {
  contentFields,
  copyFields,
  listOf,
  mailFields,
  SEND_BODY_BYTES,
  SEND_ERRORS,
  SEND_REPLIES,
  sentNote,
  sentReply,
} from './send-schema.ts';
import { REPLY_TOOLS } from './send-tools.ts';
import type { OutboxRules } from './sent-mail.ts';

const WhichInbox = record({
  address: Type.Optional(text(254, { description: 'The inbox. Needed only to name the message by its Message-ID.' })),
});
const ReplyBody = record({ ...contentFields, ...copyFields });
const ForwardBody = record({
  to: mailFields.to,
  ...copyFields,
  text: mailFields.text,
  metadata: contentFields.metadata,
});
const ERRORS = [...SEND_ERRORS, ...MESSAGE_ERRORS];

/** The fields of an answer, added to what follows from the message. @throws ApiError `invalid_request` */
async function written(request: SendRequest, body: Static<typeof ReplyBody>): Promise<SendRequest> {
  if (body.text === undefined && body.html === undefined)
    throw invalidField('/body/text', 'required', 'Send text, html, or both.');
  return {
    ...request,
    text: body.text ?? null,
    html: body.html ?? null,
    cc: [...request.cc, ...listOf(body.cc)],
    bcc: listOf(body.bcc),
    attachments: await decodeFiles(body.attachments),
    metadata: body.metadata,
  };
}

const answer = (
  outbox: OutboxRules,
  deps: OutboxDeps,
  { action, operation, summary, description }: Record<'action' | 'operation' | 'summary' | 'description', string>,
  toAll: boolean,
) =>
  endpoint({
    method: 'POST',
    path: `/v1/email/messages/{id}/${action}`,
    operation,
    summary,
    description,
    ...(toAll ? {} : { tools: REPLY_TOOLS }),
    tag: 'Email',
    auth: 'key',
    scope: 'mail:send',
    addresses: 'filtered',
    effect: 'write',
    leaves: ['mail'],
    action: 'email.sent',
    params: MessageParams,
    query: WhichInbox,
    body: ReplyBody,
    bodyLimitBytes: SEND_BODY_BYTES,
    payable: true,
    replies: SEND_REPLIES,
    errors: ERRORS,
    handle: async (call) => {
      const { principal, params, query, body, now, transact } = call;
      const { message, from } = await answered(deps, principal, query.address, params.id);
      const plain = toAll
        ? replyToAll(from, message, await deps.mailboxes.ownAddresses(principal))
        : replyTo(from, message);
      const path = `/v1/email/messages/${message.id}/${action}`;
      const mail = await prepareMail(outbox, deps, call, await written(plain, body), path);
      return withLargeParts(deps, call, mail.draft, (draft) =>
        transact(async (tx, audit) => {
          const sent = await outbox.send(tx, draft, principal, mail.payment, now);
          Object.assign(audit, sentNote(sent));
          return sentReply(sent);
        }),
      );
    },
  });

const forwardMessage = (outbox: OutboxRules, deps: OutboxDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/email/messages/{id}/forward',
    operation: 'forwardMessage',
    tag: 'Email',
    summary: 'Forward a message',
    description: 'With its text and attachments, after your `text`. Needs `mail:read` and `mail:codes` too.',
    auth: 'key',
    scope: 'mail:send',
    addresses: 'filtered',
    effect: 'write',
    leaves: ['mail'],
    action: 'email.sent',
    params: MessageParams,
    query: WhichInbox,
    body: ForwardBody,
    bodyLimitBytes: 4 * 1_048_576,
    payable: true,
    replies: SEND_REPLIES,
    errors: ERRORS,
    handle: async (call) => {
      const { principal, params, query, body, now, transact } = call;
      const { message, from } = await answered(deps, principal, query.address, params.id);
      // A key that may only send could otherwise read mail by forwarding it to itself.
      requireScope(principal, 'mail:read');
      requireScope(principal, 'mail:codes');
      const request = {
        ...(await forward(deps.database, from, message, body.text ?? '')),
        to: listOf(body.to),
        cc: listOf(body.cc),
        bcc: listOf(body.bcc),
        metadata: body.metadata,
      };
      const path = `/v1/email/messages/${message.id}/forward`;
      const mail = await prepareMail(outbox, deps, call, request, path);
      return withLargeParts(deps, call, mail.draft, (draft) =>
        transact(async (tx, audit) => {
          const sent = await outbox.send(tx, draft, principal, mail.payment, now);
          Object.assign(audit, sentNote(sent));
          return sentReply(sent);
        }),
      );
    },
  });

const REPLY = {
  action: 'reply',
  operation: 'replyToMessage',
  summary: 'Reply to the sender of a message',
  description: 'Goes to Reply-To, or else From, in the same conversation. Quotes nothing.',
};
const REPLY_ALL = {
  action: 'reply_all',
  operation: 'replyToAll',
  summary: 'Reply to everybody a message names',
  description: 'Goes to the sender, To and Cc, without your own addresses.',
};

export const replyRoutes = (outbox: OutboxRules, deps: OutboxDeps): Endpoint[] => [
  answer(outbox, deps, REPLY, false),
  answer(outbox, deps, REPLY_ALL, true),
  forwardMessage(outbox, deps),
];
