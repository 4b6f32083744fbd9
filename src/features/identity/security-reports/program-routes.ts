import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import {
  cursorParam,
  guidance,
  limitParam,
  line,
  nextCursor,
  nullable,
  record,
  secret,
  text,
  timestamp,
} from '../../../api/fields.ts';
import type { Database } from '../../../api/transaction.ts';
import { requireUri } from '../../../api/uri.ts';
import { type Gate, WAY_REFUSALS } from '../../../api/way-out.ts';
import { iso, isoOrNull } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import type { Program } from './finding-table.ts';
import { createProgram, PROGRAMS_MAX, programsOf, stopProgram } from './program.ts';

const TAG = 'Findings';

const fields = {
  program_id: Type.String(),
  name: Type.String(),
  audience: Type.String(),
  key_prefix: Type.String(),
  created_at: timestamp(),
  ended_at: nullable(timestamp({ description: 'Null while the program is active.' })),
};

const programEntry = ({ id, name, audience, keyPrefix, createdAt, endedAt }: Program) => ({
  program_id: id,
  name,
  audience,
  key_prefix: keyPrefix,
  created_at: iso(createdAt),
  ended_at: isoOrNull(endedAt),
});

const addProgram = (gate: Gate) =>
  endpoint({
    method: 'POST',
    path: '/v1/programs',
    operation: 'createProgram',
    tag: TAG,
    summary: 'Create a program',
    description: `A program judges findings with the same audience. Its key works only for that. An account can have ${PROGRAMS_MAX} active programs.`,
    auth: 'key',
    scope: 'findings:write',
    wholeAccount: true,
    effect: 'write',
    leaves: ['publish'],
    action: 'program.created',
    body: record({
      name: line(100, { minLength: 1, examples: ['Example bug bounty'] }),
      audience: text(2048, {
        minLength: 1,
        description: 'An absolute URI. Findings must name exactly this audience.',
        examples: ['https://bounty.example.com'],
      }),
    }),
    replies: {
      201: record({ ...fields, api_key: secret(Type.String()), warning: guidance(Type.String()) }),
    },
    errors: ['program_limit', ...WAY_REFUSALS],
    handle: async ({ principal, body, now, transact }) => {
      const given = { name: body.name, audience: requireUri(body.audience, '/body/audience') };
      return transact(async (tx, audit) => {
        await gate.require(tx, principal, 'publish');
        const { program, key } = await createProgram(tx, principal.accountId, given, now);
        audit.resourceId = program.id;
        const warning = 'Store this key now. It is not shown again.';
        return reply(201, { ...programEntry(program), api_key: key, warning });
      });
    },
  });

const listEntries = (database: Database) =>
  endpoint({
    method: 'GET',
    path: '/v1/programs',
    operation: 'listPrograms',
    tag: TAG,
    summary: 'List programs',
    description: 'Newest first, including ended programs.',
    auth: 'key',
    scope: 'findings:write',
    addresses: 'none',
    effect: 'none',
    bucket: 'inspect',
    query: record({ limit: limitParam(50, 200), cursor: cursorParam() }),
    replies: {
      200: record({ programs: Type.Array(record(fields)), count: Type.Integer(), next_cursor: nextCursor() }),
    },
    errors: ['invalid_cursor'],
    handle: async ({ principal, query }) => {
      const page = await programsOf(database, principal.accountId, {
        cursor: query.cursor,
        limit: query.limit as number,
      });
      const programs = page.rows.map(programEntry);
      return reply(200, { programs, count: programs.length, next_cursor: page.nextCursor });
    },
  });

const endEntry = () =>
  endpoint({
    method: 'DELETE',
    path: '/v1/programs/{programId}',
    operation: 'endProgram',
    tag: TAG,
    summary: 'End a program',
    description: 'Its key stops working. Its judgements stay.',
    auth: 'key',
    scope: 'findings:write',
    addresses: 'none',
    effect: 'write',
    leaves: [],
    bucket: 'revoke',
    action: 'program.ended',
    params: record({ programId: text(64) }),
    replies: { 200: record({ program_id: Type.String(), ended_at: timestamp() }) },
    errors: ['not_found'],
    handle: async ({ principal, params, now, transact }) =>
      transact(async (tx, audit) => {
        await stopProgram(tx, principal.accountId, params.programId, now);
        audit.resourceId = params.programId;
        return reply(200, { program_id: params.programId, ended_at: iso(now) });
      }),
  });

export const programRoutes = (database: Database, gate: Gate): Endpoint[] => [
  addProgram(gate),
  listEntries(database),
  endEntry(),
];
