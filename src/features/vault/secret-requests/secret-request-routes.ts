import type { Static } from 'typebox';
import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { invalidField } from '../../../api/errors.ts';
import { guidance, line, nullable, oneOf, record, secret, text, timestamp } from '../../../api/fields.ts';
import { iso } from '../../../base/clock.ts';
import { secondsUntil } from '../../../base/period.ts';
import { Type } from '../../../base/schema.ts';
import { hashSecret } from '../../../base/secret.ts';
import { POLL_SECONDS, PollThrottle } from './poll-throttle.ts';
import { type Collected, parsePublicKey, type RequestRules, type SecretRequestDeps } from './secret-request.ts';

const TAG = 'Credentials';

const vaultKeyField = (description: string) =>
  Type.Optional(nullable(text(128, { pattern: '^[A-Za-z0-9_.-]+$', description })));

const RequestBody = record({
  description: line(500, {
    minLength: 1,
    description: 'What you need and why. The operator reads it before deciding.',
    examples: ['Stripe test key, to reconcile invoices'],
  }),
  vault_key: vaultKeyField('The vault key you plan to store it under. Returned with the value.'),
  public_key: Type.Optional(
    nullable(text(64, { description: 'X25519, 32 bytes as base64url, base64 or hex. The value is sealed to it.' })),
  ),
});

const Requested = record({
  request_id: Type.String(),
  device_code: secret(Type.String({ description: 'For polling. Keep it secret. Shown once.' })),
  user_code: secret(Type.String({ description: '`XXXX-XXXX`, for the operator.' })),
  verification_url: Type.String(),
  verification_url_complete: Type.String({ description: 'The page with the code filled in.' }),
  expires_in: Type.Integer({ description: 'Seconds.' }),
  interval: Type.Integer({ description: 'Seconds to wait between polls.' }),
  expires_at: timestamp(),
  message: guidance(Type.String()),
});

const requestCredential = (rules: RequestRules, { limits, baseUrl }: SecretRequestDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/credentials/request',
    operation: 'requestCredential',
    tag: TAG,
    summary: 'Ask the operator for a credential',
    description:
      'Follows RFC 8628. Show `user_code` and `verification_url` to your operator, then poll. With `public_key` the ' +
      'operator’s browser seals the value to that key, and the service never sees it. An account may have ' +
      `${limits.credential_requests} open requests and needs an operator email.`,
    auth: 'key',
    scope: 'credentials:request',
    addresses: 'none',
    effect: 'write',
    leaves: [],
    action: 'credential.requested',
    body: RequestBody,
    tools: [
      {
        name: 'ask_human',
        group: 'vault',
        description:
          'Ask your operator for a credential. Show user_code and verification_url to the person, then use wait_for_answer.',
        takes: ['description', 'vault_key', 'public_key'],
      },
    ],
    replies: {
      201: Requested,
    },
    errors: ['operator_email_required', 'credential_limit'],
    handle: async ({ principal, body, now, transact }) => {
      const { description, vault_key: vaultKey = null, public_key: sent = null } = body;
      const publicKey = sent === null ? null : parsePublicKey(sent);
      if (sent !== null && publicKey === null)
        throw invalidField(
          '/body/public_key',
          'invalid_format',
          '/body/public_key must be an X25519 public key: 32 bytes.',
        );
      return transact(async (tx, audit) => {
        const opened = await rules.open(tx, principal, { description, vaultKey, publicKey }, now);
        audit.resourceId = opened.id;
        const page = `${baseUrl()}/credentials`;
        return reply(201, {
          request_id: opened.id,
          device_code: opened.deviceCode,
          user_code: opened.userCode,
          verification_url: page,
          verification_url_complete: `${page}#code=${opened.userCode}`,
          expires_in: limits.credential_ttl_seconds,
          interval: POLL_SECONDS,
          expires_at: iso(opened.expiresAt),
          message: `Ask your operator to open ${page} and enter ${opened.userCode}.`,
        });
      });
    },
  });

const STATUSES = ['authorization_pending', 'slow_down', 'approved', 'denied', 'expired'] as const;

