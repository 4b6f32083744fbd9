import type { Tool } from '../../../api/tool.ts';

/** The tools that send mail. */

const common = {
  group: 'mail',
  gives: [
    'id',
    'status',
    'from',
    'to',
    'sent_at',
    'thread_id',
    'internal_recipients',
    'review_id',
    'reason',
    'rate_limit',
    'left_machine',
  ],
  openWorld: true,
} as const;

export const SEND_TOOLS: readonly Tool[] = [
  {
    ...common,
    name: 'send_mail',
    description: 'Send a mail. It cannot be taken back. Status pending with a review_id: a person decides first.',
    takes: ['to', 'subject', 'text', 'html', 'cc', 'bcc', 'reply_to', 'attachments', 'from'],
    ownAddress: 'from',
    says: { from: 'Default: your only address.' },
  },
];

export const REPLY_TOOLS: readonly Tool[] = [
  {
    ...common,
    name: 'reply_mail',
    description: 'Answer a mail, in its conversation.',
    takes: ['id', 'text', 'html', 'attachments'],
  },
];
