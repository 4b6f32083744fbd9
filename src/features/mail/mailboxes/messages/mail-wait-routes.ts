import { type Endpoint, endpoint, reply } from '../../../../api/endpoint.ts';
import { nullable, record, text, timestamp } from '../../../../api/fields.ts';
import { requireScope } from '../../../../api/scopes.ts';
import { iso } from '../../../../base/clock.ts';
import { Type } from '../../../../base/schema.ts';
import { onlyAddress } from '../default-address.ts';
import { WAIT_TOOLS } from '../mail-tools.ts';
import type { MailboxDeps, MailboxRules } from '../mailbox.ts';
import { type Arrival, createLook, startOfWait } from './mail-wait.ts';
import { MESSAGE_ERRORS, MessageEntry, messageEntry } from './message-schema.ts';
import { MailCode, MailLink } from './screening-schema.ts';

const WaitQuery = record({
  address: Type.Optional(text(254, { description: 'Default: your only address.' })),
  from: Type.Optional(text(254, { minLength: 1, description: 'An address or a domain.' })),
  subject: Type.Optional(text(500, { minLength: 1, description: 'A part of the subject, in any case.' })),
  after: Type.Optional(
    text(64, {
      description:
        'A time or an event id: mail from that time on, or after that event, counts. Default: the start of the call.',
    }),
  ),
  code: Type.Optional(
    Type.Boolean({ default: false, description: 'Wait for mail with a code. Needs `mail:codes` too.' }),
  ),
  wait: Type.Optional(Type.Integer({ minimum: 1, maximum: 60, description: 'Seconds.' })),
});

/** A message in quarantine: only its code is shown. */
const KeptBack = record({ message_id: Type.String(), received_at: timestamp(), quarantined: Type.Boolean() });

const keptBackReply = ({ message: { id, receivedAt }, found: { code } }: Arrival) => ({
  message: { message_id: id, received_at: iso(receivedAt), quarantined: true },
  code,
  links: [],
});

const waitForMail = (mailboxes: MailboxRules, { database, waitFor }: MailboxDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/email/wait',
    operation: 'waitForMail',
    tag: 'Email',
    summary: 'Wait for the next message',
    description: 'Returns the next message that fits, with its code and links. It stays unread.',
    auth: 'key',
    scope: 'mail:read',
    addresses: 'filtered',
    effect: 'none',
    tools: WAIT_TOOLS,
    query: WaitQuery,
    replies: {
      200: record({
        message: nullable(Type.Union([MessageEntry, KeptBack])),
        code: nullable(MailCode),
        links: nullable(Type.Array(MailLink)),
        sealed: Type.Optional(Type.Boolean()),
      }),
    },
    errors: [...MESSAGE_ERRORS],
    handle: async (call) => {
      const { principal, query } = call;
      const { accountId } = principal;
      const start = await startOfWait(database, accountId, query.after);
      const { address } = await mailboxes.open(
        principal,
        query.address ?? (await onlyAddress(database, principal, '/query/address')),
      );
      const { from, subject, code = false } = query;
      if (code) requireScope(principal, 'mail:codes');
      const look = createLook(database, { caller: principal, address, from, subject, code }, start);
      const arrived = await waitFor(call, query.wait, look, (value) => value?.isCertain === true);
      if (arrived === null) return reply(200, { message: null, code: null, links: [] });
      if (arrived.isQuarantined) return reply(200, keptBackReply(arrived));
      await mailboxes.noteRead([arrived.message]);
      return reply(200, { message: messageEntry(arrived.message), ...arrived.found });
    },
  });

export const mailWaitRoutes = (mailboxes: MailboxRules, deps: MailboxDeps): Endpoint[] => [
  waitForMail(mailboxes, deps),
];
