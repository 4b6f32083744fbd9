import assert from 'node:assert/strict';
import { it } from 'node:test';
import { confirmOperator } from '../../../../test/support/agents.ts';
import { askForKey, COMMAND_LINE, keyByLogin, redeemKey } from '../../../../test/support/command-line-login.ts';
import { itInAll } from '../../../../test/support/full-run.ts';
import { onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { allow, askFor, redeem, registerClient, tokenCall } from '../../../../test/support/oauth-client.ts';
import { newPerson, plainSession, removeOperator, twoAgents } from '../../../../test/support/operators.ts';
import { DAY_MS } from '../../../base/period.ts';

const ME = '/v1/account/me';
const KEYS = '/v1/account/keys';
const GRANTS = '/v1/account/grants';

const opens = async (t: TestApp, key: string): Promise<number> => (await t.api(key).get(ME)).status;

onEngines('any', 'a login of the command line', {}, (suite) => {
  const open = (request: string) => suite.t.api().get(`/oauth/authorize?${request}`, { accept: 'text/html' });

  it('gets a named key of the ticked scopes for 90 days, which is listed, audited and told of like any other', async () => {
    const { t } = suite;
    const { operator, agents, email } = await twoAgents(t);
    const [agent] = agents;
    const asking = askForKey(t, { scope: 'account:read mail:read mail:codes mail:send' });
    const page = await open(asking.request);
    assert.equal(page.status, 200);
    assert.match(page.text, /data-kind="command_line"/);
    assert.match(page.text, /data-own-machine="true"/);
    const before = new Set(await t.outboxMails());
    const code = (await allow(operator, asking, { scopes: ['account:read', 'mail:read'] })).get('code') as string;
    const { status, body } = await redeemKey(t, asking, code);
    assert.equal(status, 200);
    assert.match(body.access_token, /^signet_key_/);
    assert.deepEqual(
      [body.token_type, body.expires_in, body.scope, body.refresh_token],
      ['Bearer', 90 * 86_400, 'account:read mail:read', undefined],
    );
    const key = body.access_token;
    const me = (await t.api(key).get(ME)).body;
    assert.deepEqual([me.id, me.scopes], [agent.accountId, ['account:read', 'mail:read']]);
    const listed = (await agent.api.get(KEYS)).body.keys.find(({ kind }: { kind: string }) => kind === 'named');
    assert.deepEqual(
      [listed.name, listed.scopes, Date.parse(listed.expires_at)],
      ['Signet command line', ['account:read', 'mail:read'], t.clock.now() + 90 * DAY_MS],
    );
    // Never more than a named key: what would outlive or exceed it.
    assert.equal((await t.api(key).post('/v1/auth/keys/rotate')).body.error, 'insufficient_scope');
    assert.equal((await t.api(key).post(KEYS, { name: 'k', scopes: ['mail:read'] })).status, 403);
    const { entries } = (await agent.api.get('/v1/audit?limit=10')).body;
    const [made, allowed] = ['key.named_created', 'grant.created'].map((wanted) =>
      entries.find(({ action }: { action: string }) => action === wanted),
    );
    assert.deepEqual([made.actor.kind, made.actor.name, made.resource_id], ['client', COMMAND_LINE, listed.id]);
    assert.equal(allowed.actor.kind, 'person');
    const mail = (await t.outboxMails()).find((text) => !before.has(text) && text.includes(`To: ${email}`)) ?? '';
    assert.match(mail, /Subject: A command line may act for your account/);
    const stored = JSON.stringify([
      await t.sql('select * from named_key_secrets'),
      await t.sql('select * from grant_tokens'),
    ]);
    assert.ok(!stored.includes(key) && !stored.includes(code));
    t.clock.advance(90 * DAY_MS);
    assert.equal(await opens(t, key), 401);
  });

  it('key and grant end together: by either, by the client itself, with the operator who allowed it, and by secure', async () => {
    const { t } = suite;
    const { operator, agents } = await twoAgents(t);
    const [{ api }] = agents;
    const grants = async () => (await api.get(GRANTS)).body.grants as { id: string; client_id: string }[];
    const keys = async () =>
      (await api.get(KEYS)).body.keys.filter(({ kind }: { kind: string }) => kind === 'named') as { id: string }[];
    const ended = async (key: string): Promise<void> =>
      assert.deepEqual([await opens(t, key), await grants(), await keys()], [401, [], []]);
    const byKey = await keyByLogin(t, operator);
    assert.equal((await grants())[0]?.client_id, COMMAND_LINE);
    assert.equal((await api.delete(`${KEYS}/${(await keys())[0]?.id}`)).status, 200);
    await ended(byKey.key);
    const byGrant = await keyByLogin(t, operator);
    assert.equal((await api.delete(`${GRANTS}/${(await grants())[0]?.id}`)).status, 200);
    await ended(byGrant.key);
    const byClient = await keyByLogin(t, operator);
    const revoke = (token: string, client_id: string) => t.api().post('/oauth/revoke', { token, client_id });
    assert.equal((await revoke(byClient.key, 'oac_x')).status, 200);
    assert.equal(await opens(t, byClient.key), 200, 'another client ends nothing');
    assert.equal((await revoke(byClient.key, COMMAND_LINE)).status, 200);
    await ended(byClient.key);
    const { events } = (await api.get('/v1/events?type=grant.ended')).body;
    assert.deepEqual(
      events.map(({ data }: { data: { reason: string } }) => data.reason),
      ['ended', 'ended', 'revoked'],
    );
    // A key that no login got is none of this.
    const made = (await api.post(KEYS, { name: 'ci', scopes: ['account:read'] })).body;
    await revoke(made.api_key, COMMAND_LINE);
    assert.equal(await opens(t, made.api_key), 200);
    await api.delete(`${KEYS}/${made.id}`);
    const { key: rotated } = await keyByLogin(t, operator);
    const { api_key: next } = (await api.post(`${KEYS}/${(await keys())[0]?.id}/rotate`, {})).body;
    assert.deepEqual([await opens(t, rotated), await opens(t, next)], [401, 200]);
    const secured = (await api.post('/v1/account/secure', {})).body;
    assert.deepEqual([secured.ended.keys, secured.ended.grants, await opens(t, next)], [1, 1, 401]);
    const { operator: other, agents: more, email } = await twoAgents(t);
    const { key } = await keyByLogin(t, other);
    await removeOperator(t, more[0], email);
    assert.equal(await opens(t, key), 401);
  });

  it('only this client gets a key, for this service alone, on this machine', async () => {
    const { t } = suite;
    const { operator } = await twoAgents(t);
    const local = { redirect_uri: 'http://127.0.0.1:7000/callback', resource: t.baseUrl };
    const other = await registerClient(t, {
      redirect_uris: ['http://127.0.0.1/callback'],
      client_name: 'Signet command line',
    });
    const asks = async (clientId: string, fields: Record<string, string>) => {
      const { status, headers } = await open(askFor(clientId, fields).request);
      const to = headers.get('location');
      return [status, to === null ? null : new URL(to).searchParams.get('error')];
    };
    assert.deepEqual(await asks(COMMAND_LINE, local), [200, null]);
    assert.deepEqual(await asks(COMMAND_LINE, { ...local, resource: `${t.baseUrl}/` }), [200, null]);
    // The service for the client of a person, `/mcp` for the command line, and none: none is a key.
    assert.deepEqual(await asks(other, local), [302, 'invalid_target']);
    for (const resource of [`${t.baseUrl}/mcp`, `${t.baseUrl}/v1`, 'https://elsewhere.example'])
      assert.deepEqual(await asks(COMMAND_LINE, { ...local, resource }), [302, 'invalid_target'], resource);
    const { resource: _, ...unnamed } = local;
    assert.deepEqual(await asks(COMMAND_LINE, unnamed), [302, 'invalid_target']);
    assert.deepEqual(await asks('signet-cli2', local), [400, null]);
    // No named key can use it. Clients of people may ask for all that there is.
    const all = { scope: 'account:read account:manage' };
    assert.deepEqual(await asks(COMMAND_LINE, { ...local, ...all }), [302, 'invalid_scope'], 'A8');
    assert.deepEqual(await asks(other, { redirect_uri: local.redirect_uri, ...all }), [200, null]);
    const elsewhere = [
      'https://evil.example/callback',
      'http://127.0.0.1.evil.example:7000/callback',
      'http://127.0.0.1:7000@evil.example/callback',
      'http://localhost:7000/callback',
      'http://[::1]:7000/callback',
      'http://127.0.0.2:7000/callback',
      'http://0.0.0.0:7000/callback',
      'https://127.0.0.1:7000/callback',
      'http://127.0.0.1:7000/callback/',
      'http://127.0.0.1:7000/callback?to=evil',
      'http://127.0.0.1:7000/other',
    ];
    for (const redirect_uri of elsewhere)
      assert.deepEqual(await asks(COMMAND_LINE, { ...local, redirect_uri }), [400, null], redirect_uri);
    // A client of a person gets tokens as before, and no key for its code by another name.
    const asking = askFor(other, { redirect_uri: local.redirect_uri });
    const code = (await allow(operator, asking)).get('code') as string;
    assert.equal((await redeemKey(t, { ...asking, clientId: COMMAND_LINE }, code)).body.error, 'invalid_grant');
    const tokens = await redeem(t, asking, code, { redirect_uri: local.redirect_uri });
    assert.match(tokens.body.access_token, /^signet_at_/);
  });

  it('PKCE cannot be left out, weakened, or passed by as a device code', async () => {
    const { t } = suite;
    const { operator } = await twoAgents(t);
    for (const fields of [{ code_challenge_method: 'plain' }, { code_challenge: '' }, { code_challenge_method: '' }]) {
      const { status, headers } = await open(askForKey(t, fields).request);
      assert.deepEqual(
        [status, new URL(headers.get('location') ?? '').searchParams.get('error')],
        [302, 'invalid_request'],
      );
    }
    const asking = askForKey(t);
    const code = (await allow(operator, asking)).get('code') as string;
    const bare = { grant_type: 'authorization_code', client_id: COMMAND_LINE, code, resource: t.baseUrl };
    assert.equal((await tokenCall(t, bare)).body.error, 'invalid_request');
    const { verifier } = askForKey(t);
    assert.equal((await redeemKey(t, asking, code, { code_verifier: verifier })).body.error, 'invalid_grant');
    const asDevice = { ...bare, grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: code };
    assert.equal((await tokenCall(t, asDevice)).body.error, 'invalid_grant');
    assert.equal((await redeemKey(t, asking, code, { resource: `${t.baseUrl}/mcp` })).body.error, 'invalid_target');
    assert.equal((await redeemKey(t, asking, code)).status, 200);
  });

  it('is decided by those who may let a client in, and by the policy of the way out; never by a key', async () => {
    const { t } = suite;
    const { operator, agents } = await twoAgents(t);
    const [agent] = agents;
    const decide = (api: typeof operator, account_id = agent.accountId) =>
      api.post('/oauth/consent', { request: askForKey(t).request, decision: 'allow', account_id });
    assert.equal((await decide(agent.api)).body.error, 'session_required');
    const { key } = await keyByLogin(t, operator);
    assert.equal((await decide(t.api(key))).status, 403);
    const policy = (grant: unknown) =>
      operator.put('/v1/account/policy', { ways: { grant } }, { 'signet-account': agent.accountId });
    assert.equal((await policy('off')).status, 200);
    assert.equal((await decide(operator)).body.error, 'way_off');
    assert.equal((await policy({ rule: 'list', allow: [COMMAND_LINE] })).status, 200);
    assert.equal((await decide(operator)).status, 200);
    const strict = await t.createAccount();
    const own = await plainSession(t, strict);
    assert.equal((await decide(own, strict.accountId)).status, 200);
    await confirmOperator(t, strict, newPerson(t), 'operator');
    assert.equal((await decide(own, strict.accountId)).body.error, 'operator_required');
  });
});

onEngines('both', 'a login of the command line: what the database decides', {}, (suite) => {
  it('of parallel uses of a code one gets the key, and the second use ends it', async () => {
    const { t } = suite;
    const { operator, agents } = await twoAgents(t);
    const asking = askForKey(t);
    const code = (await allow(operator, asking)).get('code') as string;
    const uses = await Promise.all([1, 2, 3].map(() => redeemKey(t, asking, code)));
    assert.deepEqual(uses.map(({ status }) => status).sort(), [200, 400, 400]);
    const key = uses.find(({ status }) => status === 200)?.body.access_token;
    assert.equal(await opens(t, key), 401);
    assert.deepEqual((await agents[0].api.get(GRANTS)).body.grants, []);
    const { events } = (await agents[0].api.get('/v1/events?type=grant.ended')).body;
    assert.equal(events.at(-1).data.reason, 'reused');
  });

  itInAll(
    '403 limit_reached: an account with all its named keys gets none more, and the code still works when there is room',
    async () => {
      const { t } = suite;
      const { operator, agents } = await twoAgents(t);
      const [{ api }] = agents;
      const make = () => api.post(KEYS, { name: 'k', scopes: ['account:read'] });
      const ids: string[] = [];
      for (let made = await make(); made.status === 201; made = await make()) ids.push(made.body.id);
      const asking = askForKey(t);
      const code = (await allow(operator, asking)).get('code') as string;
      const full = await redeemKey(t, asking, code);
      assert.deepEqual([full.status, full.body.error, full.body.limit.name], [403, 'limit_reached', 'named_keys']);
      await api.delete(`${KEYS}/${ids[0]}`);
      assert.equal((await redeemKey(t, asking, code)).status, 200);
    },
  );
});
