import { type Endpoint, endpoint, reply } from '../../../../api/endpoint.ts';
import {
  cursorParam,
  limitParam,
  nextCursor,
  nullable,
  oneOf,
  record,
  text,
  timestamp,
} from '../../../../api/fields.ts';
import type { Database } from '../../../../api/transaction.ts';
import { iso } from '../../../../base/clock.ts';
import { Type } from '../../../../base/schema.ts';
import { MetadataReply } from '../messages/message-metadata-schema.ts';
import {
  dangerField,
  Label,
  MessageChangeBody,
  MessageEntry,
  maskedField,
  messageEntry,
} from '../messages/message-schema.ts';
import { MARKING_MAX } from '../messages/message-table.ts';
import {
  changeMessages,
  type Mailboxes,
  readEntries,
  readThreads,
  requireThread,
  shownThread,
  type ThreadEntry,
} from './thread.ts';
import { type HeldMailsOf, type Marks, marksOf } from './thread-marks.ts';

const TAG = 'Email';

const threadFields = {
  thread_id: Type.String(),
  address: Type.String(),
  subject: Type.String({ description: 'Subject of the first message.' }),
  participants: Type.Array(Type.String(), { description: 'Up to 50 addresses, in the order in which they joined.' }),
  message_count: Type.Integer({ description: 'Messages received and sent.' }),
  unread_count: Type.Integer(),
  last_message_at: timestamp(),
  snippet: Type.String({ description: 'Beginning of the latest message; empty when sealed.' }),
  archived: Type.Boolean({ description: 'True when every message received is archived.' }),
  labels: Type.Array(Type.String(), { description: 'Labels of all its messages.' }),
  masked: maskedField(),
};

const threadSummary = (thread: ReturnType<typeof shownThread>) => ({
  thread_id: thread.id,
  address: thread.address,
  subject: thread.subject,
  participants: thread.participants,
  message_count: thread.messages,
  unread_count: thread.unread,
  last_message_at: iso(thread.lastMessageAt),
  snippet: thread.snippet,
  archived: thread.isArchived,
  labels: Object.keys(thread.labels).sort(),
  ...(thread.masked ? { masked: true } : {}),
});

/** Held mails of an account that are looked at. */
const HELD_MAX = 500;

const markFields = {
  latest_message_id: nullable(Type.String({ description: 'The latest message received; null for none.' })),
  from: nullable(Type.String({ description: 'Its sender.' })),
  from_name: nullable(Type.String({ description: 'Needs `mail:codes`.' })),
  has_attachments: Type.Boolean({ description: `In one of its ${MARKING_MAX} latest messages.` }),
  danger: dangerField(),
  has_code: Type.Boolean({ description: 'The latest message received holds a code. Needs `mail:codes`.' }),
  held: Type.Boolean({ description: 'A mail of it waits for an operator.' }),
  starred: Type.Boolean(),
  e2e_encrypted: Type.Optional(Type.Boolean({ description: 'The latest message received is sealed.' })),
};

/** @param isMasked whether codes are hidden: a name can hold one */
const shownMarks = (
  { latest, hasAttachments, danger, hasCode, isHeld, isStarred }: Marks,
  { masked: isMasked = false }: { masked?: boolean },
) => ({
  latest_message_id: latest?.id ?? null,
  from: latest?.fromAddress ?? null,
  from_name: isMasked ? null : (latest?.fromName ?? null),
  has_attachments: hasAttachments,
  danger,
  has_code: hasCode,
  held: isHeld,
  starred: isStarred,
  ...(latest?.encryption ? { e2e_encrypted: true } : {}),
});

const listThreads = (mailboxes: Mailboxes, heldMailsOf: HeldMailsOf, database: Database) =>
  endpoint({
    method: 'GET',
    path: '/v1/email/threads',
    operation: 'listThreads',
    tag: TAG,
    summary: 'List conversations',
    description: 'The conversation with the latest message comes first.',
    auth: 'key',
    scope: 'mail:read',
    addresses: 'filtered',
    effect: 'none',
    query: record({
      address: Type.Optional(text(254, { description: 'An address of this account. Default: all of them.' })),
      limit: limitParam(20, 100),
      unread: Type.Optional(
        Type.Boolean({ description: 'Only conversations with unread messages (`true`), or without any (`false`).' }),
      ),
      archived: Type.Optional(
        Type.Boolean({ default: false, description: 'List archived conversations instead of the others.' }),
      ),
      label: Type.Optional(Label),
      received: Type.Optional(
        Type.Boolean({ default: false, description: 'Without conversations of which nothing was received.' }),
      ),
      cursor: cursorParam(),
    }),
    replies: {
      200: record({
        threads: Type.Array(record({ ...threadFields, ...markFields })),
        count: Type.Integer({ description: 'Conversations on this page.' }),
        address: nullable(Type.String({ description: 'Null: all addresses.' })),
        next_cursor: nextCursor(),
      }),
    },
    errors: ['invalid_address', 'address_forbidden', 'not_found', 'invalid_cursor'],
    handle: async ({ principal, query, now }) => {
      const { limit, archived = false, received = false, unread, label, cursor } = query;
      const address = query.address === undefined ? null : (await mailboxes.open(principal, query.address)).address;
      const addresses = address === null ? await mailboxes.openAll(principal) : [address];
      const filter = { addresses, archived, unread, label, isReceived: received, cursor, limit: limit as number };
      const page = await readThreads(database, filter);
      const marks = await marksOf(database, principal, page.rows, (id) => heldMailsOf(database, id, now, HELD_MAX));
      const threads = page.rows.map((row) => {
        const thread = shownThread(principal, row);
        return { ...threadSummary(thread), ...shownMarks(marks(thread.id), thread) };
      });
      return reply(200, { threads, count: threads.length, address, next_cursor: page.nextCursor });
    },
  });

