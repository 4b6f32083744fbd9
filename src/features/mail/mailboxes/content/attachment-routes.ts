import { type Endpoint, endpoint, reply } from '../../../../api/endpoint.ts';
import { media, record } from '../../../../api/fields.ts';
import type { Principal } from '../../../../api/principal.ts';
import { requireScope } from '../../../../api/scopes.ts';
import type { Database } from '../../../../api/transaction.ts';
import { Type } from '../../../../base/schema.ts';
import type { MailboxRules } from '../mailbox.ts';
import { requireAttachmentBody, requireRawBody } from '../messages/message.ts';
import { AnyAddressQuery, MESSAGE_ERRORS, MessageParams } from '../messages/message-schema.ts';

const TAG = 'Email';

interface MessageCall {
  principal: Principal;
  params: { id: string };
  query: { address?: string; folder?: 'trash' };
}

const found = (mailboxes: MailboxRules, { principal, params, query }: MessageCall) =>
  mailboxes.message(principal, query.address, params.id, query.folder);

const rawMessage = (mailboxes: MailboxRules, database: Database) =>
  endpoint({
    method: 'GET',
    path: '/v1/email/messages/{id}/raw',
    operation: 'getRawMessage',
    tag: TAG,
    summary: 'Download a raw message',
    description:
      'Returns the message byte for byte as it arrived (RFC 5322), after this service’s `Received` header. A sealed message is IV ‖ ciphertext ‖ tag. Needs `mail:codes` too.',
    auth: 'key',
    scope: 'mail:read',
    addresses: 'filtered',
    effect: 'none',
    params: MessageParams,
    query: AnyAddressQuery,
    replies: { 200: media('message/rfc822', 'The raw message.') },
    errors: MESSAGE_ERRORS,
    handle: async (call) => {
      const message = await found(mailboxes, call);
      requireScope(call.principal, 'mail:codes');
      const { body, sizeBytes } = await requireRawBody(database, message);
      return reply(200, body, {
        'content-length': String(sizeBytes),
        'content-type': message.encryption ? 'application/octet-stream' : 'message/rfc822',
        'x-content-type-options': 'nosniff',
      });
    },
  });

/** The Content-Disposition header (RFC 6266). `name` is untrusted: only the RFC 5987 form is used, which needs no quotes. */
const disposition = (name: string | null): string =>
  name === null
    ? 'attachment'
    : `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`;

const attachment = (mailboxes: MailboxRules, database: Database) =>
  endpoint({
    method: 'GET',
    path: '/v1/email/messages/{id}/attachments/{n}',
    operation: 'getAttachment',
    tag: TAG,
    summary: 'Download an attachment',
    description: 'Always sent as a download, so that browsers do not run its content. Needs `mail:codes` too.',
    auth: 'key',
    scope: 'mail:read',
    addresses: 'filtered',
    effect: 'none',
    params: record({
      id: MessageParams.properties.id,
      n: Type.Integer({ minimum: 0, maximum: 1000, description: 'Number of the attachment, from 0.' }),
    }),
    query: AnyAddressQuery,
    replies: {
      200: media('application/octet-stream', 'The attachment; IV ‖ ciphertext ‖ tag when the message is sealed.'),
    },
    errors: MESSAGE_ERRORS,
    handle: async (call) => {
      const message = await found(mailboxes, call);
      requireScope(call.principal, 'mail:codes');
      const file = await requireAttachmentBody(database, message, call.params.n);
      return reply(200, file.body, {
        'content-length': String(file.sizeBytes),
        'content-type': 'application/octet-stream',
        'content-disposition': disposition(file.filename),
        'x-content-type-options': 'nosniff',
      });
    },
  });

export const attachmentRoutes = (mailboxes: MailboxRules, database: Database): Endpoint[] => [
  rawMessage(mailboxes, database),
  attachment(mailboxes, database),
];
