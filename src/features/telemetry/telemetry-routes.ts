import { Type } from 'typebox';
import { iso } from '../../kernel/clock.ts';
import { type Endpoint, endpoint, reply } from '../../kernel/endpoint.ts';
import { line, named, oneOf, record, timestamp } from '../../kernel/fields.ts';
import { submitTelemetry, type TelemetryEvent } from './telemetry-rules.ts';

const BATCH_MAX = 100;

const Event = named(
  'TelemetryEvent',
  record(
    {
      event: Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]*$',
        description: 'What happened; becomes the topic `telemetry.<event>`.',
      }),
      agent_id: line(128, { minLength: 1, description: 'Whom it is about, recorded as given.' }),
      timestamp: timestamp({ description: 'When it happened.' }),
      action_type: oneOf(['tool_call', 'memory_update', 'decision', 'external_request']),
      outcome: oneOf(['success', 'failure', 'anomaly']),
      axiom_hash: Type.Optional(Type.String({ pattern: '^[0-9a-fA-F]{64}$', description: 'SHA-256, in hex.' })),
      context_ref: Type.Optional(line(512)),
    },
    { title: 'TelemetryEvent' },
  ),
);

/** One of two shapes by the value's kind, so that a fault is reported where it is: a union would blame the other shape. */
const OneOrMany = Type.Unsafe<TelemetryEvent | TelemetryEvent[]>({
  if: { type: 'array' },
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own word (draft 2020-12, 10.2.2)
  then: Type.Array(Event, { minItems: 1, maxItems: BATCH_MAX }),
  else: Event,
});

const submit = () =>
  endpoint({
    method: 'POST',
    path: '/v1/telemetry/submit',
    operation: 'submitTelemetry',
    tag: 'Trust',
    summary: 'Report what an agent did',
    description:
      `One event, or an array of 1 to ${BATCH_MAX}, taken all or not at all. Each becomes a shared observation of the ` +
      'caller under `telemetry.<event>` and counts for its trust profile whatever the outcome. An event that names ' +
      "another agent also shows in that agent's `evidence.peer`.",
    auth: 'key',
    effect: 'write',
    action: 'telemetry.submitted',
    body: OneOrMany,
    replies: {
      201: record({
        accepted: Type.Literal(true),
        count: Type.Integer(),
        agent_token: Type.String({ description: 'The agent the events are bound to: the account of the caller.' }),
        observations: Type.Array(
          record({ observation_id: Type.String(), event: Type.String(), ingested_at: timestamp() }),
        ),
        observation_id: Type.Optional(Type.String({ description: 'For a single event.' })),
        ingested_at: Type.Optional(timestamp({ description: 'For a single event.' })),
      }),
    },
    errors: [],
    handle: async ({ principal, body, now, transact }) => {
      const events = Array.isArray(body) ? body : [body];
      return transact(async (tx, audit) => {
        const observations = await submitTelemetry(tx, principal.accountId, events, now);
        const ingestedAt = iso(now);
        const entries = observations.map(({ id }, i) => ({
          observation_id: id,
          event: (events[i] as TelemetryEvent).event,
          ingested_at: ingestedAt,
        }));
        const first = entries[0] as (typeof entries)[number];
        audit.resourceId = first.observation_id;
        const { observation_id, ingested_at } = first;
        return reply(201, {
          accepted: true as const,
          count: entries.length,
          agent_token: principal.accountId,
          observations: entries,
          ...(Array.isArray(body) ? {} : { observation_id, ingested_at }),
        });
      });
    },
  });

export const telemetryRoutes = (): Endpoint[] => [submit()];
