import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { send } from '../../../test/contract/contract-client.ts';
import { namedKey } from '../../../test/contract/gate.ts';
import { createAgent, openSession, type TestAgent } from '../../../test/support/agents.ts';
import { startTestApp, type TestApp } from '../../../test/support/harness.ts';
import { MODERN, mcpClient } from '../../../test/support/mcp.ts';

/** The transport of both eras, and who may come in. Nothing here depends on the database. */
describe('the door of /mcp', () => {
  let t: TestApp;
  let agent: TestAgent;
  before(async () => {
    t = await startTestApp('sqlite');
    agent = await createAgent(t);
  });
  after(() => t.stop());

  const legacy = (method: string, params: object = {}, headers: Record<string, string> = {}) =>
    agent.api.post('/mcp', { jsonrpc: '2.0', id: 1, method, params }, headers);

  it('405: GET and DELETE, at each address', async () => {
    for (const path of ['/mcp', '/mcp/x/mail'])
      for (const method of ['GET', 'DELETE']) {
        const { status, headers } = await agent.api(method, path);
        assert.deepEqual([status, headers.get('allow')], [405, 'POST'], `${method} ${path}`);
      }
  });

  it('401: names the document and the scopes to ask for; start alone needs no credential', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
    const metadata = `resource_metadata="${t.baseUrl}/.well-known/oauth-protected-resource/mcp"`;
    const all = await t.api().post('/mcp', body);
    const challenge = all.headers.get('www-authenticate') ?? '';
    assert.deepEqual([all.status, all.body.error], [401, 'unauthorized']);
    assert.ok(challenge.startsWith(`Bearer ${metadata}, scope="`) && challenge.includes('mail:send'), challenge);
    assert.doesNotMatch(challenge, /invalid_token|manage|approve/);
    const mail = await t.api('signet_live_nothing').post('/mcp/x/mail', body);
    assert.equal(
      mail.headers.get('www-authenticate'),
      `Bearer error="invalid_token", ${metadata}, scope="mail:read mail:codes mail:send"`,
    );
    assert.equal((await t.api().post('/mcp/x/start', body)).status, 200);
    assert.equal((await t.api('signet_live_nothing').post('/mcp/x/start', body)).status, 401);
  });

  it('403: asks for the scope that a call needs, and does nothing', async () => {
    const { api_key } = await namedKey(agent, ['mail:read']);
    const named = mcpClient(t, api_key);
    const call = { to: agent.address, subject: 'x', text: 'x' };
    for (const { answer } of [
      await named.tool('send_mail', call),
      await named.tool('call_operation', { id: 'sendEmail', arguments: { ...call, from: agent.address } }),
    ]) {
      assert.deepEqual([answer.status, answer.body.error], [403, 'insufficient_scope']);
      const challenge = answer.headers.get('www-authenticate') ?? '';
      assert.match(challenge, /^Bearer error="insufficient_scope", scope="mail:send", resource_metadata="http/);
      assert.match(answer.text, /insufficient_scope/);
    }
    assert.equal((await named.tool('list_mail')).data.messages.length, 0);
  });

  it('takes sessions and backup keys as the API does', async () => {
    const email = 'owner@example.org';
    const owned = await t.createAccount({ email });
    const session = await openSession(t, email);
    const listed = await session.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    assert.ok(listed.body.result.tools.length > 20);
    const { backup_key } = (await owned.api.post('/v1/auth/keys/generate-backup')).body;
    const backup = mcpClient(t, backup_key);
    assert.deepEqual(await backup.names(), ['find_operation', 'call_operation']);
    for (const tool of ['whoami', 'list_mail'])
      assert.equal((await backup.tool(tool)).data.error, 'backup_key_only_activates', tool);
  });

  it('403: a hostile Origin or Host, also at start', async () => {
    const { port, host } = new URL(t.baseUrl);
    const body = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const from = async (headers: Record<string, string>, path = '/mcp') =>
      (await send(t.baseUrl, { method: 'POST', path, key: agent.key, headers, body })).status;
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `http://127.0.0.1.evil.example:${port}` },
      { host: 'evil.example' },
      { host: `evil.example:${port}` },
      { host: `127.0.0.1:${port}@evil.example` },
      { host: 'localhost.evil.example', origin: t.baseUrl },
    ]) {
      assert.equal(await from(headers), 403, JSON.stringify(headers));
      assert.equal(await from(headers, '/mcp/x/start'), 403, JSON.stringify(headers));
    }
    for (const headers of [
      { host },
      { host: `localhost:${port}` },
      { origin: t.baseUrl },
      { origin: `http://localhost:${port}` },
    ])
      assert.equal(await from(headers), 200, JSON.stringify(headers));
  });

  it('speaks both eras: what belongs to one is unknown in the other', async () => {
    const me = mcpClient(t, agent.key);
    const discovered = (await me.request('server/discover')).body.result;
    assert.deepEqual(discovered.supportedVersions, [MODERN]);
    assert.equal(discovered.resultType, 'complete');
    assert.equal((await me.request('initialize')).status, 404);
    assert.equal((await me.request('ping')).body.error.code, -32601);
    assert.equal((await legacy('server/discover')).body.error.code, -32601);
    for (const version of ['2025-11-25', '2025-06-18', '2025-03-26']) {
      const begun = (await legacy('initialize', { protocolVersion: version, capabilities: {} })).body.result;
      assert.deepEqual([begun.protocolVersion, 'resultType' in begun], [version, false]);
      const listed = await legacy('tools/list', {}, { 'mcp-protocol-version': version });
      assert.ok(listed.body.result.tools.length > 20);
    }
    assert.equal((await legacy('initialize', { protocolVersion: '1.0' })).body.result.protocolVersion, '2025-11-25');
    assert.equal((await legacy('tools/list')).status, 200);
    assert.equal((await legacy('tools/list', {}, { 'mcp-protocol-version': '1.0' })).body.error.code, -32022);
    const noted = await agent.api.post('/mcp', { jsonrpc: '2.0', method: 'notifications/initialized' });
    assert.deepEqual([noted.status, noted.text, noted.headers.get('mcp-session-id')], [202, '', null]);
    assert.equal((await agent.api.post('/mcp', { jsonrpc: '2.0', id: 4, result: {} })).status, 202);
  });

  it('400: headers that differ from the body, and a message that says too little', async () => {
    const me = mcpClient(t, agent.key);
    const codes: [Record<string, string>, number][] = [
      [{ 'mcp-protocol-version': '2025-11-25' }, -32020],
      [{ 'mcp-method': 'tools/list' }, -32020],
      [{ 'mcp-name': 'whoam' }, -32020],
      [{ 'mcp-name': '=?base64?!!!?=' }, -32020],
    ];
    for (const [headers, code] of codes) {
      const { status, body } = await me.request('tools/call', { name: 'whoami' }, headers);
      assert.deepEqual([status, body.error.code], [400, code], JSON.stringify(headers));
    }
    const encoded = { 'mcp-name': `=?base64?${Buffer.from('whoami').toString('base64')}?=` };
    assert.equal((await me.request('tools/call', { name: 'whoami' }, encoded)).status, 200);
    const bare = await legacy('tools/list', {}, { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/list' });
    assert.deepEqual([bare.status, bare.body.error.code], [400, -32602]);
    for (const body of ['', '[]', '{', '"x"', '{"jsonrpc":"2.0"}', '{"jsonrpc":"1.0","id":1,"method":"ping"}']) {
      const { status, body: said } = await agent.api.post('/mcp', body);
      assert.deepEqual([status, said.error], [400, 'invalid_request'], body);
    }
    const nul = await me.request('tools/call', { name: 'note', arguments: { topic: 'a\0', content: 'b' } });
    assert.equal(nul.status, 400);
    const unknown = await me.request('tools/call', { name: 'no_such_tool' });
    assert.deepEqual([unknown.status, unknown.body.error.code], [200, -32602]);
    assert.equal((await me.request('tools/list', { cursor: 'x' })).body.error.code, -32602);
  });
});
