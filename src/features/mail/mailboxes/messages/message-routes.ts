import { asText, type Endpoint, endpoint, reply } from '../../../../api/endpoint.ts';
import { cursorParam, limitParam, nextCursor, oneOf, record, text, waitParam } from '../../../../api/fields.ts';
import { Type } from '../../../../base/schema.ts';
import { LIST_TOOLS, READ_TOOLS } from '../mail-tools.ts';
import type { MailboxDeps, MailboxRules } from '../mailbox.ts';
import { readShownInbox } from '../search/masked-search.ts';
import { changeMessage, readParts, removeMessage } from './message.ts';
import {
  AddressQuery,
  ChangedMessage,
  type Claim,
  changedMessage,
  claimFields,
  claimParam,
  FullMessage,
  listFilters,
  MESSAGE_ERRORS,
  MessageChangeBody,
  MessageEntry,
  MessageParams,
  messageEntry,
  messageFilter,
  OWN,
} from './message-schema.ts';
import type { Message, Shown } from './message-table.ts';
import { type Parts, shownWhole } from './shown-mail.ts';
import { moveToTrash } from './trash.ts';
import { wrapUntrusted } from './untrusted-text.ts';

const TAG = 'Email';
const InboxQuery = record({
  address: text(254, { description: 'An address, or only its local part.' }),
  limit: limitParam(20, 100),
  ...listFilters,
  archived: Type.Optional(
    Type.Boolean({ default: false, description: 'List archived messages instead of the others.' }),
  ),
  cursor: cursorParam(),
  wait: waitParam(),
  claim: claimParam(),
});

const inbox = (mailboxes: MailboxRules, { database, waitFor }: MailboxDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/email/inbox',
    operation: 'listInbox',
    tag: TAG,
    summary: 'List the messages of an address',
    description: 'Newest first, without archived messages by default. Listing a free address claims it.',
    auth: 'key',
    scope: 'mail:read',
    addresses: 'filtered',
    effect: 'lazy',
    leaves: [],
    action: 'address.claimed',
    tools: LIST_TOOLS,
    query: InboxQuery,
    replies: {
      200: record({
        messages: Type.Array(MessageEntry),
        has_more: Type.Boolean(),
        count: Type.Integer({ description: 'Messages on this page.' }),
        address: Type.String(),
        next_cursor: nextCursor(),
        ...claimFields,
      }),
    },
    errors: [
      'invalid_address',
      'address_forbidden',
      'address_reserved',
      'address_limit',
      'invalid_cursor',
      'not_found',
    ],
    handle: async (call) => {
      const { principal, query, now, transact } = call;
      const { archived, cursor, wait } = query;
      const address = mailboxes.normalize(query.address);
      let claim: Claim = OWN;
      if (await mailboxes.isFree(principal, address)) {
        if (query.claim === false) throw await mailboxes.notClaimed(principal, address);
        const claimed = await transact(async (tx, audit) => {
          const warning = await mailboxes.claimOnSight(tx, principal, address, now);
          claim = { claimed: true, already_owned: false, ...(warning ? { warning } : {}) };
          audit.resourceId = address;
          return reply(200, { ...claim, messages: [], has_more: false, count: 0, address, next_cursor: null });
        });
        if (wait === undefined) return claimed;
      }
      await mailboxes.open(principal, address);
      const filter = { ...messageFilter(query, archived), address, cursor, limit: query.limit as number };
      const page = await waitFor(
        call,
        wait,
        () => readShownInbox(database, principal, filter),
        ({ messages }) => messages.length > 0,
      );
      await mailboxes.noteRead(page.messages);
      const messages = page.messages.map(messageEntry);
      return reply(200, {
        ...claim,
        messages,
        has_more: page.hasMore,
        count: messages.length,
        address,
        next_cursor: page.nextCursor,
      });
    },
  });

function fullMessage(message: Shown<Message>, parts: Parts, withHidden: boolean) {
  const { encryption } = message;
  const inTrash = message.folder === 'trash' ? '&folder=trash' : '';
  const query = `?address=${encodeURIComponent(message.address)}${inTrash}`;
  return {
    ...messageEntry(message),
    cc: message.recipients.cc,
    reply_to: message.recipients.reply_to,
    in_reply_to: message.inReplyTo,
    references: message.references,
    sent_at: message.sentAt,
    body: parts.text,
    html: parts.html,
    text: parts.visibleText,
    reply_text: parts.replyText,
    attachments: parts.attachments.map(({ n, filename, contentType, contentId, sizeBytes }) => ({
      filename,
      content_type: contentType,
      size: sizeBytes,
      ...(contentId === null ? {} : { content_id: contentId }),
      url: `/v1/email/messages/${message.id}/attachments/${n}${query}`,
    })),
    size: message.sizeBytes,
    safety: parts.safety,
    hidden_text_chars: parts.hidden?.chars ?? null,
    ...(withHidden && parts.hidden ? { hidden_text: parts.hidden.text } : {}),
    ...parts.found,
    parsed: parts.parsed,
    problem: parts.problem,
    ...(encryption
      ? {
          ephemeral_public_key: encryption.ephemeral_public_key,
          encryption: { alg: encryption.alg, key_id: encryption.key_id },
        }
      : {}),
  };
}

