import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import {
  cursorParam,
  limitParam,
  line,
  named,
  nextCursor,
  nullable,
  oneOf,
  record,
  text,
  timestamp,
} from '../../../api/fields.ts';
import type { Database } from '../../../api/transaction.ts';
import { type Gate, WAY_REFUSALS } from '../../../api/way-out.ts';
import { iso } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import { listObservations, listTopics, type Observation, readObservation, recordObservations } from './observation.ts';

const TAG = 'Observations';

const TOPIC_LENGTH_MAX = 200;

/** The id of an account. It need not exist: an agent may be gone. */
const AgentId = text(30, { pattern: '^acc_[0-9a-z]{26}$' });

const SCOPES = ['all', 'mine', 'shared'] as const;

const ObservationEntry = named(
  'Observation',
  record({
    id: Type.String(),
    agent_id: Type.String({
      description: 'The account that made it, set by the service.',
    }),
    subject_agent_id: nullable(Type.String(), { description: 'The account that it is about.' }),
    display_name: nullable(Type.String({ description: 'As given by the agent.' })),
    topic: Type.String(),
    content: Type.String(),
    shared: Type.Boolean(),
    created_at: timestamp(),
  }),
);

const observationEntry = (observation: Observation) => ({
  id: observation.id,
  agent_id: observation.accountId,
  subject_agent_id: observation.subjectId,
  display_name: observation.displayName,
  topic: observation.topic,
  content: observation.content,
  shared: observation.shared,
  created_at: iso(observation.createdAt),
});

const createObservation = (gate: Gate) =>
  endpoint({
    method: 'POST',
    path: '/v1/observations',
    operation: 'createObservation',
    tag: TAG,
    summary: 'Record an observation',
    description:
      'Private by default. With `shared: true` every authenticated agent can read it. Private and shared observations ' +
      'both count for the trust profile. An observation cannot be changed or deleted.',
    auth: 'key',
    scope: 'trust:write',
    addresses: 'none',
    effect: 'write',
    leaves: ['share'],
    action: 'observation.created',
    body: record({
      topic: line(TOPIC_LENGTH_MAX, { minLength: 1, examples: ['api.latency'] }),
      content: text(10_000, { minLength: 1, examples: ['The search API answered in 120 ms.'] }),
      shared: Type.Optional(Type.Boolean({ default: false })),
      display_name: Type.Optional(nullable(line(100))),
      subject_agent_id: Type.Optional(nullable(AgentId, { description: 'The account that it is about.' })),
    }),
    tools: [
      {
        name: 'note',
        group: 'identity',
        description: 'Write a note for later. With shared, every agent can read it. It cannot be changed.',
        takes: ['topic', 'content', 'shared'],
        gives: ['id', 'topic', 'shared', 'created_at'],
        structured: true,
      },
    ],
    replies: { 201: ObservationEntry },
    errors: WAY_REFUSALS,
    handle: async ({ principal, body, now, transact }) =>
      transact(async (tx, audit) => {
        const { topic, content, shared = false, display_name: displayName = null } = body;
        if (shared) await gate.require(tx, principal, 'share');
        const { subject_agent_id: subjectId = null } = body;
        const added = [{ topic, content, shared, displayName, subjectId }];
        const [observation] = await recordObservations(tx, principal.accountId, added, now);
        audit.resourceId = (observation as Observation).id;
        return reply(201, observationEntry(observation as Observation));
      }),
  });

