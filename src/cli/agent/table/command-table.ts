import { randomBytes } from 'node:crypto';
import { usdc } from '../../../base/usdc.ts';
import type { GetPowerReply, WayOut } from '../../../client/generated/operations.ts';
import { printable, table } from '../../output.ts';
import { cellText } from './agent-reply.ts';
import { explainFailure, messageText, sentText, untilSent } from './mail-text.ts';
import { callText } from './operation-fields.ts';
import { type CommandRow, command } from './table-command.ts';

const SENDING = { shown: sentText, finish: explainFailure, waits: untilSent } as const;

/** A Standard Webhooks secret. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

const wayText = ({ way, rule, targets }: WayOut): string[] => [way, rule, targets === 0 ? '' : `${targets} targets`];

function powerText({ authority, can, operator_decides, ways_out }: GetPowerReply): string {
  const barred = operator_decides.length === 0 ? 'nothing' : operator_decides.map(printable).join(' ');
  const rows = [
    ['authority', authority],
    ['may call', `${can.length} operations`],
    ['an operator decides', barred],
  ];
  return `${table(rows)}\n\nWhat may leave:\n${table(ways_out.map(wayText))}`;
}

export const waysText = (
  ways: Readonly<Record<string, { rule: string; from: string; allow: readonly string[] }>>,
): string => table(Object.entries(ways).map(([way, { rule, from, allow }]) => [way, rule, from, cellText(allow)]));

/**
 * The commands that are one operation each, in the order of their help. Every field of an operation is an option, unless it
 * is an argument.
 */
