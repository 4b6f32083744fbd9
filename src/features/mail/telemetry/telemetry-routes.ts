import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { line, named, oneOf, record, sameAs, timestamp } from '../../../api/fields.ts';
import { type Gate, WAY_REFUSALS } from '../../../api/way-out.ts';
import { iso } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import { submitTelemetry, type TelemetryEvent } from './telemetry-events.ts';

const BATCH_MAX = 100;

const Event = named(
  'TelemetryEvent',
  record(
    {
      event: Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]*$',
        description: 'What happened. The observation’s topic is `telemetry.<event>`.',
      }),
      agent_id: line(128, { minLength: 1, description: 'The agent it is about, stored as sent.' }),
      timestamp: timestamp({ description: 'When it happened.' }),
      action_type: oneOf(['tool_call', 'memory_update', 'decision', 'external_request']),
      outcome: oneOf(['success', 'failure', 'anomaly']),
      axiom_hash: Type.Optional(Type.String({ pattern: '^[0-9a-fA-F]{64}$', description: 'SHA-256, in hex.' })),
      context_ref: Type.Optional(line(512, { description: 'Your own reference, stored as sent.' })),
    },
    { title: 'TelemetryEvent' },
  ),
);

/** Chooses the shape by the value's type, so that errors point at the faulty field. A union would report both shapes. */
const OneOrMany = Type.Unsafe<TelemetryEvent | TelemetryEvent[]>({
  if: { type: 'array' },
  // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword (draft 2020-12, 10.2.2)
  then: Type.Array(Event, { minItems: 1, maxItems: BATCH_MAX }),
  else: Event,
});

const submit = (gate: Gate) =>
  endpoint({
    method: 'POST',
    path: '/v1/telemetry/submit',
    operation: 'submitTelemetry',
    tag: 'Trust',
    summary: 'Submit telemetry',
    description:
      `Takes one event or an array of 1 to ${BATCH_MAX}, and stores all of them or none. Each event becomes a shared ` +
      'observation of the caller with the topic `telemetry.<event>`. It counts for the caller’s trust profile, whatever ' +
      'the outcome. An event about another agent also counts in that agent’s `evidence.peer`.',
    auth: 'key',
    scope: 'trust:write',
    addresses: 'none',
    effect: 'write',
    leaves: ['share'],
    action: 'telemetry.submitted',
    body: OneOrMany,
    replies: {
      201: record({
        accepted: Type.Literal(true),
        count: Type.Integer(),
        account_id: Type.String({ description: 'The caller’s. The events belong to this account.' }),
        agent_token: sameAs('account_id'),
        observations: Type.Array(
          record({ observation_id: Type.String(), event: Type.String(), ingested_at: timestamp() }),
        ),
        observation_id: Type.Optional(Type.String({ description: 'Only for a single event.' })),
        ingested_at: Type.Optional(timestamp({ description: 'Only for a single event.' })),
      }),
    },
    errors: WAY_REFUSALS,
    handle: async ({ principal, body, now, transact }) => {
      const events = Array.isArray(body) ? body : [body];
      return transact(async (tx, audit) => {
        await gate.require(tx, principal, 'share');
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
          account_id: principal.accountId,
          agent_token: principal.accountId,
          observations: entries,
          ...(Array.isArray(body) ? {} : { observation_id, ingested_at }),
        });
      });
    },
  });

export const telemetryRoutes = (gate: Gate): Endpoint[] => [submit(gate)];
