import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Endpoint } from '../../src/kernel/endpoint.ts';
import { DAY_MS } from '../../src/kernel/period.ts';
import { SCOPE_NAMES, type Scope } from '../../src/kernel/scopes.ts';
import { suspend } from '../support/agents.ts';
import { onBothDatabases, type TestAccount, type TestApp } from '../support/harness.ts';
import { actingFor, plainToken, removeOperator, twoAgents } from '../support/operators.ts';
import { makePod } from '../support/pods.ts';
import { send, type WireReply } from './contract-client.ts';
import { nameOf } from './sample-requests.ts';

/**
 * Every endpoint that needs a credential × every scope alone × every state of a key. The gate decides before it reads the
 * path's ids and the body, so the calls need no state, and one that passes may still be refused for another reason.
 */

const needKey = (t: TestApp): Endpoint[] => t.app.endpoints.filter(({ auth }) => auth !== 'none');

const call = (
  t: TestApp,
  { method, path }: Endpoint,
  key: string,
  headers: Record<string, string> = {},
): Promise<WireReply> =>
  send(t.baseUrl, {
    method: method === 'GET' && path === '/v1/events/stream' ? 'HEAD' : method,
    path: path.replace(/\{\w+\}/g, 'x1'),
    key,
    headers,
    ...(method === 'GET' ? {} : { body: { unknown_field: 1 } }),
  });

async function namedKey(account: TestAccount, scopes: readonly Scope[], fields: object = {}) {
  const { status, body } = await account.api.post('/v1/account/keys', { name: 'one', scopes, ...fields });
  assert.equal(status, 201, JSON.stringify(body));
  return body as { id: string; api_key: string };
}

/** The scope that a reply of the gate asks for; null when the call has passed the gate. */
function refusedScope({ status, body, headers }: WireReply, name: string): string | null {
  const challenge = String(headers['www-authenticate'] ?? '');
  const isRefused = status === 403 && challenge.includes('insufficient_scope');
  assert.notEqual(status, 401, name);
  if (!isRefused) {
    assert.notEqual(body?.error, 'insufficient_scope', name);
    return null;
  }
  const scope = /^Bearer error="insufficient_scope", scope="([a-z:]+)"$/.exec(challenge)?.[1] as string;
  // A HEAD request has no body.
  if (body) assert.deepEqual([body.error, body.required_scope], ['insufficient_scope', scope], name);
  return scope;
}

const ROOMY = { limits: { free: { named_keys: 1000, pods: 1000 } } };