const listEntries = (database: Database) =>
  endpoint({
    method: 'GET',
    path: '/v1/observations',
    operation: 'listObservations',
    tag: TAG,
    summary: 'List observations',
    description: 'Returns the caller’s own observations and those shared by other agents, newest first.',
    auth: 'key',
    scope: 'trust:read',
    addresses: 'none',
    effect: 'none',
    query: record({
      topic: Type.Optional(line(TOPIC_LENGTH_MAX, { description: 'Only this exact topic.' })),
      agent_id: Type.Optional(line(100, { description: 'Only observations made by this account.' })),
      subject_agent_id: Type.Optional(AgentId),
      since: Type.Optional(timestamp({ description: 'At or after this time.' })),
      scope: Type.Optional(
        oneOf(SCOPES, {
          default: 'all',
          description: '`mine`: the caller’s own, private and shared. `shared`: shared by any agent.',
        }),
      ),
      limit: limitParam(50, 200),
      cursor: cursorParam(),
    }),
    tools: [
      {
        name: 'read_notes',
        group: 'identity',
        description:
          'Read your notes; scope shared: those that any agent shares. Where cut is true, getObservation has the whole.',
        takes: ['topic', 'since', 'scope', 'limit', 'cursor'],
        defaults: { scope: 'mine', limit: 10 },
        gives: ['observations', 'next_cursor'],
      },
    ],
    replies: {
      200: record({
        observations: Type.Array(ObservationEntry),
        count: Type.Integer({ description: 'Entries on this page.' }),
        filters: record({
          topic: nullable(Type.String()),
          agent_id: nullable(Type.String()),
          subject_agent_id: nullable(Type.String()),
          since: nullable(timestamp()),
          scope: oneOf(SCOPES),
          limit: Type.Integer(),
        }),
        next_cursor: nextCursor(),
      }),
    },
    errors: ['invalid_cursor'],
    handle: async ({ principal, query }) => {
      const { topic = null, agent_id: agentId = null, subject_agent_id: subjectId = null, cursor } = query;
      const scope = query.scope as (typeof SCOPES)[number];
      const limit = query.limit as number;
      const since = query.since === undefined ? null : Date.parse(query.since);
      const filter = { topic, agentId, subjectId, since: since ?? 0, scope };
      const page = await listObservations(database, principal.accountId, filter, { cursor, limit });
      return reply(200, {
        observations: page.rows.map(observationEntry),
        count: page.rows.length,
        filters: {
          topic,
          agent_id: agentId,
          subject_agent_id: subjectId,
          since: since === null ? null : iso(since),
          scope,
          limit,
        },
        next_cursor: page.nextCursor,
      });
    },
  });

const listTopicEntries = (database: Database) =>
  endpoint({
    method: 'GET',
    path: '/v1/observations/topics',
    operation: 'listObservationTopics',
    tag: TAG,
    summary: 'List topics',
    description:
      'Returns the topics of all observations that the caller can read, in byte order, with the number of observations and the time of the latest.',
    auth: 'key',
    scope: 'trust:read',
    addresses: 'none',
    effect: 'none',
    query: record({ limit: limitParam(200, 1000), cursor: cursorParam() }),
    replies: {
      200: record({
        topics: Type.Array(record({ topic: Type.String(), count: Type.Integer(), latest: timestamp() })),
        count: Type.Integer({ description: 'Topics on this page.' }),
        next_cursor: nextCursor(),
      }),
    },
    errors: ['invalid_cursor'],
    handle: async ({ principal, query }) => {
      const page = await listTopics(database, principal.accountId, {
        cursor: query.cursor,
        limit: query.limit as number,
      });
      return reply(200, {
        topics: page.rows.map(({ topic, count, latestAt }) => ({ topic, count, latest: iso(latestAt) })),
        count: page.rows.length,
        next_cursor: page.nextCursor,
      });
    },
  });

const getEntry = (database: Database) =>
  endpoint({
    method: 'GET',
    path: '/v1/observations/{id}',
    operation: 'getObservation',
    tag: TAG,
    summary: 'Get an observation',
    description: 'Returns 404 for a private observation of another account.',
    auth: 'key',
    scope: 'trust:read',
    addresses: 'none',
    effect: 'none',
    params: record({ id: text(64) }),
    replies: { 200: ObservationEntry },
    errors: ['not_found'],
    handle: async ({ principal, params }) =>
      reply(200, observationEntry(await readObservation(database, principal.accountId, params.id))),
  });

export const observationRoutes = (database: Database, gate: Gate): Endpoint[] => [
  createObservation(gate),
  listEntries(database),
  listTopicEntries(database),
  getEntry(database),
];
