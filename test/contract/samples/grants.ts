import { COMMAND_LINE, waitingDevice } from '../../support/command-line-login.ts';
import type { TestApp } from '../../support/harness.ts';
import { allow, askFor, REDIRECT, redeem, registerClient } from '../../support/oauth-client.ts';
import { plainToken } from '../../support/operators.ts';
import { by, expect, type Prepare } from './sample.ts';

/** A client, and the session of a person who may let it in. */
async function asked(t: TestApp) {
  const asking = askFor(await registerClient(t));
  const account = await t.createAccount();
  return { asking, account, session: await plainToken(t, account) };
}

/** An account, and the tokens of a client that a person let in. */
async function letIn(t: TestApp) {
  const { asking, account, session } = await asked(t);
  const code = (await allow(t.api(session), asking)).get('code') as string;
  const { body: tokens } = await expect(200, redeem(t, asking, code));
  return { account, tokens };
}

/** The clients of people, and what people let them do. */
export const grantSamples: Record<string, Prepare> = {
  registerClient: async () => ({ body: { redirect_uris: [REDIRECT], client_name: 'A client' } }),
  authorizeClient: async (t) => ({ path: `/oauth/authorize?${askFor(await registerClient(t)).request}` }),
  decideConsent: async (t) => {
    const { asking, account, session } = await asked(t);
    return { ...by(account), key: session, body: { request: asking.request, decision: 'allow' } };
  },
  startDeviceLogin: async (t) => ({
    key: null,
    body: { client_id: COMMAND_LINE, scope: 'account:read', resource: t.baseUrl },
  }),
  decideDeviceLogin: async (t) => {
    const { account, session } = await asked(t);
    const { user_code } = await waitingDevice(t);
    return { ...by(account), key: session, body: { user_code, decision: 'allow' } };
  },
  revokeClientToken: async (t) => {
    const { account, tokens } = await letIn(t);
    return { key: null, accountId: account.accountId, body: { token: tokens.refresh_token } };
  },
  endGrant: async (t) => {
    const { account } = await letIn(t);
    const [grant] = (await expect(200, account.api.get('/v1/account/grants'))).body.grants;
    return { ...by(account), path: `/v1/account/grants/${grant.id}` };
  },
};