onBothDatabases('scopes', ROOMY, (suite) => {
  it('every endpoint that needs a credential names a scope of the table, and GET /api shows it', async () => {
    const { t } = suite;
    const { paths } = (await send(t.baseUrl, { method: 'GET', path: '/api' })).body;
    for (const endpoint of t.app.endpoints) {
      const shown = paths[endpoint.path][endpoint.method.toLowerCase()];
      assert.equal(shown['x-signet-scope'], endpoint.scope, nameOf(endpoint));
      assert.equal(shown['x-signet-named-keys'], endpoint.wholeAccount ? false : undefined, nameOf(endpoint));
      const isNamed = endpoint.scope !== undefined && SCOPE_NAMES.includes(endpoint.scope);
      assert.equal(isNamed, endpoint.auth !== 'none', nameOf(endpoint));
    }
  });

  it('a named key with one scope passes the gate of exactly the endpoints with that scope', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    for (const scope of SCOPE_NAMES) {
      const { api_key } = await namedKey(account, [scope]);
      for (const endpoint of needKey(t)) {
        const name = `${nameOf(endpoint)} with ${scope}`;
        const isAllowed = endpoint.scope === scope && !endpoint.wholeAccount;
        const expected = isAllowed ? null : endpoint.scope;
        assert.equal(refusedScope(await call(t, endpoint, api_key), name), expected, name);
      }
    }
  });

  it('a named key with every scope but the endpoint’s is refused, and one with all passes where named keys may', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const all = await namedKey(account, SCOPE_NAMES);
    for (const scope of SCOPE_NAMES) {
      const { api_key } = await namedKey(
        account,
        SCOPE_NAMES.filter((other) => other !== scope),
      );
      for (const endpoint of needKey(t).filter((each) => each.scope === scope)) {
        const name = nameOf(endpoint);
        assert.equal(refusedScope(await call(t, endpoint, api_key), name), scope, name);
        const expected = endpoint.wholeAccount ? scope : null;
        assert.equal(refusedScope(await call(t, endpoint, all.api_key), name), expected, name);
      }
    }
  });

  it('a named key that is limited to addresses passes, of those, the gate of what is not refused to it', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const { address } = (await account.api.post('/v1/inbox', {})).body;
    for (const scope of SCOPE_NAMES) {
      const { api_key } = await namedKey(account, [scope], { addresses: [address] });
      for (const endpoint of needKey(t)) {
        const name = `${nameOf(endpoint)} with ${scope}, limited`;
        const isAllowed = endpoint.scope === scope && !endpoint.wholeAccount && endpoint.addresses !== 'refused';
        const expected = isAllowed ? null : endpoint.scope;
        assert.equal(refusedScope(await call(t, endpoint, api_key), name), expected, name);
      }
    }
  });

  it('every endpoint that a named key may call says what one that is limited to addresses gets, and GET /api shows it', async () => {
    const { t } = suite;
    const { paths } = (await send(t.baseUrl, { method: 'GET', path: '/api' })).body;
    for (const endpoint of t.app.endpoints) {
      const isOpen = endpoint.auth !== 'none' && !endpoint.wholeAccount;
      assert.equal(endpoint.addresses !== undefined, isOpen, nameOf(endpoint));
      const shown = paths[endpoint.path][endpoint.method.toLowerCase()];
      assert.equal(
        shown['x-signet-limited-keys'],
        endpoint.addresses === 'refused' ? false : undefined,
        nameOf(endpoint),
      );
    }
  });

  it('a primary key passes the gate of every endpoint', async () => {
    const { t } = suite;
    for (const endpoint of needKey(t)) {
      const { key } = await t.createAccount();
      assert.equal(refusedScope(await call(t, endpoint, key), nameOf(endpoint)), null, nameOf(endpoint));
    }
  });

  it('an expired, a deleted and a rotated named key are 401 at every endpoint, limited to addresses or not', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const [expired, deleted, rotated] = [
      await namedKey(account, SCOPE_NAMES, { expires_in_seconds: 1 }),
      await namedKey(account, SCOPE_NAMES),
      await namedKey(account, SCOPE_NAMES),
    ];
    const { address } = (await account.api.post('/v1/inbox', {})).body;
    const limited = await namedKey(account, SCOPE_NAMES, { addresses: [address], expires_in_seconds: 1 });
    t.clock.advance(1000);
    assert.equal((await account.api.delete(`/v1/account/keys/${deleted.id}`)).status, 200);
    assert.equal((await account.api.post(`/v1/account/keys/${rotated.id}/rotate`)).status, 200);
    for (const endpoint of needKey(t)) {
      for (const { api_key } of [expired, deleted, rotated, limited])
        assert.equal((await call(t, endpoint, api_key)).status, 401, nameOf(endpoint));
    }
  });

  it('a named key of a pod has no more than a pod', async () => {
    const { t } = suite;
    const pod = await makePod(t, await t.createAccount());
    const { api_key } = await namedKey(pod, SCOPE_NAMES);
    for (const endpoint of needKey(t).filter(({ auth }) => auth === 'platform')) {
      const { status, body } = await call(t, endpoint, api_key);
      assert.deepEqual([status, body.error], [403, 'pod_auth_forbidden'], nameOf(endpoint));
    }
  });
});

/** What the gate answers: `passed`, or the error of its refusal. A HEAD request shows no more than `refused`. */
function gateAnswer({ status, body }: WireReply): string {
  if (status === 401) return 'unauthorized';
  if (status === 403 && !body) return 'refused';
  const refusals = ['account_suspended', 'pod_suspended', 'backup_key_only_activates', 'pod_auth_forbidden'];
  return [...refusals, 'insufficient_scope', 'session_required'].includes(body?.error) ? body.error : 'passed';
}

/** Calls that end the credential that makes them, or its account. */
const ENDING = new Set(['logout', 'rotateKey', 'secureAccount', 'deleteAccount']);

interface Presented {
  key: string;
  headers?: Record<string, string>;
}

