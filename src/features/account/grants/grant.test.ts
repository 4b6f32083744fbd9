import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as oauth from 'openid-client';
import { confirmOperator } from '../../../../test/support/agents.ts';
import { confirmAt, sessionOf } from '../../../../test/support/confirmed.ts';
import { onEngines, type Suite } from '../../../../test/support/harness.ts';
import {
  allow,
  askFor,
  clientTokens,
  REDIRECT,
  redeem,
  refresh,
  registerClient,
  tokenCall,
} from '../../../../test/support/oauth-client.ts';
import { newPerson, plainSession, plainToken, removeOperator, twoAgents } from '../../../../test/support/operators.ts';

const introspecter = (suite: Suite) => async (key: string, token: string) =>
  (await suite.t.api(key).post('/v1/tokens/introspect', { token })).body;

const OPTIONS = { limits: { token_refreshes_per_hour: 3 } };

onEngines('any', 'clients of people', OPTIONS, (suite) => {
  const introspect = introspecter(suite);

  it('openid-client registers, sends a person to the page, and gets tokens for /mcp; each refresh replaces its token', async () => {
    const { t } = suite;
    const { operator, agents } = await twoAgents(t);
    const options = { execute: [oauth.allowInsecureRequests], algorithm: 'oauth2' as const };
    const client = await oauth.dynamicClientRegistration(
      new URL(t.baseUrl),
      { redirect_uris: [REDIRECT], client_name: 'A client', token_endpoint_auth_method: 'none' },
      oauth.None(),
      options,
    );
    const verifier = oauth.randomPKCECodeVerifier();
    const url = oauth.buildAuthorizationUrl(client, {
      redirect_uri: REDIRECT,
      scope: 'mail:read mail:send calendar:read',
      state: 's1',
      resource: `${t.baseUrl}/mcp`,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const page = await fetch(url, { redirect: 'manual' });
    assert.equal(page.status, 200);
    const request = url.search.slice(1);
    const body = {
      request,
      decision: 'allow',
      account_id: agents[1].accountId,
      scopes: ['mail:read', 'calendar:read'],
    };
    const { redirect_to: answer } = (await operator.post('/oauth/consent', body)).body;
    assert.equal(new URL(answer).searchParams.get('iss'), t.baseUrl);
    const checks = { pkceCodeVerifier: verifier, expectedState: 's1' };
    const tokens = await oauth.authorizationCodeGrant(client, new URL(answer), checks);
    assert.equal(tokens.scope, 'mail:read calendar:read');
    assert.equal(tokens.expires_in, 900);
    const shown = await introspect(agents[1].key, tokens.access_token);
    assert.deepEqual(
      [shown.active, shown.sub, shown.aud, shown.client_id, shown.scope],
      [true, agents[1].accountId, `${t.baseUrl}/mcp`, client.clientMetadata().client_id, 'mail:read calendar:read'],
    );
    const next = await oauth.refreshTokenGrant(client, tokens.refresh_token as string);
    assert.notEqual(next.refresh_token, tokens.refresh_token);
    const [grant] = (await agents[1].api.get('/v1/account/grants')).body.grants;
    assert.deepEqual([grant.client_name, grant.scopes], ['A client', ['mail:read', 'calendar:read']]);
    await oauth.tokenRevocation(client, next.refresh_token as string);
    assert.equal((await introspect(agents[1].key, next.access_token)).active, false);
    assert.deepEqual((await agents[1].api.get('/v1/account/grants')).body.grants, []);
  });

  it('403 insufficient_scope: a token that came from a code opens no endpoint but /mcp', async () => {
    const { t } = suite;
    const { operator } = await twoAgents(t);
    const { access } = await clientTokens(t, operator, { scope: 'account:read mail:read identity:issue' });
    const api = t.api(access);
    for (const endpoint of t.app.endpoints) {
      if (endpoint.auth === 'none') continue;
      // Other ids below /v1/audit are those of tokens, which are public.
      const path = endpoint.path.replace('/audit/{id}', '/audit/aud_x1').replace(/\{\w+\}/g, 'x1');
      const method = path === '/v1/events/stream' ? 'HEAD' : endpoint.method;
      const { status, headers } = await api(method, path, method === 'GET' || method === 'HEAD' ? undefined : {});
      assert.equal(status, 403, `${method} ${path}`);
      assert.match(String(headers.get('www-authenticate')), /insufficient_scope/, path);
    }
  });

  it('at /mcp the token does what the person allowed; for more it is 403 with the scope to ask for, and then 401', async () => {
    const { t } = suite;
    const { operator, agents } = await twoAgents(t);
    const { access, asking, refresh: next } = await clientTokens(t, operator, { scope: 'account:read mail:read' });
    const callTool = (token: string, name: string, args: object = {}) =>
      t
        .api(token)
        .post(
          '/mcp',
          { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
          { accept: 'application/json, text/event-stream' },
        );
    const who = await callTool(access, 'whoami');
    assert.equal(who.status, 200, who.text);
    assert.ok(who.text.includes(agents[0].accountId));
    const more = await callTool(access, 'charge', { amount: '3.00', category: 'tools', idempotency_key: 'k1' });
    assert.equal(more.status, 403, more.text);
    const challenge = String(more.headers.get('www-authenticate'));
    assert.match(challenge, /error="insufficient_scope", scope="money:spend", resource_metadata="http/);
    for (const barred of ['issue_token', 'rotateKey'])
      assert.ok(!(await callTool(access, barred)).text.includes('"isError":false'), barred);
    const inner = { operation: 'createAccountKey', arguments: { name: 'k', scopes: ['mail:read'] } };
    assert.ok(!(await callTool(access, 'call_operation', inner)).text.includes('signet_key_'));
    assert.equal((await refresh(t, asking.clientId, next)).status, 200);
    const [grant] = (await agents[0].api.get('/v1/account/grants')).body.grants;
    assert.equal((await agents[0].api.delete(`/v1/account/grants/${grant.id}`)).status, 200);
    const ended = await callTool(access, 'whoami');
    assert.equal(ended.status, 401);
    assert.match(String(ended.headers.get('www-authenticate')), /resource_metadata="http[^"]+oauth-protected-resource/);
  });

  it('429: a grant has few refreshes an hour; a refused one leaves its token as it was, and a rotation names the grant', async () => {
    const { t } = suite;
    const { operator, agents } = await twoAgents(t);
    const { asking, refresh: first } = await clientTokens(t, operator);
    let token = first;
    for (const _ of [1, 2, 3]) token = (await refresh(t, asking.clientId, token)).body.refresh_token;
    const { status, headers } = await refresh(t, asking.clientId, token);
    assert.deepEqual([status, Number(headers.get('retry-after')) > 0], [429, true]);
    t.clock.advance(3_600_000);
    assert.equal((await refresh(t, asking.clientId, token)).status, 200);
    const { warning } = (await agents[0].api.post('/v1/auth/keys/rotate')).body;
    assert.match(warning, /standing: .*grant grt_\w+, allowed by /);
  });

  it('a refresh token that comes twice ends the grant for client and thief, with an event and a mail', async () => {
    const { t } = suite;
    const { operator, agents, email } = await twoAgents(t);
    const { asking, access, refresh: first } = await clientTokens(t, operator);
    const second = (await refresh(t, asking.clientId, first)).body;
    assert.equal((await refresh(t, 'oac_x', second.refresh_token)).body.error, 'invalid_grant');
    assert.equal((await refresh(t, asking.clientId, first)).body.error, 'invalid_grant');
    assert.equal((await refresh(t, asking.clientId, second.refresh_token)).body.error, 'invalid_grant');
    for (const token of [access, second.access_token])
      assert.equal((await introspect(agents[0].key, token)).active, false);
    const { events } = (await agents[0].api.get('/v1/events?type=grant.ended')).body;
    assert.equal(events.at(-1).data.reason, 'reused');
    const mails = (await t.outboxMails()).filter((mail) => mail.includes(`To: ${email}`));
    assert.ok(mails.some((mail) => mail.includes('The access of an application has ended')));
  });

  it('a refresh gets fewer scopes where it asks for them, never more; an access token ends after 15 minutes', async () => {
    const { t } = suite;
    const { operator, agents } = await twoAgents(t);
    const { asking, refresh: first } = await clientTokens(t, operator);
    const wider = await refresh(t, asking.clientId, first, { scope: 'mail:read vault:read' });
    assert.equal(wider.body.error, 'invalid_scope');
    const fewer = (await refresh(t, asking.clientId, first, { scope: 'mail:read' })).body;
    assert.equal(fewer.scope, 'mail:read');
    const whole = (await refresh(t, asking.clientId, fewer.refresh_token)).body;
    assert.equal(whole.scope, 'mail:read mail:send');
    t.clock.advance(900_000);
    assert.equal((await introspect(agents[0].key, whole.access_token)).active, false);
    t.clock.advance(30 * 86_400_000);
    assert.equal((await refresh(t, asking.clientId, whole.refresh_token)).body.error, 'invalid_grant');
  });

  it('consent is for an operator of the account, or while authority is account for a confirmed address; never for a key', async () => {
    const { t } = suite;
    const { agents, operator, email } = await twoAgents(t);
    const [first] = agents;
    const asking = askFor(await registerClient(t));
    const decide = (api: typeof operator, account_id: string = first.accountId) =>
      api.post('/oauth/consent', { request: asking.request, decision: 'allow', account_id });
    const scopes = ['account:manage', 'account:read'];
    const named = (await first.api.post('/v1/account/keys', { name: 'k', scopes })).body.api_key;
    assert.equal((await decide(first.api)).body.error, 'session_required');
    assert.equal((await decide(t.api(named))).body.error, 'insufficient_scope');
    assert.equal((await decide(t.api())).status, 401);
    const stranger = await t.createAccount();
    const strangers = await plainSession(t, stranger);
    const elsewhere = await decide(strangers);
    assert.deepEqual([elsewhere.status, elsewhere.text], [404, (await decide(strangers, 'acc_x')).text]);
    assert.equal((await decide(operator, stranger.accountId)).status, 404);
    assert.equal((await decide(strangers, stranger.accountId)).status, 200);
    const own = t.api(await plainToken(t, first));
    assert.equal((await decide(own)).status, 200);
    assert.equal((await decide(operator, agents[1].accountId)).status, 200);
    const strict = await t.createAccount();
    const person = newPerson(t);
    await confirmOperator(t, strict, person, 'operator');
    await confirmAt(t, strict.accountId, 'someone@example.org', t.clock.now());
    const { api: confirmed } = await sessionOf(t, first);
    assert.equal((await decide(confirmed)).status, 200);
    await confirmOperator(t, first, email, 'operator');
    await operator.put('/v1/budget', { authority: 'operator' }, { 'signet-account': first.accountId });
    assert.equal((await decide(own)).body.error, 'operator_required');
    assert.equal((await decide(operator)).status, 200);
    await removeOperator(t, first, email);
    assert.equal((await decide(operator)).status, 404);
  });

  it('of the scopes that were asked for, the person grants those he chooses; an error goes to the client with state and iss', async () => {
    const { t } = suite;
    const { operator } = await twoAgents(t);
    const asking = askFor(await registerClient(t));
    const decide = (fields: object) => operator.post('/oauth/consent', { request: asking.request, ...fields });
    assert.equal((await decide({ decision: 'allow', scopes: ['vault:read'] })).body.error, 'invalid_scope');
    assert.equal((await decide({ decision: 'allow', scopes: [] })).body.error, 'invalid_request');
    const denied = new URL((await decide({ decision: 'deny' })).body.redirect_to).searchParams;
    assert.deepEqual(
      [denied.get('error'), denied.get('state'), denied.get('iss'), denied.get('code')],
      ['access_denied', 'the state', t.baseUrl, null],
    );
    const plain = askFor(asking.clientId, { scope: '' });
    const code = (await allow(operator, plain)).get('code') as string;
    assert.equal((await redeem(t, plain, code)).body.scope, 'account:read mail:read');
  });

  it('ends at once by DELETE, by secure, and with its operator; another’s grant looks like a missing one', async () => {
    const { t } = suite;
    const { operator, agents, email } = await twoAgents(t);
    const [first] = agents;
    const one = await clientTokens(t, operator);
    const [{ id }] = (await first.api.get('/v1/account/grants')).body.grants;
    const stranger = await t.createAccount();
    const others = await stranger.api.delete(`/v1/account/grants/${id}`);
    const missing = await stranger.api.delete('/v1/account/grants/grt_x');
    assert.deepEqual([others.status, others.text], [404, missing.text]);
    assert.equal((await introspect(one.access, one.access)).active, true);
    assert.equal((await first.api.delete(`/v1/account/grants/${id}`)).status, 200);
    assert.equal((await introspect(one.access, one.access)).active, false);
    assert.equal((await refresh(t, one.asking.clientId, one.refresh)).body.error, 'invalid_grant');
    const two = await clientTokens(t, operator);
    const { body: secured } = await first.api.post('/v1/account/secure', {});
    assert.deepEqual([secured.ended.grants, secured.ended.tokens], [1, 1]);
    assert.equal((await introspect(secured.api_key, two.access)).active, false);
    const { ended } = (await t.api(secured.api_key).get('/v1/account/me')).body;
    assert.equal(ended, undefined);
    const { agents: more, operator: again, email: his } = await twoAgents(t);
    const three = await clientTokens(t, again);
    await removeOperator(t, more[0], his);
    assert.equal((await introspect(more[0].key, three.access)).active, false);
    assert.notEqual(email, his);
  });

  it('the people of the account are told who got in, in the service’s words, with the client’s own only quoted', async () => {
    const { t } = suite;
    const { operator, email } = await twoAgents(t);
    const before = new Set(await t.outboxMails());
    const asking = askFor(await registerClient(t, { client_name: 'Your bank https://evil.example' }));
    await allow(operator, asking);
    const mail = (await t.outboxMails()).find((text) => !before.has(text) && text.includes(`To: ${email}`)) ?? '';
    assert.match(mail, /Subject: An application may act for your account/);
    assert.ok(!mail.includes('https://evil.example'));
    assert.match(mail, /Read addresses, messages, threads and the outbox/);
  });

  it('POST /oauth/token: 400 with error and error_description as RFC 6749 has them; a delegation still needs a key', async () => {
    const { t } = suite;
    const odd = await tokenCall(t, { grant_type: 'password' });
    assert.deepEqual([odd.status, odd.body.error], [400, 'unsupported_grant_type']);
    assert.equal(typeof odd.body.error_description, 'string');
    const exchange = await tokenCall(t, {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: 'dlg_x',
      subject_token_type: 'urn:signet:token-type:delegation',
    });
    assert.equal(exchange.status, 401);
    assert.match(String(exchange.headers.get('www-authenticate')), /^Bearer/);
    assert.equal(
      (await tokenCall(t, { grant_type: 'refresh_token', refresh_token: 'x' })).body.error,
      'invalid_client',
    );
  });
});

onEngines('both', 'clients of people: what the database decides', OPTIONS, (suite) => {
  const introspect = introspecter(suite);

  it('a code works once, for its client, redirect URI and verifier, and for 60 seconds', async () => {
    const { t } = suite;
    const { operator, agents } = await twoAgents(t);
    const [asking, other] = [askFor(await registerClient(t)), askFor(await registerClient(t))];
    const code = (await allow(operator, asking)).get('code') as string;
    const refused: [Record<string, string>, string][] = [
      [{ code_verifier: other.verifier }, 'invalid_grant'],
      [{ client_id: other.clientId }, 'invalid_grant'],
      [{ redirect_uri: `${REDIRECT}/` }, 'invalid_grant'],
      [{ resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
      [{ code: `${code}x` }, 'invalid_grant'],
      [{ code_verifier: '' }, 'invalid_request'],
      [{ grant_type: 'refresh_token', refresh_token: code }, 'invalid_grant'],
    ];
    for (const [fields, error] of refused) {
      const { status, body } = await redeem(t, asking, code, fields);
      assert.deepEqual([status, body.error], [400, error], JSON.stringify(fields));
    }
    const late = (await allow(operator, asking)).get('code') as string;
    const both = await Promise.all([redeem(t, asking, code), redeem(t, asking, code)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 400]);
    // The second use of a code ends what the first one gave (RFC 6749 4.1.2).
    const { access_token } = both.find(({ status }) => status === 200)?.body ?? {};
    assert.equal((await introspect(agents[0].key, access_token)).active, false);
    t.clock.advance(60_000);
    assert.equal((await redeem(t, asking, late)).body.error, 'invalid_grant');
  });
});
