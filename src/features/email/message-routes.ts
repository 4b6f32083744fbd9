import { Type } from 'typebox';
import { type Endpoint, endpoint, reply } from '../../kernel/endpoint.ts';
import { cursorParam, limitParam, media, nextCursor, record, text } from '../../kernel/fields.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Database } from '../../kernel/transaction.ts';
import { type AddressRules, findAddress } from '../addresses/address-rules.ts';
import type { Intake } from './intake-rules.ts';
import {
  flagMessage,
  type Message,
  readInbox,
  readParts,
  removeMessage,
  requireAttachment,
  requireMessage,
  requireRaw,
} from './message-rules.ts';
import { FullMessage, fullMessage, MessageEntry, messageEntry } from './message-schema.ts';

export interface MessageRouteDeps {
  addresses: AddressRules;
  intake: Intake;
  database: Database;
}

const TAG = 'Email';
/** An id may be an RFC 5322 Message-ID, whose line length is its only bound. */
const Params = record({
  id: text(1000, { minLength: 1, description: '`message_id`, or the RFC 5322 Message-ID URL-encoded.' }),
});
const AddressQuery = record({ address: text(254, { description: 'The inbox: an address of this account.' }) });

const inbox = ({ addresses, intake, database }: MessageRouteDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/email/inbox',
    operation: 'listInbox',
    tag: TAG,
    summary: 'The messages of an address, newest first',
    description:
      'The first look at an address that nobody has claims it. Archived messages are left out unless asked for.',
    auth: 'key',
    effect: 'lazy',
    action: 'address.claimed',
    query: record({
      address: text(254),
      limit: limitParam(20, 100),
      unread: Type.Optional(
        Type.Boolean({ description: 'Only messages that are not read (`true`) or are (`false`).' }),
      ),
      archived: Type.Optional(
        Type.Boolean({ default: false, description: 'Archived messages instead of the others.' }),
      ),
      cursor: cursorParam(),
    }),
    replies: {
      200: record({
        messages: Type.Array(MessageEntry),
        has_more: Type.Boolean(),
        count: Type.Integer(),
        address: Type.String(),
        next_cursor: nextCursor(),
      }),
    },
    errors: ['invalid_address', 'address_forbidden', 'address_reserved', 'address_limit', 'invalid_cursor'],
    handle: async ({ principal, query, now, transact }) => {
      const address = addresses.normalize(query.address);
      if (!(await findAddress(database, address))) {
        return transact(async (tx, audit) => {
          const { accountId, tier } = principal;
          await addresses.claim(tx, { accountId, tier, address, publicKey: null, now });
          audit.resourceId = address;
          return reply(200, { messages: [], has_more: false, count: 0, address, next_cursor: null });
        });
      }
      await addresses.requireOwned(database, principal, address);
      await intake.settled(address);
      const { unread, cursor, archived = false } = query;
      const page = await readInbox(database, { address, archived, unread, cursor, limit: query.limit as number });
      const messages = page.messages.map(messageEntry);
      return reply(200, {
        messages,
        has_more: page.hasMore,
        count: messages.length,
        address,
        next_cursor: page.nextCursor,
      });
    },
  });

interface MessageRequest {
  principal: Principal;
  params: { id: string };
  query: { address: string };
}

async function ownedMessage({ addresses, intake, database }: MessageRouteDeps, call: MessageRequest): Promise<Message> {
  const { address } = await addresses.requireOwned(database, call.principal, call.query.address);
  await intake.settled(address);
  return requireMessage(database, address, call.params.id);
}

const ERRORS = ['invalid_address', 'address_forbidden', 'not_found'] as const;

const readMessage = (deps: MessageRouteDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/email/messages/{id}',
    operation: 'getMessage',
    tag: TAG,
    summary: 'Read a message',
    description: 'Marks it read.',
    auth: 'key',
    effect: 'lazy',
    action: 'message.read',
    params: Params,
    query: AddressQuery,
    replies: { 200: FullMessage },
    errors: ERRORS,
    handle: async (call) => {
      const message = await ownedMessage(deps, call);
      const body = fullMessage({ ...message, read: true }, await readParts(deps.database, message));
      if (message.read) return reply(200, body);
      return call.transact(async (tx, audit) => {
        await flagMessage(tx, message, { read: true });
        audit.resourceId = message.id;
        return reply(200, body);
      });
    },
  });

