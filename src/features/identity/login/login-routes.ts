import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { guidance, record, text, timestamp } from '../../../api/fields.ts';
import { iso } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import { requirePersonalEmail } from '../../../mail/address/mail-address.ts';
import type { Credentials } from './authenticator.ts';
import type { LoginDeps, LoginRules } from './mailed-login.ts';

const login = (rules: LoginRules, { networksOf }: LoginDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/auth/login',
    operation: 'login',
    tag: 'Accounts',
    summary: 'Send login links by email',
    description:
      'Sends one link for each account that uses the address. A link works once and expires after 15 minutes. The reply is the same for known and unknown addresses. In any hour, an address can receive five of these emails for each network that it logged in from within 90 days, and five for all others together.',
    auth: 'none',
    effect: 'write',
    leaves: [],
    action: 'login.requested',
    body: record({
      email: text(254, { description: 'The account’s email, recovery email or operator email.' }),
    }),
    replies: { 200: record({ sent: Type.Boolean(), message: guidance(Type.String()) }) },
    errors: ['rate_limited'],
    handle: async ({ body, ip, now, transact }) => {
      const networks = networksOf(ip);
      const email = requirePersonalEmail(body.email, '/body/email');
      return transact(async (tx) => {
        await rules.requestLogin(tx, email, networks, now);
        return reply(200, { sent: true, message: 'If the address belongs to an account, a login link is on its way.' });
      });
    },
  });

const verify = (rules: LoginRules, { networksOf }: LoginDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/auth/verify',
    operation: 'verifyLogin',
    tag: 'Accounts',
    summary: 'Open a session with a login link',
    description:
      'The link works once. The redirect carries the session token in its fragment, which browsers do not send to servers. The token is valid for 24 hours as `Authorization: Bearer session_…`.',
    auth: 'none',
    effect: 'write',
    leaves: [],
    action: 'login.session_opened',
    query: record({ token: text(256, { description: 'From the login link.' }) }),
    replies: { 302: Type.Null({ description: 'To `/dashboard#session=<token>`.' }) },
    errors: ['invalid_token'],
    codes: { '/query/token': 'invalid_token' },
    handle: async ({ query, ip, now, transact }) =>
      transact(async (tx, audit) => {
        const session = await rules.openSession(tx, query.token, networksOf(ip), now);
        audit.accountId = session.accountId;
        audit.resourceId = session.accountId;
        audit.actor = session.person;
        return reply(302, null, {
          location: `/dashboard#session=${session.token}`,
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
        });
      }),
  });

const logout = (credentials: Credentials) =>
  endpoint({
    method: 'POST',
    path: '/v1/auth/logout',
    operation: 'logout',
    tag: 'Accounts',
    summary: 'End the session',
    description:
      'The session token stops working at once on every instance, and its streams are closed. Other sessions and the keys keep working. To end a key, rotate it.',
    auth: 'key',
    scope: 'account:manage',
    wholeAccount: true,
    mailedLogin: true,
    whileSuspended: true,
    effect: 'write',
    dryRun: false,
    leaves: [],
    bucket: 'revoke',
    action: 'login.session_ended',
    replies: { 200: record({ ok: Type.Boolean(), ended_at: timestamp() }) },
    errors: ['session_required'],
    handle: async ({ principal, now, transact }) =>
      transact(async (tx, audit) => {
        await credentials.endSession(tx, principal);
        audit.resourceId = principal.accountId;
        return reply(200, { ok: true, ended_at: iso(now) });
      }),
  });

export const loginRoutes = (rules: LoginRules, credentials: Credentials, deps: LoginDeps): Endpoint[] => [
  login(rules, deps),
  verify(rules, deps),
  logout(credentials),
];
