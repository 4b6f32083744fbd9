import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Endpoint } from '../../src/api/endpoint.ts';
import { hashSecret, keyPrefix, mintKey } from '../../src/base/secret.ts';
import { suspend } from '../support/agents.ts';
import { eventually } from '../support/eventually.ts';
import { onEngines, type TestApp } from '../support/harness.ts';
import { send, type WireReply } from './contract-client.ts';
import { somePath } from './gate.ts';
import { inTurn } from './in-turn.ts';
import { nameOf, requireSuccess, sampleOf, sendSample, wireOf } from './sample-requests.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const isMeantBy = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.replace(/\./g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`).test(path);

const isPureRead = ({ method, effect }: Endpoint): boolean => method === 'GET' && effect === 'none';

/** The methods of a path, by the table. */
function methodsOf(endpoints: readonly Endpoint[], path: string): Set<string> {
  const meant = endpoints.filter((endpoint) => isMeantBy(endpoint.path, path));
  return new Set(
    meant.flatMap((endpoint) => [
      ...(isPureRead(endpoint) ? ['GET', 'HEAD'] : [endpoint.method]),
      ...(endpoint.cors ? ['OPTIONS'] : []),
    ]),
  );
}

const needKey = (t: TestApp): Endpoint[] => t.app.endpoints.filter(({ auth }) => auth !== 'none');

/**
 * Calls every endpoint that needs a key with this one. The state of its sample is not needed, because the body is not
 * read.
 */
async function withKey(t: TestApp, endpoint: Endpoint, key: string | null): Promise<WireReply> {
  const body = endpoint.method === 'GET' ? {} : { body: {} };
  return send(t.baseUrl, { method: endpoint.method, path: somePath(endpoint.path), key, ...body });
}

/** A key with one wrong character, so that its checksum is wrong. */
function mistyped(key: string): string {
  const at = key.length - 12;
  return key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1);
}

onEngines('any', 'methods and paths', {}, (suite) => {
  it('405 method_not_allowed with Allow: every unsupported method of a path', async () => {
    const { endpoints } = suite.t.app;
    for (const pattern of new Set(endpoints.map(({ path }) => path))) {
      const path = somePath(pattern);
      const taken = methodsOf(endpoints, path);
      for (const method of METHODS.filter((name) => !taken.has(name))) {
        const reply = await send(suite.t.baseUrl, { method, path });
        assert.equal(reply.status, 405, `${method} ${path}`);
        assert.deepEqual(new Set(String(reply.headers.allow).split(', ')), taken, `${method} ${path}`);
        if (method !== 'HEAD') assert.equal(reply.body.error, 'method_not_allowed', `${method} ${path}`);
      }
    }
  });

  it('HEAD replies like GET, without a body, if GET only reads', async () => {
    const { t } = suite;
    for (const endpoint of t.app.endpoints.filter(isPureRead)) {
      if (101 in endpoint.replies) continue;
      const sample = await sampleOf(endpoint, t);
      const read = await sendSample(t, endpoint, sample);
      const head = await send(t.baseUrl, { ...wireOf(endpoint, sample), method: 'HEAD' });
      assert.equal(head.status, read.status, nameOf(endpoint));
      assert.equal(head.headers['content-type'], read.headers['content-type'], nameOf(endpoint));
      assert.equal(head.body, '', nameOf(endpoint));
    }
  });

  it('HEAD consumes nothing: its link still opens a session', async () => {
    const { t } = suite;
    const endpoint = t.app.endpoints.find(({ operation }) => operation === 'verifyLogin') as Endpoint;
    const sample = await sampleOf(endpoint, t);
    assert.equal((await send(t.baseUrl, { method: 'HEAD', path: sample.path })).status, 405);
    requireSuccess(endpoint, await sendSample(t, endpoint, sample));
  });

  it('404 not_found: an unknown path, by any method', async () => {
    for (const path of ['/v1/nothing', '/v2/auth/keys', '/v1', '/v1/email/claim/x/y/z', '//', '/health/', '/HEALTH']) {
      for (const method of METHODS) {
        const reply = await send(suite.t.baseUrl, { method, path });
        assert.equal(reply.status, 404, `${method} ${path}`);
        if (method === 'HEAD') continue;
        const { suggestion: _, ...refusal } = reply.body;
        assert.deepEqual(Object.keys(refusal).sort(), ['code', 'docs_url', 'error', 'message'], `${method} ${path}`);
        assert.equal(reply.body.error, 'not_found', `${method} ${path}`);
      }
    }
  });
});