const PollReply = record({
  status: oneOf(STATUSES),
  request_id: Type.String(),
  vault_key: nullable(Type.String()),
  interval: Type.Optional(Type.Integer({ description: 'While pending: seconds to wait before the next poll.' })),
  expires_in: Type.Optional(Type.Integer({ description: 'While pending: seconds until the request expires.' })),
  reason: Type.Optional(oneOf(['operator', 'wrong_codes'], { description: 'Why it was denied.' })),
  credential_value: Type.Optional(
    secret(Type.String({ description: 'The value, when the request had no `public_key`.' })),
  ),
  sealed_value: Type.Optional(
    secret(Type.String({ description: 'The sealed value, when it had one. Open it with the private key.' })),
  ),
  message: guidance(Type.String()),
});

const EXPIRED = 'The request has expired, or its value was delivered before. Make a new request.';

const pending = (tooSoon: boolean, seconds: number) => ({
  status: tooSoon ? ('slow_down' as const) : ('authorization_pending' as const),
  interval: seconds,
  message: `Not decided yet. Poll again in ${seconds} seconds.`,
});

const delivered = (taken: Collected) => ({
  status: 'approved' as const,
  ...('sealedValue' in taken ? { sealed_value: taken.sealedValue } : { credential_value: taken.credentialValue }),
  message: 'Store it now: it is not shown again.',
});

const pollCredential = (rules: RequestRules, throttle: PollThrottle, { database }: SecretRequestDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/credentials/poll',
    operation: 'pollCredential',
    tag: TAG,
    summary: 'Poll a credential request',
    description:
      'Returns 200 for every device code of this account, with the state in `status` (RFC 8628 3.5). `slow_down` means ' +
      'that you polled too early; it adds 5 seconds to the interval. An approved value is delivered once, within ten ' +
      'minutes of the approval. After that, the status is `expired`. Wait for the event `credential.resolved` instead of polling.',
    auth: 'key',
    scope: 'credentials:request',
    addresses: 'none',
    effect: 'lazy',
    dryRun: false,
    leaves: [],
    action: 'credential.delivered',
    body: record({ device_code: text(64, { minLength: 1 }) }),
    tools: [
      {
        name: 'wait_for_answer',
        group: 'vault',
        description: 'Wait for what ask_human asked for. The value comes once.',
        takes: ['device_code'],
        changes: true,
        destroys: true,
        awaits: {
          event: 'credential.resolved',
          id: 'request_id',
          eventId: 'request_id',
          pending: ['authorization_pending', 'slow_down'],
        },
      },
    ],
    replies: { 200: PollReply },
    errors: ['not_found'],
    handle: async ({ principal, body, now, transact }) => {
      const { device_code: deviceCode } = body;
      const found = await rules.poll(database, principal.accountId, deviceCode, now);
      const { id, expiresAt } = found.request;
      const about = { request_id: id, vault_key: found.request.vaultKey };
      const ended = { ...about, status: 'expired' as const, message: EXPIRED };
      /** The first answer after a decision: from then on it no longer waits for the agent. */
      const tell = <Body extends Static<typeof PollReply>>(body: Body) => {
        if (!rules.isUntold(found.request)) return reply(200, body);
        return transact(async (tx, audit) => {
          audit.resourceId = id;
          audit.action = 'credential.polled';
          await rules.tell(tx, found.request, now);
          return reply(200, body);
        });
      };
      switch (found.state) {
        case 'pending': {
          const { tooSoon, seconds } = throttle.take(hashSecret(deviceCode), now);
          return reply(200, { ...about, ...pending(tooSoon, seconds), expires_in: secondsUntil(expiresAt, now) });
        }
        case 'expired':
          return tell(ended);
        case 'denied': {
          const { reason } = found;
          const message =
            reason === 'operator'
              ? 'The operator denied the request.'
              : 'The request ended after too many wrong codes.';
          return tell({ status: 'denied' as const, ...about, reason, message });
        }
        case 'ready':
          return transact(async (tx, audit) => {
            audit.resourceId = id;
            const taken = await rules.collect(tx, found.request, deviceCode, now);
            if (taken === null) {
              audit.action = 'credential.polled';
              return reply(200, ended);
            }
            return reply(200, { ...about, ...delivered(taken) });
          });
      }
    },
  });

/** The agent's side: request and poll. */
export const requestRoutes = (rules: RequestRules, deps: SecretRequestDeps): Endpoint[] => [
  requestCredential(rules, deps),
  pollCredential(rules, new PollThrottle(), deps),
];