const ThreadParams = record({ id: text(64, { minLength: 1, description: 'A `thread_id`.' }) });

const excerpt = Type.String({ description: 'The text without quoted history, cut at 10,000 characters.' });

const Received = record({ direction: oneOf(['received']), ...MessageEntry.properties, text: nullable(excerpt) });

const Sent = record({
  direction: oneOf(['sent']),
  id: Type.String({ description: 'Id in the outbox.' }),
  rfc_message_id: Type.String(),
  from: Type.String(),
  to: Type.Array(Type.String(), { description: 'All recipients.' }),
  subject: Type.String(),
  snippet: Type.String(),
  metadata: MetadataReply,
  text: nullable(excerpt),
  status: oneOf(['pending', 'sent', 'failed']),
  error: nullable(Type.String()),
  queued_at: timestamp(),
  sent_at: nullable(timestamp()),
  masked: maskedField(),
});

function threadMessage(entry: ThreadEntry) {
  if (entry.direction === 'received')
    return { direction: 'received' as const, ...messageEntry(entry.message), text: entry.text };
  const { sent, snippet } = entry;
  return {
    direction: 'sent' as const,
    id: sent.id,
    rfc_message_id: sent.rfcMessageId,
    from: sent.address,
    to: sent.recipients,
    subject: sent.subject,
    snippet,
    metadata: sent.metadata ?? {},
    text: sent.excerpt,
    status: sent.status,
    error: sent.error,
    queued_at: iso(sent.queuedAt),
    sent_at: sent.sentAt === null ? null : iso(sent.sentAt),
    ...(sent.masked ? { masked: true } : {}),
  };
}

const getThread = (mailboxes: Mailboxes, database: Database) =>
  endpoint({
    method: 'GET',
    path: '/v1/email/threads/{id}',
    operation: 'getThread',
    tag: TAG,
    summary: 'Read a conversation',
    description:
      'Returns received and sent messages, oldest first, without marking them read. `text` is null for a sealed message.',
    auth: 'key',
    scope: 'mail:read',
    addresses: 'filtered',
    effect: 'none',
    params: ThreadParams,
    query: record({ limit: limitParam(20, 100), cursor: cursorParam() }),
    replies: {
      200: record({
        ...threadFields,
        messages: Type.Array(Type.Union([Received, Sent])),
        count: Type.Integer({ description: 'Messages on this page.' }),
        next_cursor: nextCursor(),
      }),
    },
    errors: ['not_found', 'invalid_cursor'],
    handle: async ({ principal, params, query }) => {
      const { address } = await requireThread(database, principal, params.id);
      // Waits for mail that is being parsed, and reads again, because that mail may belong here.
      await mailboxes.open(principal, address);
      const thread = await requireThread(database, principal, params.id);
      const page = await readEntries(database, principal, thread.id, query.cursor, query.limit as number);
      await mailboxes.noteRead(page.rows.flatMap((row) => (row.direction === 'received' ? [row.message] : [])));
      const messages = page.rows.map(threadMessage);
      return reply(200, {
        ...threadSummary(shownThread(principal, thread)),
        messages,
        count: messages.length,
        next_cursor: page.nextCursor,
      });
    },
  });

const patchThread = (database: Database) =>
  endpoint({
    method: 'PATCH',
    path: '/v1/email/threads/{id}',
    operation: 'updateThread',
    tag: TAG,
    summary: 'Update all messages of a conversation',
    description: 'Changes up to 500 messages. Mail that arrives later starts unread, not archived and without labels.',
    auth: 'key',
    scope: 'mail:manage',
    addresses: 'filtered',
    effect: 'write',
    leaves: [],
    action: 'thread.updated',
    params: ThreadParams,
    body: MessageChangeBody,
    replies: {
      200: record({
        updated: Type.Boolean(),
        messages_changed: Type.Integer({ description: 'Messages that this request changed.' }),
        ...threadFields,
      }),
    },
    errors: ['not_found', 'metadata_too_large'],
    handle: async ({ principal, params, body, transact }) => {
      const found = await requireThread(database, principal, params.id);
      return transact(async (tx, audit) => {
        const { thread, changed } = await changeMessages(tx, principal, found, body);
        audit.resourceId = thread.id;
        return reply(200, {
          updated: true,
          messages_changed: changed,
          ...threadSummary(shownThread(principal, thread)),
        });
      });
    },
  });

export const threadRoutes = (mailboxes: Mailboxes, heldMailsOf: HeldMailsOf, database: Database): Endpoint[] => [
  listThreads(mailboxes, heldMailsOf, database),
  getThread(mailboxes, database),
  patchThread(database),
];
