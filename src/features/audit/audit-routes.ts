import { Type } from 'typebox';
import { iso } from '../../kernel/clock.ts';
import { type Endpoint, endpoint, reply } from '../../kernel/endpoint.ts';
import { ApiError, invalidField } from '../../kernel/errors.ts';
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
} from '../../kernel/fields.ts';
import { decodeCursor, encodeCursor } from '../../kernel/page.ts';
import type { Database } from '../../kernel/transaction.ts';
import { readTrail } from './audit-query-rules.ts';
import { sealsOf } from './checkpoint-rules.ts';

export interface AuditRouteDeps {
  database: Database;
  /** Every public key that ever signed. */
  publicKeys(): Promise<{ kid: string; x: string }[]>;
}

const TAG = 'Audit';

const RESULTS = ['success', 'refused'] as const;

const Entry = named(
  'AuditEntry',
  record({
    account_id: Type.String(),
    action: Type.String({ description: '`category.verb`' }),
    actor: Type.String({ description: 'Prefix of the key, `session`, `anonymous` or `operator`.' }),
    at: timestamp(),
    category: Type.String(),
    ip: Type.String({ description: 'A keyed hash: equal for equal addresses, and not to be turned back.' }),
    prev_hash: Type.String({ description: 'SHA-256 of the entry before.' }),
    request_id: Type.String(),
    resource_id: nullable(Type.String()),
    result: oneOf(RESULTS),
    seq: Type.Integer({ description: '1 for the first.' }),
    status: Type.Integer(),
    hash: Type.String({
      description: 'SHA-256 of this entry without this field, as JSON with sorted keys and no blanks.',
    }),
  }),
);

const listEntries = ({ database }: AuditRouteDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/audit',
    operation: 'listAuditEntries',
    tag: TAG,
    summary: 'What was done to this account, newest first',
    description:
      'One entry for every call that changed something, written in the transaction of the change, each chained to the ' +
      'one before. Follow `next_cursor` to the end: with a filter that fits little, a page may hold few entries or none.',
    auth: 'key',
    effect: 'none',
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
      const page = await readTrail(database, principal.accountId, filter, query.cursor, query.limit as number);
      return reply(200, { entries: page.entries, count: page.entries.length, next_cursor: page.nextCursor });
    },
  });

const listSealEntries = ({ database, publicKeys }: AuditRouteDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/audit/seals',
    operation: 'listAuditSeals',
    tag: TAG,
    summary: 'Signatures over this account’s chain, oldest first',
    description:
      'Ed25519 over `signet:audit-seal:v1:{account_id}:{seq}:{hash}`, made within about a second of the entry `seq`. A ' +
      'seal covers that entry and, by the chain, all before it. `keys` are all keys of the service that ever signed.',
    auth: 'key',
    effect: 'none',
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
      const found = await sealsOf(database, principal.accountId, after as number, limit + 1);
      const seals = found.slice(0, limit);
      const keys = (await publicKeys()).map(({ kid, x }) => ({ kty: 'OKP' as const, crv: 'Ed25519' as const, kid, x }));
      return reply(200, {
        seals: seals.map(({ sealedAt, ...seal }) => ({ ...seal, sealed_at: iso(sealedAt) })),
        keys,
        count: seals.length,
        next_cursor: found.length > limit ? encodeCursor([seals.at(-1)?.seq as number]) : null,
      });
    },
  });

export const auditRoutes = (deps: AuditRouteDeps): Endpoint[] => [listEntries(deps), listSealEntries(deps)];
