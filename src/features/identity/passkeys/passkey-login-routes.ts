import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { record, secret, text, timestamp } from '../../../api/fields.ts';
import { iso } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import { requirePersonalEmail } from '../../../mail/address/mail-address.ts';
import type { PasskeyDeps } from './passkey.ts';
import type { PasskeyLogin } from './passkey-login.ts';
import { LoginBody, LoginOptions } from './webauthn-schema.ts';

const TAG = 'Passkeys';
const NO_STORE = { 'cache-control': 'no-store' };

const Session = record({
  session: secret(Type.String({ description: 'Send it as `Authorization: Bearer session_…`.' })),
  account_id: Type.String(),
  expires_at: timestamp(),
});

const sessionBody = ({ token, accountId, expiresAt }: { token: string; accountId: string; expiresAt: number }) => ({
  session: token,
  account_id: accountId,
  expires_at: iso(expiresAt),
});

const accountId = () =>
  Type.Optional(text(64, { description: 'The account to act for. Default: the one you operate longest.' }));

const options = (login: PasskeyLogin, { networksOf }: PasskeyDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/auth/passkey/options',
    operation: 'createPasskeyLoginOptions',
    tag: TAG,
    summary: 'Get options to log in with a passkey',
    description: 'For `navigator.credentials.get`. They live for 5 minutes and are alike for every address.',
    auth: 'none',
    effect: 'write',
    leaves: [],
    action: 'login.passkey_options_made',
    body: record({ email: Type.Optional(text(254, { description: 'Accept only passkeys of this address.' })) }),
    replies: { 200: LoginOptions },
    errors: ['passkeys_unavailable', 'rate_limited'],
    handle: async ({ body, ip, now, transact }) => {
      const networks = networksOf(ip);
      const address = body.email === undefined ? null : requirePersonalEmail(body.email, '/body/email');
      const made = await login.options();
      return transact(async (tx) => {
        const { challenge, rpId = '', timeout = 0, userVerification = 'required' } = made;
        await login.keepOptions(tx, { challenge, address, networks }, now);
        return reply(200, { rpId, challenge, timeout, userVerification });
      });
    },
  });

const logIn = (login: PasskeyLogin, { networksOf }: PasskeyDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/auth/passkey',
    operation: 'logInWithPasskey',
    tag: TAG,
    summary: 'Open a session with a passkey',
    description: 'Takes the browser’s answer to the options.',
    auth: 'none',
    effect: 'write',
    leaves: [],
    action: 'login.session_opened',
    bodyLimitBytes: 131_072,
    body: LoginBody,
    replies: { 200: Session },
    errors: ['passkeys_unavailable', 'invalid_passkey', 'passkey_pending', 'rate_limited', 'not_found'],
    handle: async ({ body, ip, now, transact }) => {
      const { account_id, ...response } = body;
      const proven = await login.prove(response as AuthenticationResponseJSON, networksOf(ip), now);
      return transact(async (tx, audit) => {
        const session = await login.open(tx, proven, account_id, now);
        audit.accountId = session.accountId;
        audit.resourceId = proven.passkey.id;
        audit.actor = session.person;
        return reply(200, sessionBody(session), NO_STORE);
      });
    },
  });

const recover = (login: PasskeyLogin, { networksOf }: PasskeyDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/auth/passkey/recovery',
    operation: 'logInWithRecoveryCode',
    tag: TAG,
    summary: 'Open a session with a recovery code',
    description: 'Each code works once. The session can do what one of a passkey can, such as add a passkey.',
    auth: 'none',
    effect: 'write',
    leaves: [],
    action: 'login.session_opened',
    body: record({ email: text(254), code: text(64, { minLength: 1 }), account_id: accountId() }),
    replies: { 200: Session },
    errors: ['invalid_code', 'rate_limited', 'not_found'],
    handle: async ({ body, ip, now, transact }) => {
      const address = requirePersonalEmail(body.email, '/body/email');
      const recovery = { address, code: body.code, networks: networksOf(ip) };
      await login.requireCode(recovery, now);
      return transact(async (tx, audit) => {
        const session = await login.recover(tx, recovery, body.account_id, now);
        audit.accountId = session.accountId;
        audit.resourceId = session.accountId;
        audit.actor = session.person;
        return reply(200, sessionBody(session), NO_STORE);
      });
    },
  });

export const passkeyLoginRoutes = (login: PasskeyLogin, deps: PasskeyDeps): Endpoint[] => [
  options(login, deps),
  logIn(login, deps),
  recover(login, deps),
];