const patchMessage = (deps: MessageRouteDeps) =>
  endpoint({
    method: 'PATCH',
    path: '/v1/email/messages/{id}',
    operation: 'updateMessage',
    tag: TAG,
    summary: 'Mark a message read or archived, or take that back',
    auth: 'key',
    effect: 'write',
    action: 'message.updated',
    params: Params,
    query: AddressQuery,
    body: record({ read: Type.Optional(Type.Boolean()), archived: Type.Optional(Type.Boolean()) }),
    replies: {
      200: record({
        updated: Type.Boolean(),
        message_id: Type.String(),
        read: Type.Boolean(),
        archived: Type.Boolean(),
      }),
    },
    errors: ERRORS,
    handle: async (call) => {
      const found = await ownedMessage(deps, call);
      return call.transact(async (tx, audit) => {
        const message = await requireMessage(tx, found.address, found.id);
        await flagMessage(tx, message, call.body);
        audit.resourceId = message.id;
        const { read = message.read, archived = message.archived } = call.body;
        return reply(200, { updated: true, message_id: message.id, read, archived });
      });
    },
  });

const deleteMessage = (deps: MessageRouteDeps) =>
  endpoint({
    method: 'DELETE',
    path: '/v1/email/messages/{id}',
    operation: 'deleteMessage',
    tag: TAG,
    summary: 'Delete a message for good',
    auth: 'key',
    effect: 'write',
    action: 'message.deleted',
    params: Params,
    query: AddressQuery,
    replies: { 200: record({ deleted: Type.Boolean(), message_id: Type.String() }) },
    errors: ERRORS,
    handle: async (call) => {
      const found = await ownedMessage(deps, call);
      return call.transact(async (tx, audit) => {
        const message = await requireMessage(tx, found.address, found.id);
        await removeMessage(tx, message);
        audit.resourceId = message.id;
        return reply(200, { deleted: true, message_id: message.id });
      });
    },
  });

const rawMessage = (deps: MessageRouteDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/email/messages/{id}/raw',
    operation: 'getRawMessage',
    tag: TAG,
    summary: 'The message as it arrived, byte for byte',
    description: 'RFC 5322 with our `Received` line in front. For a sealed message: IV ‖ ciphertext ‖ tag.',
    auth: 'key',
    effect: 'none',
    params: Params,
    query: AddressQuery,
    replies: { 200: media('message/rfc822', 'The raw message.') },
    errors: ERRORS,
    handle: async (call) => {
      const message = await ownedMessage(deps, call);
      const raw = await requireRaw(deps.database, message);
      return reply(200, raw, {
        'content-type': message.encryption ? 'application/octet-stream' : 'message/rfc822',
        'x-content-type-options': 'nosniff',
      });
    },
  });

/** `name` may be anything a stranger wrote: RFC 6266 with the RFC 5987 form alone, so that nothing need be quoted. */
const disposition = (name: string | null): string =>
  name === null
    ? 'attachment'
    : `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`;

const attachment = (deps: MessageRouteDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/email/messages/{id}/attachments/{n}',
    operation: 'getAttachment',
    tag: TAG,
    summary: 'The bytes of an attachment',
    description: 'Always sent as a download: what strangers mail must not run in a browser.',
    auth: 'key',
    effect: 'none',
    params: record({ id: Params.properties.id, n: Type.Integer({ minimum: 0, maximum: 1000 }) }),
    query: AddressQuery,
    replies: {
      200: media('application/octet-stream', 'The attachment; IV ‖ ciphertext ‖ tag when the message is sealed.'),
    },
    errors: ERRORS,
    handle: async (call) => {
      const message = await ownedMessage(deps, call);
      const file = await requireAttachment(deps.database, message, call.params.n);
      return reply(200, file.content, {
        'content-type': 'application/octet-stream',
        'content-disposition': disposition(file.filename),
        'x-content-type-options': 'nosniff',
      });
    },
  });

export const messageRoutes = (deps: MessageRouteDeps): Endpoint[] => [
  inbox(deps),
  readMessage(deps),
  patchMessage(deps),
  deleteMessage(deps),
  rawMessage(deps),
  attachment(deps),
];