const readMessage = (mailboxes: MailboxRules, { database }: MailboxDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/email/messages/{id}',
    operation: 'getMessage',
    tag: TAG,
    summary: 'Read a message',
    description:
      'Reading marks it read, except in the trash. `format=llm` returns text for a model, with what the sender wrote in a fence.',
    alsoText: 'text/plain',
    auth: 'key',
    scope: 'mail:read',
    addresses: 'filtered',
    effect: 'lazy',
    leaves: [],
    action: 'message.read',
    tools: READ_TOOLS,
    params: MessageParams,
    query: record({
      ...AddressQuery.properties,
      format: Type.Optional(oneOf(['llm'])),
      include: Type.Optional(oneOf(['hidden'], { description: 'Adds `hidden_text`.' })),
    }),
    replies: { 200: FullMessage },
    errors: MESSAGE_ERRORS,
    handle: async (call) => {
      const message = await mailboxes.message(call.principal, call.query.address, call.params.id, call.query.folder);
      const parts = await readParts(database, message);
      const { format, include } = call.query;
      const answer = (current: Message) => {
        const seen = shownWhole(call.principal, current, parts);
        return format === 'llm'
          ? asText(200, wrapUntrusted(seen.message, seen.parts))
          : reply(200, fullMessage(seen.message, seen.parts, include === 'hidden'));
      };
      if (message.read || message.folder === 'trash') return answer(message);
      return call.transact(async (tx, audit) => {
        audit.resourceId = message.id;
        const changed = await changeMessage(tx, call.principal, message, { read: true });
        return answer(changed.message);
      });
    },
  });

const patchMessage = (mailboxes: MailboxRules) =>
  endpoint({
    method: 'PATCH',
    path: '/v1/email/messages/{id}',
    operation: 'updateMessage',
    tag: TAG,
    summary: 'Update a message',
    description:
      'Sets or clears `read` and `archived`, changes labels, and moves it. Absent fields stay. With `?folder=trash`, `folder` restores a message.',
    auth: 'key',
    scope: 'mail:manage',
    addresses: 'filtered',
    effect: 'write',
    leaves: [],
    action: 'message.updated',
    params: MessageParams,
    query: AddressQuery,
    body: MessageChangeBody,
    replies: { 200: ChangedMessage },
    errors: [...MESSAGE_ERRORS, 'metadata_too_large'],
    handle: async (call) => {
      const { address, folder } = call.query;
      const found = await mailboxes.message(call.principal, address, call.params.id, folder);
      return call.transact(async (tx, audit) => {
        const { message } = await changeMessage(tx, call.principal, found, call.body, folder);
        audit.resourceId = message.id;
        return reply(200, changedMessage(message));
      });
    },
  });

const deleteMessage = (mailboxes: MailboxRules, { enqueueJob }: MailboxDeps) =>
  endpoint({
    method: 'DELETE',
    path: '/v1/email/messages/{id}',
    operation: 'deleteMessage',
    tag: TAG,
    summary: 'Delete a message',
    description:
      'Moves it to the trash for 30 days; every call about it is then 404 without `?folder=trash`. Deletes it for good with `permanent`, or when it is in the trash.',
    auth: 'key',
    scope: 'mail:manage',
    addresses: 'filtered',
    effect: 'write',
    leaves: [],
    action: 'message.trashed',
    params: MessageParams,
    query: record({ ...AddressQuery.properties, permanent: Type.Optional(Type.Boolean({ default: false })) }),
    replies: { 200: record({ deleted: Type.Boolean(), message_id: Type.String() }) },
    errors: MESSAGE_ERRORS,
    handle: async (call) => {
      const { folder, permanent } = call.query;
      const found = await mailboxes.message(call.principal, call.query.address, call.params.id, call.query.folder);
      return call.transact(async (tx, audit) => {
        if (folder === 'trash' || permanent) {
          audit.action = 'message.deleted';
          await removeMessage(tx, call.principal, found, folder);
        } else await moveToTrash(tx, enqueueJob, call.principal, found, call.now);
        audit.resourceId = found.id;
        return reply(200, { deleted: true, message_id: found.id });
      });
    },
  });

export const messageRoutes = (mailboxes: MailboxRules, deps: MailboxDeps): Endpoint[] => [
  inbox(mailboxes, deps),
  readMessage(mailboxes, deps),
  patchMessage(mailboxes),
  deleteMessage(mailboxes, deps),
];
