import type { Tool } from '../../../api/tool.ts';

/** The tools for received mail. */

const entry = [
  ...['message_id', 'thread_id', 'from', 'from_name', 'subject', 'snippet', 'received_at', 'read', 'labels'],
  ...['has_attachments', 'auth.verified_from', 'masked'],
];

const common = { group: 'mail', openWorld: true } as const;

const list = {
  ...common,
  ownAddress: 'address',
  defaults: { limit: 10 },
  sends: { claim: false },
  gives: [...entry.map((name) => `messages.${name}`), 'address', 'next_cursor'],
} as const;

export const LIST_TOOLS: readonly Tool[] = [
  {
    ...list,
    name: 'list_mail',
    description: 'List received mail, newest first.',
    takes: ['address', 'unread', 'label', 'limit', 'cursor'],
  },
  {
    ...list,
    name: 'search_mail',
    description: 'Search received mail.',
    takes: ['q', 'address', 'unread', 'limit', 'cursor'],
    needs: ['q'],
  },
];

export const READ_TOOLS: readonly Tool[] = [
  {
    ...common,
    name: 'read_mail',
    description:
      'Read one mail: text, code, links and attachments. Of a long text, text_left characters are left: call again with next.offset.',
    takes: ['id', 'address'],
    ownAddress: 'address',
    changes: true,
    pages: 'text',
    gives: [
      ...entry.filter((name) => name !== 'snippet'),
      'to',
      'cc',
      'reply_to',
      ...['safety', 'sealed', 'e2e_encrypted', 'masked', 'problem', 'code', 'text'],
      ...['attachments.filename', 'attachments.content_type', 'attachments.size', 'links'],
    ],
  },
];

const wait = {
  ...common,
  takes: ['address', 'from', 'subject', 'after', 'wait'],
  gives: [...entry.map((name) => `message.${name}`), 'code', 'links', 'sealed'],
} as const;

export const WAIT_TOOLS: readonly Tool[] = [
  {
    ...wait,
    name: 'wait_for_mail',
    description: 'Wait for the next mail. If message is null, call again with the returned next.after.',
  },
  {
    ...wait,
    name: 'wait_for_code',
    description:
      'Wait for a mail with a verification code or link, and get it. With after (the time before you asked for the code) mail that has come already counts.',
    sends: { code: true },
    scope: 'mail:codes',
  },
];
