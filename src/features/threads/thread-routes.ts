import { Type } from 'typebox';
import { iso } from '../../kernel/clock.ts';
import { type Endpoint, endpoint, reply } from '../../kernel/endpoint.ts';
import { cursorParam, limitParam, nextCursor, nullable, oneOf, record, text, timestamp } from '../../kernel/fields.ts';
import type { Database } from '../../kernel/transaction.ts';
import { Label } from '../mailboxes/label-data.ts';
import { MessageChangeBody, MessageEntry, messageEntry } from '../mailboxes/message-schema.ts';
import { isArchived, type Thread } from '../mailboxes/thread-data.ts';
import { changeMessages, type Mailboxes, readThreads, readTurns, requireThread, type Turn } from './thread-rules.ts';

export interface ThreadRouteDeps {
  mailboxes: Mailboxes;
  database: Database;
}

const TAG = 'Email';

const threadFields = {
  thread_id: Type.String(),
  address: Type.String(),
  subject: Type.String({ description: 'Of its first message.' }),
  participants: Type.Array(Type.String(), { description: 'Up to 50 addresses, in the order they joined.' }),
  message_count: Type.Integer({ description: 'Received and sent.' }),
  unread_count: Type.Integer(),
  last_message_at: timestamp(),
  snippet: Type.String({ description: 'Of the latest message; empty when sealed.' }),
  archived: Type.Boolean({ description: 'True when every message received is archived.' }),
  labels: Type.Array(Type.String(), { description: 'Those of all its messages.' }),
};

const threadEntry = (thread: Thread) => ({
  thread_id: thread.id,
  address: thread.address,
  subject: thread.subject,
  participants: thread.participants,
  message_count: thread.messages,
  unread_count: thread.unread,
  last_message_at: iso(thread.lastMessageAt),
  snippet: thread.snippet,
  archived: isArchived(thread),
  labels: Object.keys(thread.labels).sort(),
});

const listThreads = ({ mailboxes, database }: ThreadRouteDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/email/threads',
    operation: 'listThreads',
    tag: TAG,
    summary: 'The conversations of an address, that with the latest message first',
    auth: 'key',
    effect: 'none',
    query: record({
      address: text(254, { description: 'An address of this account.' }),
      limit: limitParam(20, 100),
      unread: Type.Optional(Type.Boolean({ description: 'Only those with unread messages (`true`), or without.' })),
      archived: Type.Optional(
        Type.Boolean({ default: false, description: 'Archived conversations instead of the others.' }),
      ),
      label: Type.Optional(Label),
      cursor: cursorParam(),
    }),
    replies: {
      200: record({
        threads: Type.Array(record(threadFields)),
        count: Type.Integer(),
        address: Type.String(),
        next_cursor: nextCursor(),
      }),
    },
    errors: ['invalid_address', 'address_forbidden', 'not_found', 'invalid_cursor'],
    handle: async ({ principal, query }) => {
      const { address } = await mailboxes.open(principal, query.address);
      const { limit, archived = false, ...rest } = query;
      const page = await readThreads(database, { ...rest, address, archived, limit: limit as number });
      const threads = page.rows.map(threadEntry);
      return reply(200, { threads, count: threads.length, address, next_cursor: page.nextCursor });
    },
  });

const ThreadParams = record({ id: text(64, { minLength: 1, description: 'A `thread_id`.' }) });

const said = Type.String({ description: 'What it says, without quoted history, cut at 10,000 characters.' });

const Received = record({ direction: oneOf(['received']), ...MessageEntry.properties, text: nullable(said) });

const Sent = record({
  direction: oneOf(['sent']),
  id: Type.String({ description: 'Its id in the outbox.' }),
  rfc_message_id: Type.String(),
  from: Type.String(),
  to: Type.Array(Type.String(), { description: 'All recipients.' }),
  subject: Type.String(),
  snippet: Type.String(),
  text: nullable(said),
  status: oneOf(['pending', 'sent', 'failed']),
  error: nullable(Type.String()),
  queued_at: timestamp(),
  sent_at: nullable(timestamp()),
});

function turnEntry(turn: Turn) {
  if (turn.direction === 'received')
    return { direction: 'received' as const, ...messageEntry(turn.message), text: turn.text };
  const { entry, snippet } = turn;
  return {
    direction: 'sent' as const,
    id: entry.id,
    rfc_message_id: entry.rfcMessageId,
    from: entry.address,
    to: entry.recipients,
    subject: entry.subject,
    snippet,
    text: entry.excerpt,
    status: entry.status,
    error: entry.error,
    queued_at: iso(entry.queuedAt),
    sent_at: entry.sentAt === null ? null : iso(entry.sentAt),
  };
}

const getThread = ({ mailboxes, database }: ThreadRouteDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/email/threads/{id}',
    operation: 'getThread',
    tag: TAG,
    summary: 'A conversation: what was received and sent, oldest first',
    description: 'Marks nothing read. `text` is null for what is sealed.',
    auth: 'key',
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
      // For what is still being parsed; then once more, because that may have joined.
      await mailboxes.open(principal, address);
      const thread = await requireThread(database, principal, params.id);
      const page = await readTurns(database, thread.id, query.cursor, query.limit as number);
      const messages = page.rows.map(turnEntry);
      return reply(200, { ...threadEntry(thread), messages, count: messages.length, next_cursor: page.nextCursor });
    },
  });

const patchThread = ({ database }: ThreadRouteDeps) =>
  endpoint({
    method: 'PATCH',
    path: '/v1/email/threads/{id}',
    operation: 'updateThread',
    tag: TAG,
    summary: 'Mark every message of a conversation read or archived, or take that back; label them',
    description: 'Of at most 500 messages. What arrives later begins unread, not archived and without labels.',
    auth: 'key',
    effect: 'write',
    action: 'thread.updated',
    params: ThreadParams,
    body: MessageChangeBody,
    replies: {
      200: record({
        updated: Type.Boolean(),
        messages_changed: Type.Integer({ description: 'Those that were otherwise before.' }),
        ...threadFields,
      }),
    },
    errors: ['not_found'],
    handle: async ({ principal, params, body, transact }) => {
      const found = await requireThread(database, principal, params.id);
      return transact(async (tx, audit) => {
        const { thread, changed } = await changeMessages(tx, found, body);
        audit.resourceId = thread.id;
        return reply(200, { updated: true, messages_changed: changed, ...threadEntry(thread) });
      });
    },
  });

export const threadRoutes = (deps: ThreadRouteDeps): Endpoint[] => [
  listThreads(deps),
  getThread(deps),
  patchThread(deps),
];
