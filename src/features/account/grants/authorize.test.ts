import assert from 'node:assert/strict';
import { it } from 'node:test';
import { onEngines } from '../../../../test/support/harness.ts';
import {
  allow,
  askFor,
  documentServer,
  REDIRECT,
  redeem,
  registerClient,
} from '../../../../test/support/oauth-client.ts';
import { twoAgents } from '../../../../test/support/operators.ts';

const LIMITS = { client_registrations_per_ip_per_hour: 40, client_documents_per_ip_per_hour: 5 };

onEngines('any', 'GET /oauth/authorize and its clients', { limits: LIMITS }, (suite) => {
  const open = (request: string) => suite.t.api().get(`/oauth/authorize?${request}`, { accept: 'text/html' });

  it('shows who asks, where the answer goes and what it may do, and cannot be framed or run what a client wrote', async () => {
    const { t } = suite;
    const name = '<img src=x onerror=alert(1)> "Bank"';
    const page = await open(askFor(await registerClient(t, { client_name: name }), { state: '"><script>' }).request);
    assert.equal(page.status, 200);
    const policy = String(page.headers.get('content-security-policy'));
    assert.match(policy, /frame-ancestors 'none'/);
    assert.match(policy, /script-src 'self'/);
    assert.equal(page.headers.get('x-frame-options'), 'DENY');
    assert.ok(!page.text.includes('<img src=x') && !page.text.includes('"><script>'));
    assert.match(page.text, /&lt;img src=x/);
    assert.match(page.text, /client\.example/);
    assert.match(page.text, /data-own-machine="false"/);
    const local = await registerClient(t, { redirect_uris: ['http://127.0.0.1/cb'] });
    const warned = await open(askFor(local, { redirect_uri: 'http://127.0.0.1:51234/cb' }).request);
    assert.match(warned.text, /data-own-machine="true"/);
  });

  it('sends nothing anywhere unless client and redirect URI are known good', async () => {
    const { t } = suite;
    const clientId = await registerClient(t, { redirect_uris: [REDIRECT, 'http://127.0.0.1:7000/cb?x=1'] });
    const tricks = [
      'https://client.example/callback/',
      'https://client.example/callback?x=1',
      'https://client.example/callback#x',
      'https://client.example:8443/callback',
      'https://client.example@evil.example/callback',
      'https://client.example.evil.example/callback',
      'https://client.example/callback/../evil',
      'https://client.example\\@evil.example/callback',
      'https://CLIENT.example/callback',
      'http://client.example/callback',
      ' https://client.example/callback',
      'https://client.example/callback\n',
      'http://127.0.0.1:7000/cb',
      'http://127.0.0.1:7000/cb?x=2',
      'http://localhost:7000/cb?x=1',
      'http://127.0.0.1.evil.example:7000/cb?x=1',
      'javascript:alert(1)',
      'data:text/html,x',
      '',
    ];
    for (const redirect of tricks) {
      const { status, headers, text } = await open(
        askFor(clientId, { redirect_uri: redirect, scope: 'nonsense' }).request,
      );
      assert.deepEqual([status, headers.get('location')], [400, null], redirect);
      assert.ok(!text.includes('id="asked"'), redirect);
    }
    const fake = `oac_${'0'.repeat(26)}`;
    for (const id of [fake, 'oac_x', '', 'https://', 'http://client.example/c.json', 'https://client.example/']) {
      const { status, headers } = await open(askFor(id).request);
      assert.deepEqual([status, headers.get('location')], [400, null], id);
    }
    const asJson = await t.api().get(`/oauth/authorize?${askFor(fake).request}`);
    assert.equal(asJson.body.error, 'invalid_client');
    assert.equal((await open(askFor(clientId, { redirect_uri: 'http://127.0.0.1:9999/cb?x=1' }).request)).status, 200);
    const twice = await open(`${askFor(clientId).request}&redirect_uri=https://evil.example/`);
    assert.deepEqual([twice.status, twice.headers.get('location')], [400, null]);
  });

  it('any other error is shown, with a link that takes it to the client, with state and iss; to the person’s own machine it goes at once', async () => {
    const { t } = suite;
    const clientId = await registerClient(t);
    const local = await registerClient(t, { redirect_uris: ['http://127.0.0.1/cb'] });
    const wrong: [Record<string, string>, string][] = [
      [{ scope: 'mail:read nonsense' }, 'invalid_scope'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge: '' }, 'invalid_request'],
      [{ resource: `${t.baseUrl}/v1` }, 'invalid_target'],
      [{ resource: t.baseUrl }, 'invalid_target'],
    ];
    for (const [fields, error] of wrong) {
      const { request } = askFor(clientId, fields);
      // Nobody has logged in, and anybody may register a client: this service is no way to another site.
      const shown = await open(request);
      assert.deepEqual([shown.status, shown.headers.get('location')], [400, null], JSON.stringify(fields));
      assert.match(String(shown.headers.get('content-security-policy')), /frame-ancestors 'none'/);
      const link = /id="back" [^>]*href="([^"]+)"/.exec(shown.text)?.[1]?.replaceAll('&amp;', '&');
      assert.equal((await t.api().get(`/oauth/authorize?${request}`)).body.error, error);
      const redirect_uri = 'http://127.0.0.1:51234/cb';
      const sent = await open(askFor(local, { ...fields, redirect_uri }).request);
      assert.equal(sent.status, 302);
      for (const [target, where] of [
        [link, REDIRECT],
        [sent.headers.get('location'), redirect_uri],
      ]) {
        const to = new URL(target as string);
        assert.equal(to.origin + to.pathname, where);
        const { searchParams: answer } = to;
        const said = [answer.get('error'), answer.get('state'), answer.get('iss')];
        assert.deepEqual(said, [error, 'the state', t.baseUrl]);
      }
    }
    for (const fields of [{ resource: `${t.baseUrl}/mcp` }, { scope: 'mail:read offline_access' }])
      assert.equal((await open(askFor(clientId, fields).request)).status, 200);
    const { operator } = await twoAgents(t);
    const bad = askFor(clientId, { scope: 'nonsense' }).request;
    assert.equal((await operator.post('/oauth/consent', { request: bad, decision: 'allow' })).status, 400);
  });

  it('POST /oauth/register takes https and loopback, ignores what it does not know, and gives no secret', async () => {
    const { t } = suite;
    const register = (fields: object) => t.api().post('/oauth/register', fields);
    const made = await register({
      redirect_uris: ['https://a.example/cb', 'http://localhost:3000/cb'],
      client_name: 'Ann',
      token_endpoint_auth_method: 'client_secret_basic',
      logo_uri: 'https://a.example/l.png',
      software_id: 7,
    });
    assert.equal(made.status, 201, made.text);
    assert.equal(made.body.token_endpoint_auth_method, 'none');
    assert.equal(made.body.client_secret, undefined);
    const refused = [
      undefined,
      [],
      'https://a.example/cb',
      ['http://a.example/cb'],
      ['javascript:alert(1)'],
      ['https://a.example/cb#x'],
      ['https://user@a.example/cb'],
      ['ftp://a.example/cb'],
      Array.from({ length: 21 }, (_, i) => `https://a.example/${i}`),
    ];
    for (const redirect_uris of refused) {
      const { status, body } = await register({ redirect_uris });
      assert.deepEqual([status, body.error], [400, 'invalid_redirect_uri'], JSON.stringify(redirect_uris));
    }
  });

  it('forgets a client that nobody let in after a day, and keeps one that somebody did', async () => {
    const { t } = suite;
    const [unused, used] = [await registerClient(t), await registerClient(t)];
    const { operator } = await twoAgents(t);
    await allow(operator, askFor(used));
    t.clock.advance(86_400_000);
    assert.equal((await open(askFor(unused).request)).status, 400);
    assert.equal((await open(askFor(used).request)).status, 200);
  });

  it('a client whose id is the URL of its metadata needs no registration; the document is fetched once, and must be its own', async () => {
    const { t } = suite;
    const server = await documentServer();
    try {
      const asking = askFor(server.url);
      assert.equal((await open(asking.request)).status, 200);
      const { operator } = await twoAgents(t);
      const code = (await allow(operator, asking)).get('code') as string;
      assert.equal((await redeem(t, asking, code)).status, 200);
      assert.equal(server.fetches(), 1);
      const before = { ...server.document };
      const refused: (() => void)[] = [
        () => Object.assign(server.document, { client_id: 'https://other.example/c.json' }),
        () => Object.assign(server.document, before, { token_endpoint_auth_method: 'client_secret_post' }),
        () => Object.assign(server.document, before, { token_endpoint_auth_method: 'none', redirect_uris: [] }),
        () => Object.assign(server.answer, { status: 302, headers: { location: server.url } }),
      ];
      for (const spoil of refused) {
        spoil();
        t.clock.advance(3_600_000);
        const page = await open(asking.request);
        assert.deepEqual([page.status, page.headers.get('location')], [400, null], String(spoil));
      }
      assert.equal(server.fetches(), 5);
      // A network has few fetches an hour, so that this service is no tool to call others with.
      const port = new URL(server.url).port;
      for (let i = 0; i < 4; i++) await open(askFor(`http://127.0.0.1:${port}/c${i}`).request);
      assert.equal((await open(askFor(`http://127.0.0.1:${port}/c9`).request)).status, 429);
    } finally {
      await server.close();
    }
  });

  it('429: registrations from one network are limited', async () => {
    const { t } = suite;
    const register = () => t.api().post('/oauth/register', { redirect_uris: [REDIRECT] });
    const replies = await Promise.all(Array.from({ length: 45 }, register));
    assert.ok(replies.some(({ status }) => status === 429));
  });

  it('scripts of any website may read the metadata, register and get tokens', async () => {
    const { t } = suite;
    for (const [method, path] of [
      ['GET', '/.well-known/oauth-authorization-server'],
      ['GET', '/.well-known/oauth-protected-resource/mcp'],
      ['POST', '/oauth/register'],
      ['POST', '/oauth/token'],
    ] as const) {
      const preflight = await t.api()('OPTIONS', path, undefined, { origin: 'https://client.example' });
      assert.equal(preflight.status, 204, path);
      assert.ok(preflight.headers.get('access-control-allow-methods')?.includes(method), path);
      const reply = await t.api()(method, path, method === 'GET' ? undefined : {});
      assert.equal(reply.headers.get('access-control-allow-origin'), '*', path);
    }
    const consent = await t.api()('OPTIONS', '/oauth/consent');
    assert.equal(consent.headers.get('access-control-allow-origin'), null);
  });

  it('the metadata name one issuer, PKCE, iss, and both ways of registration, at every path that clients try', async () => {
    const { t } = suite;
    const read = async (path: string) => (await t.api().get(path)).body;
    const server = await read('/.well-known/oauth-authorization-server');
    for (const path of ['/.well-known/oauth-authorization-server/mcp', '/.well-known/openid-configuration'])
      assert.deepEqual(await read(path), server);
    assert.equal(server.issuer, t.baseUrl);
    assert.deepEqual(server.code_challenge_methods_supported, ['S256']);
    assert.equal(server.authorization_response_iss_parameter_supported, true);
    assert.equal(server.client_id_metadata_document_supported, true);
    const resource = await read('/.well-known/oauth-protected-resource');
    assert.deepEqual(await read('/.well-known/oauth-protected-resource/mcp'), resource);
    assert.deepEqual([resource.resource, resource.authorization_servers], [`${t.baseUrl}/mcp`, [t.baseUrl]]);
  });
});
