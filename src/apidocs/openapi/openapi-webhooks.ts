import { EVENT_TYPES, EVENTS } from '../../api/events.ts';
import { withoutFields } from '../../base/without-fields.ts';
import type { Json } from './openapi-schemas.ts';

/** The links of the table in docs/events.md, as words. */
const words = (summary: string): string => summary.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1');

/** What the body of every delivery has; each event adds the shape of its `data`. */
const DELIVERED_EVENT = {
  type: 'object',
  required: ['id', 'type', 'event', 'created_at', 'data'],
  properties: {
    id: { type: 'string', description: 'The id of the event in `GET /v1/events`. The same in every attempt.' },
    type: { type: 'string' },
    event: { type: 'string', description: 'The same as `type`.', deprecated: true },
    created_at: { type: 'string', format: 'date-time' },
    address: { type: 'string', description: 'The address of the account that the event is about, if it is about one.' },
    data: { type: 'object' },
  },
};

export const WEBHOOK_SCHEMAS = { DeliveredEvent: DELIVERED_EVENT };

function webhook(summary: string, data: unknown): Json {
  // A reply may gain fields, and so may an event.
  const open = withoutFields(data, (name) => name === 'additionalProperties');
  const schema = { $ref: '#/components/schemas/DeliveredEvent', properties: { data: open } };
  return {
    post: {
      summary: words(summary),
      requestBody: { content: { 'application/json': { schema } } },
      responses: { '2XX': { description: 'Taken.' } },
    },
  };
}

/** The requests that the service sends to webhooks, one for each type of event (OpenAPI 3.1 `webhooks`). */
export const webhooksSpec = (): Json =>
  Object.fromEntries(EVENT_TYPES.map((type) => [type, webhook(EVENTS[type].summary, EVENTS[type].data)]));

/** The same with their bodies alone. */
export const shortWebhooks = (webhooks: Json): Json =>
  Object.fromEntries(
    Object.entries(webhooks as Record<string, { post: Json }>).map(([type, { post }]) => [
      type,
      { post: { requestBody: post.requestBody } },
    ]),
  );
