import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { nullable, record, secret, text, timestamp } from '../../../api/fields.ts';
import { isoOrNull } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import type { Sealer } from '../../../base/sealing.ts';
import type { WebhookRules } from './webhook.ts';
import { GRACE_SECONDS_MAX, rotateSecret } from './webhook-secret.ts';

export interface SecretRouteDeps {
  webhooks: Pick<WebhookRules, 'require'>;
  sealer: Sealer;
}

const rotate = (path: string, operation: string, { webhooks, sealer }: SecretRouteDeps): Endpoint =>
  endpoint({
    method: 'POST',
    path: `${path}/{id}/rotate-secret`,
    operation,
    tag: 'Webhooks',
    summary: 'Replace the secret of a webhook',
    description:
      'Returns the new secret once. For `grace_seconds` the old one signs too: `webhook-signature` then has the signatures of both, and `x-service-signature` is still made with the old one.',
    auth: 'key',
    scope: 'webhooks:manage',
    addresses: 'filtered',
    outlives: true,
    effect: 'write',
    bucket: 'revoke',
    action: 'webhook.secret_rotated',
    params: record({ id: text(64) }),
    body: record({
      grace_seconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: GRACE_SECONDS_MAX,
          default: GRACE_SECONDS_MAX,
          description: 'A day by default. Send 0 if the old secret was stolen.',
        }),
      ),
    }),
    replies: {
      200: record({
        id: Type.String(),
        secret: secret(Type.String({ description: 'Standard Webhooks: `whsec_` and base64.' })),
        previous_valid_until: nullable(timestamp()),
      }),
    },
    errors: ['webhook_forbidden', 'not_found'],
    handle: ({ principal, params, body, now, transact }) =>
      transact(async (tx, audit) => {
        const webhook = await webhooks.require(tx, principal, params.id);
        const { grace_seconds: grace = GRACE_SECONDS_MAX } = body;
        const rotated = await rotateSecret(tx, sealer, webhook, grace, now);
        audit.resourceId = webhook.id;
        const until = isoOrNull(rotated.previousUntil);
        return reply(200, { id: webhook.id, secret: rotated.secret, previous_valid_until: until });
      }),
  });

/** The call under both paths of webhooks. */
export const secretRoutes = (deps: SecretRouteDeps): Endpoint[] => [
  rotate('/v1/webhooks', 'rotateWebhookSecret', deps),
  rotate('/v1/email/webhooks', 'rotateEmailWebhookSecret', deps),
];
