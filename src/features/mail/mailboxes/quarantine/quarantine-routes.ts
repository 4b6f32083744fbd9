import { type Endpoint, endpoint, reply } from '../../../../api/endpoint.ts';
import { cursorParam, limitParam, nextCursor, record, text } from '../../../../api/fields.ts';
import { Type } from '../../../../base/schema.ts';
import type { MailboxDeps } from '../mailbox.ts';
import { QuarantinedMail, quarantinedBody } from './quarantine-schema.ts';
import { deleteQuarantined, pageOfQuarantine, releaseMessage } from './quarantined-mail.ts';

const MessageId = record({ id: text(64, { description: 'The `message_id`.' }) });

const listQuarantine = ({ database, mailPolicy }: MailboxDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/email/quarantine',
    operation: 'listQuarantine',
    tag: 'Email',
    summary: 'List mail in quarantine, newest first',
    description: 'Without content. Only an operator or, where the account has the authority, its primary key can.',
    auth: 'key',
    scope: 'mail:read',
    wholeAccount: true,
    effect: 'none',
    query: record({ limit: limitParam(20, 100), cursor: cursorParam() }),
    replies: {
      200: record({
        messages: Type.Array(QuarantinedMail),
        count: Type.Integer(),
        next_cursor: nextCursor(),
      }),
    },
    errors: ['invalid_cursor', 'operator_required'],
    handle: async ({ principal, query }) => {
      await mailPolicy.requireReleaser(database, principal);
      const page = { cursor: query.cursor, limit: query.limit as number };
      const { rows, nextCursor } = await pageOfQuarantine(database, principal.accountId, page);
      const messages = rows.map(quarantinedBody);
      return reply(200, { messages, count: messages.length, next_cursor: nextCursor });
    },
  });

const releaseQuarantined = ({ mailPolicy, appendEvents }: MailboxDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/email/quarantine/{id}/release',
    operation: 'releaseQuarantined',
    tag: 'Email',
    summary: 'Release a message from quarantine',
    description: 'It appears in the inbox as if it had just arrived.',
    auth: 'key',
    scope: 'mail:manage',
    wholeAccount: true,
    effect: 'write',
    leaves: [],
    action: 'quarantine.released',
    params: MessageId,
    replies: { 200: record({ ok: Type.Boolean(), message_id: Type.String() }) },
    errors: ['not_found', 'operator_required'],
    handle: async ({ principal, params, now, transact }) =>
      transact(async (tx, audit) => {
        await mailPolicy.requireReleaser(tx, principal);
        audit.resourceId = params.id;
        await appendEvents(tx, [await releaseMessage(tx, principal.accountId, params.id, now)]);
        return reply(200, { ok: true, message_id: params.id });
      }),
  });

const removeQuarantined = ({ mailPolicy }: MailboxDeps) =>
  endpoint({
    method: 'DELETE',
    path: '/v1/email/quarantine/{id}',
    operation: 'deleteQuarantined',
    tag: 'Email',
    summary: 'Delete a message in quarantine',
    description: 'Deletes it for good. The sender is not told.',
    auth: 'key',
    scope: 'mail:manage',
    wholeAccount: true,
    effect: 'write',
    leaves: [],
    action: 'quarantine.deleted',
    params: MessageId,
    replies: { 200: record({ ok: Type.Boolean() }) },
    errors: ['not_found', 'operator_required'],
    handle: async ({ principal, params, transact }) =>
      transact(async (tx, audit) => {
        await mailPolicy.requireReleaser(tx, principal);
        audit.resourceId = params.id;
        await deleteQuarantined(tx, principal.accountId, params.id);
        return reply(200, { ok: true });
      }),
  });

export const quarantineRoutes = (deps: MailboxDeps): Endpoint[] => [
  listQuarantine(deps),
  releaseQuarantined(deps),
  removeQuarantined(deps),
];