export const COMMAND_TABLE: Readonly<Record<string, CommandRow>> = {
  waiting: command('listWaiting', {
    about: 'list what waits, for whom, and the call that comes next; oldest first',
    columns: [
      'kind',
      'since',
      'for',
      'id',
      'summary',
      ['next', ({ do: next }) => (next === null ? '' : callText(next))],
    ],
  }),

  'mail list': command('listInbox', {
    about: 'list mail, newest first; * marks unread mail',
    flags: { q: 'search', claim: null, wait: null },
    columns: [['', ({ read }) => (read ? ' ' : '*')], 'message_id', 'received_at', 'from', 'subject'],
  }),
  'mail read': command('getMessage', {
    about: 'show a message, and mark it read',
    args: ['id'],
    flags: { format: null },
    shown: messageText,
  }),
  'mail send': command('sendEmail', {
    about: 'send a mail; exit code 6 when an operator must see it first',
    ...SENDING,
    example: 'signet mail send --to ada@example.com --subject Hello --text "Hello, Ada." --attach map.pdf',
  }),
  'mail reply': command('replyToMessage', { about: 'answer a message, in its conversation', args: ['id'], ...SENDING }),
  'mail reply-all': command('replyToAll', { args: ['id'], ...SENDING }),
  'mail forward': command('forwardMessage', { args: ['id'], ...SENDING }),
  'mail change': command('updateMessage', {
    about: 'mark a message, or move it',
    args: ['id'],
    flags: { query_folder: 'from-folder' },
    example: 'signet mail change msg_… --read --add-label done',
  }),
  'mail delete': command('deleteMessage', { args: ['id'] }),
  'mail outbox': command('listOutbox', {
    columns: ['id', 'queued_at', 'status', 'to', 'subject', 'error'],
  }),
  'mail status': command('getSentEmail', {
    about: 'show a sent mail, what became of it for each recipient, and why',
    args: ['id'],
  }),
  'mail held': command('listReviews', {
    about: 'list mail that an operator must see first',
    columns: ['review_id', 'status', 'reason', 'expires_at', 'to', 'subject'],
  }),
  'mail withdraw': command('withdrawReview', { args: ['id'] }),

  'draft list': command('listDrafts', { columns: ['draft_id', 'status', 'send_at', 'to', 'subject'] }),
  'draft create': command('createDraft', {
    example: 'signet draft create --to ada@example.com --subject Later --text Hello --send-at 2027-01-14T12:00:00Z',
  }),
  'draft show': command('getDraft', { args: ['id'] }),
  'draft change': command('updateDraft', { args: ['id'] }),
  'draft send': command('sendDraft', { args: ['id'], ...SENDING }),
  'draft delete': command('deleteDraft', { args: ['id'] }),

  'address list': command('listAddresses', {
    about: 'list the addresses, newest first',
    items: 'settings',
    columns: ['address', 'display_name', 'retention_days'],
    isOldestFirst: true,
  }),
  'address add': command('claimAddress', { about: 'claim an address', args: ['address'] }),
  'address change': command('updateAddress', { args: ['address'] }),
  'address remove': command('releaseAddress', { about: 'release an address', args: ['address'] }),

  'secret list': command('listVaultKeys', { about: 'list the names', columns: ['key', 'version', 'updated_at'] }),

  'approvals list': command('listApprovals', {
    columns: ['id', ['amount', ({ amount_usdc }) => usdc(amount_usdc)], 'status', 'expires_at', 'category'],
  }),
  'approvals show': command('getApproval', { args: ['id'] }),
  'approvals approve': command('approveCharge', { args: ['id'] }),
  'approvals reject': command('rejectCharge', { args: ['id'] }),

  'calendar list': command('listCalendarEvents', { columns: ['id', 'start', 'end', 'status', 'summary'] }),
  'calendar add': command('createCalendarEvent', {
    about: 'add an event; --attendee sends invitations',
    example: 'signet calendar add --summary Review --start 2027-01-14T12:00:00Z --end 2027-01-14T13:00:00Z',
  }),
  'calendar show': command('getCalendarEvent', { args: ['id'] }),
  'calendar change': command('updateCalendarEvent', { args: ['id'] }),
  'calendar answer': command('respondToInvitation', { args: ['id', 'status'] }),
  'calendar delete': command('deleteCalendarEvent', { args: ['id'] }),
  'calendar feed': command('getCalendarFeed'),

  token: command('issueToken', {
    about: 'issue a token that proves who you are to another service',
    flags: { agent_name: null, agent_email: null },
    shown: ({ token }) => token,
    example: 'signet token --audience https://api.example --scope orders:read',
  }),

  'webhook list': command('listEventWebhooks', {
    about: 'list webhooks, newest first',
    items: 'webhooks',
    columns: ['id', 'status', 'url', 'events'],
    isOldestFirst: true,
  }),
  'webhook create': command('createEventWebhook', {
    about: 'send events to a URL; without --secret, a new one signs, and is shown once',
    args: ['url'],
    fill: (input) => ({ ...input, secret: input.secret ?? newWebhookSecret() }),
    finish: (reply, { input: { secret } }) => ({ ...reply, secret }),
    example: 'signet webhook create https://example.com/hook --event email.received',
  }),
  'webhook show': command('getEventWebhook', { args: ['id'] }),
  'webhook change': command('updateEventWebhook', { args: ['id'] }),
  'webhook test': command('testEventWebhook', { args: ['id'] }),
  'webhook rotate': command('rotateWebhookSecret', { args: ['id'] }),
  'webhook deliveries': command('listEventWebhookDeliveries', {
    args: ['id'],
    columns: ['id', 'created_at', 'event', 'status', 'response_status', 'error'],
  }),
  'webhook retry': command('retryEventWebhookDelivery', { args: ['id', 'delivery_id'] }),
  'webhook delete': command('deleteEventWebhook', { args: ['id'] }),

  'delegation list': command('listDelegations', { columns: ['id', 'status', 'from', 'to', 'expires_at', 'scopes'] }),
  'delegation create': command('createDelegation', {
    args: ['to'],
    flags: { budget_usdc: 'budget' },
    example: 'signet delegation create acc_… --scope mail:read --expires-at 2027-01-14T12:00:00Z',
  }),
  'delegation end': command('endDelegation', { args: ['id'] }),

  'profile show': command('getProfile'),
  'profile change': command('updateProfile'),

  'policy show': command('getAccountPolicy', { shown: ({ ways }) => waysText(ways) }),
  'policy mail': command('getMailPolicy', { about: 'show the mail policy' }),
  'policy change-mail': command('setMailPolicy', {
    about: 'change the mail policy',
    example: `signet policy change-mail --outbound '{"to": "list", "allow": ["example.com"]}'`,
  }),
  power: command('getPower', { about: 'show what you may do, and what an operator decides', shown: powerText }),

  'pod list': command('listPods', { columns: ['pod_id', 'status', 'created_at', 'name'] }),
  'pod create': command('createPod', { about: 'create a pod, and print its key once' }),
  'pod show': command('getPod', { args: ['pod_id'] }),
  'pod change': command('updatePod', { args: ['pod_id'] }),
  'pod suspend': command('suspendPod', { args: ['pod_id'] }),

  'key list': command('listAccountKeys', {
    items: 'keys',
    columns: ['id', 'kind', 'status', 'expires_at', 'name', 'scopes'],
    isOldestFirst: true,
  }),
  'key create': command('createNamedKey', {
    about: 'create a named key, and print it once',
    args: ['name'],
    example: 'signet key create reader --scope mail:read --expires-in-seconds 86400',
  }),
  'key rotate': command('rotateNamedKey', { args: ['id'] }),
  'key delete': command('deleteNamedKey', { args: ['id'] }),

  export: command('exportAccount', {
    about: 'export all data of the account as a zip file',
    example: 'signet export --output account.zip',
  }),
};
