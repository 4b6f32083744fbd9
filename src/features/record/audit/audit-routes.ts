import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { ApiError, invalidField } from '../../../api/errors.ts';
import {
  cursorParam,
  limitParam,
  line,
  named,
  nextCursor,
  nullable,
  oneOf,
  record,
  timestamp,
} from '../../../api/fields.ts';
import { decodeCursor, encodeCursor } from '../../../api/page.ts';
import { ownsAccount } from '../../../api/principal.ts';
import type { Database } from '../../../api/transaction.ts';
import { iso } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import { queryAudit, withPeople } from './audit-query.ts';
import { listAuditKeys, listCheckpoints } from './checkpoint.ts';

const TAG = 'Audit';

const RESULTS = ['success', 'refused', 'dry_run'] as const;

const Actor = named(
  'AuditActor',
  record({
    chain: Type.Optional(Type.Array(Type.String(), { description: 'Of a delegate: its delegations.' })),
    id: Type.Optional(
      Type.String({
        description: '`per_…`, `key_…`, `grt_…` of a client, `acc_…` of a delegate.',
      }),
    ),
    kind: oneOf(['person', 'key', 'delegate', 'client', 'administrator', 'anonymous', 'service']),
    name: Type.Optional(Type.String({ description: 'Of a key, or the id of a client.' })),
    prefix: Type.Optional(Type.String({ description: 'Of the key or token.' })),
    role: Type.Optional(oneOf(['email', 'operator', 'recovery', 'vault_recovery'])),
  }),
);

const Entry = named(
  'AuditEntry',
  record({
    account_id: Type.String(),
    act: Type.Optional(
      Type.Array(Type.String(), { description: 'Who acted by delegation: the caller, then who passed it on.' }),
    ),
    action: Type.String({ description: '`category.verb`' }),
    actor: Type.Union([Actor, Type.String()], {
      description: 'Who acted. Text in entries of before 0.20.',
    }),
    at: timestamp(),
    category: Type.String(),
    count: Type.Optional(Type.Integer({ description: 'Mails that a job deleted.' })),
    ip: Type.String({ description: 'A keyed hash of the client’s address. Equal addresses have equal hashes.' }),
    prev_hash: Type.String({ description: 'SHA-256 of the previous entry, hex.' }),
    request_id: Type.String(),
    resource_id: nullable(Type.String()),
    result: oneOf(RESULTS),
    seq: Type.Integer({ description: '1 for the first entry.' }),
    status: Type.Integer({ description: 'HTTP status of the reply.' }),
    address: Type.Optional(
      Type.String({ description: 'The person’s, for a primary key or an operator session. Not hashed.' }),
    ),
    hash: Type.String({
      description:
        'SHA-256 of this entry without `hash` and `address`, as JSON with sorted keys and no white space, hex.',
    }),
  }),
);

const listEntries = (database: Database) =>
  endpoint({
    method: 'GET',
    path: '/v1/audit',
    operation: 'listAuditEntries',
    tag: TAG,
    summary: 'List audit entries',
    description:
      'Newest first. Each call that changes something writes one entry, in the same transaction as the change. Each entry holds ' +
      'the hash of the previous one. With a filter a page may hold few entries or none: follow `next_cursor` to the end.',
    auth: 'key',
    scope: 'audit:read',
    addresses: 'refused',
    effect: 'none',
    compressed: true,
    query: record({
      from: Type.Optional(timestamp({ description: 'Inclusive.' })),
      to: Type.Optional(timestamp({ description: 'Exclusive.' })),
      category: Type.Optional(line(64, { examples: ['key'] })),
      action: Type.Optional(line(100, { examples: ['key.rotated'] })),
      resource_id: Type.Optional(line(300)),
      result: Type.Optional(oneOf(RESULTS)),
      limit: limitParam(50, 200),
      cursor: cursorParam(),
    }),
    tools: [
      {
        name: 'activity',
        group: 'events',
        description: 'What was done with your account, newest first.',
        takes: ['from', 'to', 'category', 'action', 'result', 'limit', 'cursor'],
        defaults: { limit: 10 },
        gives: [
          'entries.at',
          'entries.action',
          'entries.actor',
          'entries.resource_id',
          'entries.result',
          'entries.status',
          'next_cursor',
        ],
      },
    ],
    replies: {
      200: record({ entries: Type.Array(Entry), count: Type.Integer(), next_cursor: nextCursor() }),
    },
    errors: ['invalid_cursor'],
    handle: async ({ principal, query }) => {
      const time = (text: string | undefined): number | null => (text === undefined ? null : Date.parse(text));
      const filter = {
        from: time(query.from),
        to: time(query.to),
        category: query.category ?? null,
        action: query.action ?? null,
        resourceId: query.resource_id ?? null,
        result: query.result ?? null,
      };
      if (filter.from !== null && filter.to !== null && filter.to < filter.from)
        throw invalidField('/query/to', 'out_of_range', 'to must not be before from.');
      const page = await queryAudit(database, principal.accountId, filter, query.cursor, query.limit as number);
      const entries = ownsAccount(principal)
        ? await withPeople(database, principal.accountId, page.entries)
        : page.entries;
      return reply(200, { entries, count: entries.length, next_cursor: page.nextCursor });
    },
  });

const listSeals = (database: Database) =>
  endpoint({
    method: 'GET',
    path: '/v1/audit/seals',
    operation: 'listAuditSeals',
    tag: TAG,
    summary: 'List audit checkpoints',
    description:
      'A checkpoint (`seal`) is a signature over the account’s chain: Ed25519 over ' +
      '`signet:audit-seal:v1:{account_id}:{seq}:{hash}`, made within about a second of the entry `seq`. It covers that ' +
      'entry and all earlier ones. Oldest first. `keys` lists every key that the service ever signed with.',
    auth: 'key',
    scope: 'audit:read',
    addresses: 'refused',
    effect: 'none',
    compressed: true,
    query: record({ limit: limitParam(50, 200), cursor: cursorParam() }),
    replies: {
      200: record({
        seals: Type.Array(
          record({
            seq: Type.Integer(),
            hash: Type.String(),
            kid: Type.String(),
            signature: Type.String({ description: 'base64url' }),
            sealed_at: timestamp(),
          }),
        ),
        keys: Type.Array(
          record({ kty: Type.Literal('OKP'), crv: Type.Literal('Ed25519'), kid: Type.String(), x: Type.String() }),
        ),
        count: Type.Integer(),
        next_cursor: nextCursor(),
      }),
    },
    errors: ['invalid_cursor'],
    handle: async ({ principal, query }) => {
      const after = query.cursor === undefined ? 0 : decodeCursor(query.cursor, ['number'])?.[0];
      if (!Number.isSafeInteger(after)) throw new ApiError('invalid_cursor');
      const limit = query.limit as number;
      const found = await listCheckpoints(
        database,
        { accountId: principal.accountId },
        { seq: after as number },
        limit + 1,
      );
      const page = found.slice(0, limit);
      const keys = await listAuditKeys(database);
      return reply(200, {
        seals: page.map(({ seq, hash, kid, signature, signedAt }) => ({
          seq,
          hash,
          kid,
          signature,
          sealed_at: iso(signedAt),
        })),
        keys,
        count: page.length,
        next_cursor: found.length > limit ? encodeCursor([page.at(-1)?.seq as number]) : null,
      });
    },
  });

export const auditRoutes = (database: Database): Endpoint[] => [listEntries(database), listSeals(database)];