onBothDatabases('kinds of credentials', ROOMY, (suite) => {
  /** Calls every endpoint. `fresh` makes a credential, and a new one after a call that ended it. */
  async function expectAll(who: string, fresh: () => Promise<Presented>, expected: (endpoint: Endpoint) => string) {
    const { t } = suite;
    let { key, headers } = await fresh();
    for (const endpoint of needKey(t)) {
      const reply = await call(t, endpoint, key, headers);
      const [answer, wanted] = [gateAnswer(reply), expected(endpoint)];
      // Only a session can log out. The gate lets keys pass, and the call says so.
      const isLogout = endpoint.operation === 'logout' && answer === 'session_required';
      const isSame = answer === wanted || isLogout || (answer === 'refused' && wanted !== 'passed');
      assert.ok(isSame, `${nameOf(endpoint)} by ${who}: ${answer}, not ${wanted}: ${JSON.stringify(reply.body)}`);
      if (ENDING.has(endpoint.operation)) ({ key, headers } = await fresh());
    }
  }

  const passed = (): string => 'passed';

  it('a primary key passes but where a person is meant; a backup key only where it may', async () => {
    const { t } = suite;
    const primary = async () => ({ key: (await t.createAccount()).key });
    await expectAll('a primary key', primary, ({ auth }) => (auth === 'person' ? 'session_required' : 'passed'));
    const backup = async () => {
      const { api } = await t.createAccount();
      return { key: (await api.post('/v1/auth/keys/generate-backup')).body.backup_key };
    };
    await expectAll('a backup key', backup, ({ auth }) => (auth === 'backup' ? 'passed' : 'backup_key_only_activates'));
  });

  it('a session passes everywhere, an operator session with and without Signet-Account too; expired, nowhere', async () => {
    const { t } = suite;
    const plain = async () => ({ key: await plainToken(t, await t.createAccount()) });
    await expectAll('a session', plain, passed);
    await expectAll('an operator session', async () => ({ key: (await twoAgents(t)).token }), passed);
    const selecting = async () => {
      const { token: key, agents } = await twoAgents(t);
      return { key, headers: actingFor(agents[1]) };
    };
    await expectAll('an operator session that selects', selecting, passed);
    const [own, operators] = [await plain(), await selecting()];
    t.clock.advance(DAY_MS);
    for (const ended of [own, operators])
      await expectAll(
        'an expired session',
        async () => ended,
        () => 'unauthorized',
      );
  });

  it('404, like an unknown account, for an account that is not the operator’s, or no longer, at every endpoint', async () => {
    const { t } = suite;
    const { agents, email, token } = await twoAgents(t);
    const stranger = await t.createAccount();
    await removeOperator(t, agents[1], email);
    for (const endpoint of needKey(t)) {
      const missing = await call(t, endpoint, token, actingFor({ accountId: 'acc_x' }));
      assert.equal(missing.status, 404, nameOf(endpoint));
      for (const other of [stranger, agents[1]]) {
        const { status, body } = await call(t, endpoint, token, actingFor(other));
        assert.deepEqual([status, body], [404, missing.body], nameOf(endpoint));
      }
    }
  });

  it('suspended by an operator, keys and sessions of the agent pass only what takes access away; the operator passes', async () => {
    const { t } = suite;
    const suspended = async () => {
      const { agents, operator, token } = await twoAgents(t);
      const own = await plainToken(t, agents[0]);
      assert.equal((await operator.post(`/v1/operator/agents/${agents[0].accountId}/suspend`)).status, 200);
      return { key: agents[0].key, own, token };
    };
    const isLeft = ({ whileSuspended }: Endpoint): string => (whileSuspended ? 'passed' : 'account_suspended');
    await expectAll('a suspended key', suspended, isLeft);
    const session = async () => ({ key: (await suspended()).own });
    await expectAll('a suspended session', session, (each) => (each.auth === 'person' ? 'passed' : isLeft(each)));
    await expectAll('the operator', async () => ({ key: (await suspended()).token }), passed);
  });

  it('suspended by the administrator, nothing passes but what is about the person', async () => {
    const { t } = suite;
    const { agents, token } = await twoAgents(t);
    await suspend(t, agents[0].accountId);
    const closed = ({ auth }: Endpoint): string => (auth === 'person' ? 'passed' : 'account_suspended');
    await expectAll('the operator', async () => ({ key: token }), closed);
    await expectAll(
      'a key',
      async () => ({ key: agents[0].key }),
      () => 'account_suspended',
    );
  });
});
