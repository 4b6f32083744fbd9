import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import {
  cursorParam,
  limitParam,
  nextCursor,
  nullable,
  record,
  text,
  timestamp,
  waitParam,
} from '../../../api/fields.ts';
import { iso } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import type { MailboxDeps, MailboxRules } from './mailbox.ts';
import { changeMessage, readParts } from './messages/message.ts';
import {
  type Claim,
  claimFields,
  claimParam,
  listFilters,
  maskedField,
  messageFilter,
  OWN,
} from './messages/message-schema.ts';
import type { Shown } from './messages/message-table.ts';
import { shownWhole } from './messages/shown-mail.ts';
import { readShownInbox } from './search/masked-search.ts';

const TAG = 'Inbox';
const AddressParams = record({
  address: text(254, { minLength: 1, description: 'An address, or only its local part.' }),
});

const create = (mailboxes: MailboxRules) =>
  endpoint({
    method: 'POST',
    path: '/v1/inbox',
    operation: 'createInbox',
    tag: TAG,
    summary: 'Claim an address',
    description:
      'If you send no `name`, the service chooses a random one. Claiming an address you already own returns 201 again.',
    auth: 'key',
    scope: 'mail:manage',
    addresses: 'refused',
    effect: 'write',
    leaves: [],
    action: 'address.claimed',
    body: record({
      name: Type.Optional(text(254, { description: 'An address, or only its local part. A random one by default.' })),
    }),
    replies: {
      201: record({
        address: Type.String(),
        created: Type.Boolean(),
        already_owned: Type.Boolean(),
        account_id: Type.String(),
      }),
    },
    errors: ['invalid_address', 'address_reserved', 'address_limit', 'address_unavailable'],
    handle: async ({ principal, body, now, transact }) => {
      const address = mailboxes.normalize(body.name ?? mailboxes.randomName());
      return transact(async (tx, audit) => {
        const { alreadyOwned } = await mailboxes.claim(tx, principal, address, now);
        audit.resourceId = address;
        return reply(201, {
          address,
          created: !alreadyOwned,
          already_owned: alreadyOwned,
          account_id: principal.accountId,
        });
      });
    },
  });

const Item = record({
  id: Type.String(),
  from: Type.String(),
  subject: Type.String(),
  preview: Type.String({ description: 'First 120 characters of the body; empty when sealed.' }),
  received_at: timestamp(),
  read: Type.Boolean(),
  masked: maskedField(),
});

const item = (message: Shown) => ({
  id: message.id,
  from: message.fromAddress,
  subject: message.subject,
  preview: message.snippet,
  received_at: iso(message.receivedAt),
  read: message.read,
  ...(message.masked ? { masked: true } : {}),
});

const list = (mailboxes: MailboxRules, { database, waitFor }: MailboxDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/inbox/{address}',
    operation: 'getInbox',
    tag: TAG,
    summary: 'List the messages of an address',
    description: 'Newest first, without archived messages. Listing a free address claims it.',
    auth: 'key',
    scope: 'mail:read',
    addresses: 'filtered',
    effect: 'lazy',
    leaves: [],
    action: 'address.claimed',
    params: AddressParams,
    query: record({
      limit: limitParam(20, 100),
      ...listFilters,
      cursor: cursorParam(),
      wait: waitParam(),
      claim: claimParam(),
    }),
    replies: {
      200: record({
        messages: Type.Array(Item),
        total: Type.Integer({
          description: 'Messages in the inbox. Only `unread` filters this count.',
        }),
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
      const { principal, params, query, now, transact } = call;
      const { cursor, wait, unread } = query;
      const address = mailboxes.normalize(params.address);
      let claim: Claim = OWN;
      if (await mailboxes.isFree(principal, address)) {
        if (query.claim === false) throw await mailboxes.notClaimed(principal, address);
        const claimed = await transact(async (tx, audit) => {
          const warning = await mailboxes.claimOnSight(tx, principal, address, now);
          claim = { claimed: true, already_owned: false, ...(warning ? { warning } : {}) };
          audit.resourceId = address;
          return reply(200, { ...claim, messages: [], total: 0, address, next_cursor: null });
        });
        if (wait === undefined) return claimed;
      }
      let owned = await mailboxes.open(principal, address);
      const filter = { ...messageFilter(query), address, cursor, limit: query.limit as number };
      const page = await waitFor(
        call,
        wait,
        () => readShownInbox(database, principal, filter),
        ({ messages }) => messages.length > 0,
      );
      if (wait !== undefined) owned = await mailboxes.open(principal, address);
      await mailboxes.noteRead(page.messages);
      const total = unread === undefined ? owned.total : unread ? owned.unread : owned.total - owned.unread;
      return reply(200, { ...claim, messages: page.messages.map(item), total, address, next_cursor: page.nextCursor });
    },
  });

const read = (mailboxes: MailboxRules, { database }: MailboxDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/inbox/{address}/messages/{id}',
    operation: 'getInboxMessage',
    tag: TAG,
    summary: 'Read a message',
    description: 'Reading a message marks it read.',
    auth: 'key',
    scope: 'mail:read',
    addresses: 'filtered',
    effect: 'lazy',
    leaves: [],
    action: 'message.read',
    params: record({ address: AddressParams.properties.address, id: text(1000, { minLength: 1 }) }),
    replies: {
      200: record({
        id: Type.String(),
        from: Type.String(),
        to: Type.String({ description: 'The To header, comma-separated.' }),
        subject: Type.String(),
        body: Type.String(),
        html: nullable(Type.String()),
        received_at: timestamp(),
        auth: record({ method: Type.String() }),
        thread_id: nullable(Type.String()),
        rfc_message_id: nullable(Type.String()),
        e2e_encrypted: Type.Optional(Type.Boolean({ description: 'Present and true when the message is sealed.' })),
        ephemeral_public_key: Type.Optional(
          Type.String({ description: 'X25519 key to open the sealed message with, base64url.' }),
        ),
        masked: maskedField(),
      }),
    },
    errors: ['invalid_address', 'address_forbidden', 'not_found'],
    handle: async ({ principal, params, transact }) => {
      const found = await mailboxes.message(principal, params.address, params.id);
      const whole = await readParts(database, found);
      const { message, parts } = shownWhole(principal, found, whole);
      const body = {
        id: message.id,
        from: message.fromAddress,
        to: message.recipients.to.join(', ') || message.address,
        subject: message.subject,
        body: parts.text,
        html: parts.html,
        received_at: iso(message.receivedAt),
        auth: { method: message.auth.method },
        thread_id: message.threadId,
        rfc_message_id: message.rfcMessageId,
        ...(message.masked ? { masked: true } : {}),
        ...(message.encryption
          ? { e2e_encrypted: true, ephemeral_public_key: message.encryption.ephemeral_public_key }
          : {}),
      };
      if (message.read) return reply(200, body);
      return transact(async (tx, audit) => {
        await changeMessage(tx, principal, message, { read: true });
        audit.resourceId = message.id;
        return reply(200, body);
      });
    },
  });

export const inboxRoutes = (mailboxes: MailboxRules, deps: MailboxDeps): Endpoint[] => [
  create(mailboxes),
  list(mailboxes, deps),
  read(mailboxes, deps),
];