onEngines('any', 'every endpoint that needs a key', {}, (suite) => {
  it('401 unauthorized with WWW-Authenticate: no key, garbage, a mistyped key, an unknown key', async () => {
    const { t } = suite;
    const { key } = await t.createAccount();
    const session = `session_${'a'.repeat(32)}`;
    const bad = ['garbage', '.', mistyped(key), mintKey('platform'), mintKey('pod'), mintKey('backup'), session];
    for (const endpoint of needKey(t)) {
      for (const given of [null, ...inTurn(bad)]) {
        if (given === null && endpoint.auth === 'optional') continue;
        const reply = await withKey(t, endpoint, given);
        assert.equal(reply.status, 401, `${nameOf(endpoint)} with ${given}`);
        assert.equal(reply.body.error, 'unauthorized', nameOf(endpoint));
        assert.match(String(reply.headers['www-authenticate']), /^Bearer /, nameOf(endpoint));
      }
    }
  });

  it('401: a valid key in another scheme, in the query, or repeated', async () => {
    const { t } = suite;
    const { key } = await t.createAccount();
    const schemes = [key, `Basic ${key}`, `Token ${key}`, `Bearer ${key} ${key}`, `Bearer ${key},`];
    for (const endpoint of needKey(t)) {
      const { method } = endpoint;
      const path = somePath(endpoint.path);
      for (const authorization of inTurn(schemes)) {
        const reply = await send(t.baseUrl, { method, path, headers: { authorization } });
        assert.equal(reply.status, 401, `${nameOf(endpoint)} with ${authorization}`);
      }
      if (endpoint.auth === 'optional') continue;
      const inQuery = await send(t.baseUrl, { method, path: `${path}?api_key=${key}&token=${key}` });
      assert.equal(inQuery.status, 401, nameOf(endpoint));
    }
  });

  it('403 backup_key_only_activates: a backup key at any other endpoint', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const backup = (await api.post('/v1/auth/keys/generate-backup')).body.backup_key;
    for (const endpoint of needKey(t).filter(({ auth }) => auth !== 'backup')) {
      const reply = await withKey(t, endpoint, backup);
      assert.equal(reply.status, 403, nameOf(endpoint));
      assert.equal(reply.body.error, 'backup_key_only_activates', nameOf(endpoint));
    }
    const opens = needKey(t).filter(({ auth }) => auth === 'backup');
    assert.deepEqual(opens.map(nameOf).sort(), [
      'POST /v1/account/delete/cancel',
      'POST /v1/account/secure',
      'POST /v1/auth/keys/activate-backup',
    ]);
  });

  it('403 account_suspended: the key of a suspended account', async () => {
    const { t } = suite;
    const { key, accountId, api } = await t.createAccount();
    await suspend(t, accountId);
    await eventually(async () => (await api.get('/v1/account/me')).status === 403);
    for (const endpoint of needKey(t)) {
      const reply = await withKey(t, endpoint, key);
      assert.equal(reply.status, 403, nameOf(endpoint));
      assert.equal(reply.body.error, 'account_suspended', nameOf(endpoint));
    }
  });

  it('403 pod_auth_forbidden for a pod’s key where a platform’s is needed; 403 pod_suspended for a suspended pod', async () => {
    const { t } = suite;
    const { accountId: parent } = await t.createAccount();
    const key = mintKey('pod');
    const pod = `acc_${'0'.repeat(25)}${t.engine === 'sqlite' ? 1 : 2}`;
    await t.sql(
      `insert into accounts (id, parent_id, tier, status, capabilities, created_at) values (?, ?, 'free', 'active', '[]', 0)`,
      pod,
      parent,
    );
    await t.sql(
      `insert into api_keys (hash, account_id, kind, status, prefix, created_at) values (?, ?, 'pod', 'active', ?, 0)`,
      hashSecret(key),
      pod,
      keyPrefix(key, 'pod'),
    );
    for (const endpoint of needKey(t).filter(({ auth }) => auth === 'platform')) {
      const reply = await withKey(t, endpoint, key);
      assert.equal(reply.status, 403, nameOf(endpoint));
      assert.equal(reply.body.error, 'pod_auth_forbidden', nameOf(endpoint));
    }
    assert.equal((await t.api(key).get('/v1/account/me')).status, 200);
    await suspend(t, pod);
    await eventually(async () => (await t.api(key).get('/v1/account/me')).status === 403);
    for (const endpoint of needKey(t)) {
      const reply = await withKey(t, endpoint, key);
      assert.equal(reply.body.error, 'pod_suspended', nameOf(endpoint));
    }
  });
});
