import { type Endpoint, endpoint, reply } from '../../../../api/endpoint.ts';
import { oneOf, record, secret, text, timestamp } from '../../../../api/fields.ts';
import { WAY_REFUSALS } from '../../../../api/way-out.ts';
import { iso } from '../../../../base/clock.ts';
import { Type } from '../../../../base/schema.ts';
import type { ConsentRules } from '../consent-decision.ts';
import type { GrantDeps } from '../grant.ts';
import { COMMAND_LINE } from '../grant-table.ts';
import type { DeviceLoginRules, DeviceRequest } from './device-login.ts';

const TAG = 'OAuth';
const NO_STORE = { 'cache-control': 'no-store' };

const start = (rules: DeviceLoginRules, { baseUrl, networksOf }: GrantDeps) =>
  endpoint({
    method: 'POST',
    path: '/oauth/device_authorization',
    operation: 'startDeviceLogin',
    tag: TAG,
    summary: 'Begin a login with a device code (RFC 8628)',
    description: 'For the command line alone. A person types the user code on the page `/device`.',
    auth: 'none',
    model: false,
    effect: 'write',
    leaves: [],
    action: 'grant.asked',
    form: true,
    body: record({
      client_id: Type.Optional(text(2048)),
      scope: Type.Optional(text(2048)),
      resource: Type.Optional(text(2048)),
    }),
    replies: {
      200: record({
        device_code: secret(Type.String()),
        user_code: secret(Type.String()),
        verification_uri: Type.String(),
        expires_in: Type.Integer({ description: 'Seconds.' }),
        interval: Type.Integer({ description: 'Seconds between two polls.' }),
      }),
    },
    errors: ['invalid_client', 'invalid_scope', 'invalid_target', 'rate_limited'],
    handle: async ({ body, ip, now, transact }) =>
      transact(async (tx) => {
        const started = await rules.start(tx, body as DeviceRequest, networksOf(ip), now);
        const { deviceCode, userCode, expiresInSeconds, intervalSeconds } = started;
        return reply(
          200,
          {
            device_code: deviceCode,
            user_code: userCode,
            verification_uri: `${baseUrl()}/device`,
            expires_in: expiresInSeconds,
            interval: intervalSeconds,
          },
          NO_STORE,
        );
      }),
  });

const decide = (rules: DeviceLoginRules, consents: ConsentRules, { networksOf }: GrantDeps) =>
  endpoint({
    method: 'POST',
    path: '/oauth/device',
    operation: 'decideDeviceLogin',
    tag: TAG,
    summary: 'Look at the login that waits with a user code, or decide it',
    description: 'For who may decide `POST /oauth/consent`. Without `decision` nothing is decided.',
    auth: 'person',
    scope: 'account:manage',
    wholeAccount: true,
    effect: 'write',
    leaves: ['grant'],
    action: 'grant.created',
    body: record({
      user_code: text(64, { description: 'As the command line shows it. Case and hyphen do not matter.' }),
      decision: Type.Optional(oneOf(['allow', 'deny'])),
      account_id: Type.Optional(text(64)),
      scopes: Type.Optional(
        Type.Array(text(64), {
          maxItems: 100,
          description: 'Default: all that it asks for but `mail:codes` and `money:approve`.',
        }),
      ),
    }),
    replies: {
      200: record({
        client_name: Type.String(),
        scopes: Type.Array(Type.String(), { description: 'What it asks for, or was let do.' }),
        created_at: timestamp(),
        expires_at: timestamp(),
      }),
    },
    errors: [
      'unknown_user_code',
      'not_found',
      ...WAY_REFUSALS,
      'confirmed_address_required',
      'account_deleting',
      'limit_reached',
      'invalid_scope',
      'rate_limited',
    ],
    handle: async ({ principal, body, ip, now, transact }) => {
      const { decision, account_id: accountId = principal.accountId, scopes } = body;
      const login = await rules.find(body.user_code, networksOf(ip), now);
      const shown = { client_name: COMMAND_LINE.name, scopes: login.scopes as string[] };
      const times = { created_at: iso(login.createdAt), expires_at: iso(login.expiresAt) };
      const acting = decision && (await consents.actingFor(principal, accountId, now));
      return transact(async (tx, audit) => {
        audit.resourceId = COMMAND_LINE.id;
        if (!acting) {
          audit.action = 'grant.viewed';
          return reply(200, { ...shown, ...times }, NO_STORE);
        }
        audit.accountId = acting.accountId;
        audit.actor = acting.auditActor;
        if (decision === 'deny') {
          audit.action = 'grant.denied';
          await rules.deny(tx, login, now);
          return reply(200, { ...shown, ...times }, NO_STORE);
        }
        const grant = await rules.allow(tx, acting, login, scopes, now);
        audit.resourceId = grant.id;
        return reply(200, { ...shown, scopes: grant.scopes as string[], ...times }, NO_STORE);
      });
    },
  });

export const deviceLoginRoutes = (rules: DeviceLoginRules, consents: ConsentRules, deps: GrantDeps): Endpoint[] => [
  start(rules, deps),
  decide(rules, consents, deps),
];
