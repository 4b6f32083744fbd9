import { asText, type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { ApiError, invalidField } from '../../../api/errors.ts';
import {
  consoleParam,
  cursorParam,
  limitParam,
  line,
  named,
  nextCursor,
  nullable,
  oneOf,
  record,
  statusParam,
  text,
  timestamp,
} from '../../../api/fields.ts';
import { decodeCursor, encodeCursor } from '../../../api/page.ts';
import type { Database } from '../../../api/transaction.ts';
import { iso } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import { csvHeaders, csvOf, wantsCsv } from '../../../http/csv.ts';
import { CHALLENGE } from '../../../http/pipeline/authenticate.ts';
import { NO_STORE } from '../../identity/tokens/revocation-schema.ts';
import { TokenRecord, tokenRecord } from '../../identity/tokens/token-schema.ts';
import { queryAudit, requireEntry, type ShownEntry, shownEntries, type TokenLookup } from './audit-query.ts';
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

const Values = Type.Record(
  Type.String(),
  Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null(), Type.Array(Type.String())]),
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
    after: Type.Optional({
      ...Values,
      description: 'What was changed, as it is now. Secrets and words of mail are never in it.',
    }),
    at: timestamp(),
    before: Type.Optional({ ...Values, description: 'The same, as it was.' }),
    category: Type.String(),
    console: Type.Optional(Type.Literal(true, { description: 'The console of a person read it.' })),
    count: Type.Optional(Type.Integer({ description: 'Mails that a job deleted.' })),
    ip: Type.String({ description: 'A keyed hash of the client’s address. Equal addresses have equal hashes.' }),
    prev_hash: Type.String({ description: 'SHA-256 of the previous entry, hex.' }),
    request_id: Type.String(),
    resource_id: nullable(Type.String()),
    result: oneOf(RESULTS),
    seq: Type.Integer({ description: '1 for the first entry.' }),
    status: Type.Integer({ description: 'HTTP status of the reply.' }),
    summary: Type.Optional(Type.String({ description: 'What was done, in words. Not recorded before 0.20.' })),
    id: Type.String({ description: '`aud_…`. Not hashed, as the rest but `hash`.' }),
    target: nullable(
      record({
        kind: Type.String(),
        id: Type.String(),
        href: nullable(Type.String({ description: 'Its path in this API. Null: it has none by its id alone.' })),
      }),
      { description: 'What it was done to.' },
    ),
    address: Type.Optional(Type.String({ description: 'The person’s, for a primary key or an operator session.' })),
    network: Type.Optional(
      nullable(Type.String({ description: 'From where, for 30 days: /24 or /48. For those who see `address`.' })),
    ),
    hash: Type.String({
      description:
        'SHA-256 of this entry as JSON with sorted keys and no white space, hex: all but `hash`, `id`, `target`, `address`, `network`.',
    }),
  }),
);

/** The columns of the log as a table. */
const CSV_COLUMNS = {
  at: ({ at }: ShownEntry) => at,
  summary: ({ summary }: ShownEntry) => summary,
  action: ({ action }: ShownEntry) => action,
  result: ({ result }: ShownEntry) => result,
  status: ({ status }: ShownEntry) => status,
  actor: ({ actor }: ShownEntry) => (typeof actor === 'string' ? actor : actor.kind),
  actor_id: ({ actor }: ShownEntry) => (typeof actor !== 'string' && 'id' in actor ? actor.id : null),
  actor_name: ({ actor, address }: ShownEntry) =>
    address ?? (typeof actor !== 'string' && 'name' in actor ? actor.name : null),
  target_kind: ({ target }: ShownEntry) => target?.kind,
  target_id: ({ resource_id: id }: ShownEntry) => id,
  before: ({ before }: ShownEntry) => before,
  after: ({ after }: ShownEntry) => after,
  network: ({ network }: ShownEntry) => network,
  request_id: ({ request_id: id }: ShownEntry) => id,
  id: ({ id }: ShownEntry) => id,
  hash: ({ hash }: ShownEntry) => hash,
};

const listEntries = (database: Database) =>
  endpoint({
    method: 'GET',
    path: '/v1/audit',
    operation: 'listAuditEntries',
    tag: TAG,
    summary: 'List audit entries',
    description:
      'Newest first. Each call that changes something writes one entry, in the same transaction as the change. Each entry holds ' +
      'the hash of the previous one. With a filter a page may hold few entries or none: follow `next_cursor` to the end. ' +
      'With `Accept: text/csv` a page is a table, and `Link` leads to the next one.',
    alsoText: 'text/csv',
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
      actor: Type.Optional(
        line(100, { description: 'A kind such as `person`, a role, an id, a name, or the start of a key.' }),
      ),
      key: Type.Optional(line(100, { description: 'The id, name or start of a key.' })),
      status: statusParam(),
      request_id: Type.Optional(line(64)),
      console: consoleParam(),
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
          'entries.summary',
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
    handle: async ({ principal, query, now, header }) => {
      const time = (text: string | undefined): number | null => (text === undefined ? null : Date.parse(text));
      const filter = {
        from: time(query.from),
        to: time(query.to),
        category: query.category ?? null,
        action: query.action ?? null,
        resourceId: query.resource_id ?? null,
        result: query.result ?? null,
        actor: query.actor ?? null,
        key: query.key ?? null,
        status: query.status ?? null,
        requestId: query.request_id ?? null,
        console: query.console ?? true,
      };
      if (filter.from !== null && filter.to !== null && filter.to < filter.from)
        throw invalidField('/query/to', 'out_of_range', 'to must not be before from.');
      const page = await queryAudit(database, principal.accountId, filter, query.cursor, query.limit as number);
      const entries = await shownEntries(database, principal, page.entries, now);
      if (wantsCsv(header('accept')))
        return asText(200, csvOf(CSV_COLUMNS, entries), csvHeaders('/v1/audit', query, page.nextCursor));
      return reply(200, { entries, count: entries.length, next_cursor: page.nextCursor });
    },
  });

/** The entry of an id, or the token of one: `audit_url` of a token is public, and a credential is not looked at. */
const getRecord = (database: Database, tokens: TokenLookup) =>
  endpoint({
    method: 'GET',
    path: '/v1/audit/{id}',
    operation: 'getAuditRecord',
    tag: TAG,
    summary: 'Get an audit entry, or the status of a token',
    description:
      '`aud_…` is an entry of the account. Any other id is a token: this is the `audit_url` of tokens, which is public. Their ids cannot be guessed.',
    auth: 'optional',
    isOpen: (path) => !path.startsWith('/v1/audit/aud_'),
    scope: 'audit:read',
    addresses: 'refused',
    effect: 'none',
    params: record({ id: text(64) }),
    replies: { 200: Type.Union([Entry, TokenRecord]) },
    errors: ['not_found'],
    handle: async ({ principal, params: { id }, now }) => {
      if (id.startsWith('aud_')) {
        if (principal === null) throw new ApiError('unauthorized', { headers: CHALLENGE });
        const found = await requireEntry(database, principal.accountId, id);
        const [entry] = await shownEntries(database, principal, [found], now);
        return reply(200, entry as ShownEntry);
      }
      return reply(200, tokenRecord(await tokens.status(id, now)), NO_STORE);
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

export const auditRoutes = (database: Database, tokens: TokenLookup): Endpoint[] => [
  listEntries(database),
  listSeals(database),
  getRecord(database, tokens),
];
