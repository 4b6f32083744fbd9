import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Endpoint } from '../../src/api/endpoint.ts';
import { SCOPE_NAMES, type Scope } from '../../src/api/scopes.ts';
import { DAY_MS } from '../../src/base/period.ts';
import { suspend } from '../support/agents.ts';
import { delegate, tokenFor } from '../support/delegations.ts';
import { onEngines } from '../support/harness.ts';
import { actingFor, plainToken, removeOperator, twoAgents } from '../support/operators.ts';
import { makePod } from '../support/pods.ts';
import { call, ENDING, gateAnswer, namedKey, needKey, ROOMY, refusedScope } from './gate.ts';
import { nameOf } from './sample-requests.ts';

/** Every endpoint that needs a credential × every other kind of credential, in every state of its account. */

interface Presented {
  key: string;
  headers?: Record<string, string>;
}

onEngines('any', 'kinds of credentials', ROOMY, (suite) => {
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

  it('of an account that is to be deleted, every credential reads, takes access away and cancels, and changes no more', async () => {
    const { t } = suite;
    const deleting = async () => {
      const { agents, token } = await twoAgents(t);
      const own = await plainToken(t, agents[0]);
      assert.equal((await agents[0].api.delete('/v1/account')).status, 202);
      return { key: agents[0].key, own, token };
    };
    const isLeft = ({ effect, method, whileSuspended, auth }: Endpoint): string =>
      effect !== 'write' || method === 'GET' || whileSuspended || auth === 'person' ? 'passed' : 'account_deleting';
    await expectAll('a key', deleting, (each) => (each.auth === 'person' ? 'session_required' : isLeft(each)));
    await expectAll('a session', async () => ({ key: (await deleting()).own }), isLeft);
    await expectAll('the operator', async () => ({ key: (await deleting()).token }), isLeft);
  });

  it('a pod’s key passes where pods may; suspended by its platform, nowhere', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const forPods = ({ auth }: Endpoint): string =>
      ({ platform: 'pod_auth_forbidden', person: 'session_required' })[auth as string] ?? 'passed';
    await expectAll('a pod', async () => ({ key: (await makePod(t, platform)).key }), forPods);
    const pod = await makePod(t, platform);
    assert.equal((await platform.api.delete(`/v1/pods/${pod.podId}`)).status, 200);
    await expectAll(
      'a suspended pod',
      async () => ({ key: pod.key }),
      () => 'pod_suspended',
    );
  });
});

onEngines('any', 'access tokens', ROOMY, (suite) => {
  /** An access token with the scopes. `fields` limit the key that delegates. */
  async function delegated(scopes: readonly Scope[], fields: object = {}): Promise<string> {
    const { t } = suite;
    const [from, to] = [await t.createAccount(), await t.createAccount()];
    const { api_key } = await namedKey(from, SCOPE_NAMES, fields);
    const { id } = await delegate(t, t.api(api_key), to, { scopes, may_delegate: 1 });
    return (await tokenFor(t, to.key, id)).access_token;
  }

  /** A token needs no scope to pass on its delegation. Nothing that would outlast it is open to it. */
  const isOpen = ({ wholeAccount, outlives, passesOn, anyScope, scope }: Endpoint, scopes: readonly Scope[]): boolean =>
    !wholeAccount && !outlives && (passesOn === true || anyScope === true || scopes.includes(scope as Scope));

  async function expectTokens(key: string, endpoint: Endpoint, isAllowed: boolean, of: string): Promise<void> {
    const name = `${nameOf(endpoint)} with a token for ${of}`;
    const expected = isAllowed ? null : endpoint.scope;
    assert.equal(refusedScope(await call(suite.t, endpoint, key), name), expected, name);
  }

  it('a token with one scope passes the gate of exactly the endpoints with that scope that do not outlast it', async () => {
    for (const scope of SCOPE_NAMES) {
      const others = SCOPE_NAMES.filter((other) => other !== scope);
      const [alone, rest] = [await delegated([scope]), await delegated(others)];
      for (const endpoint of needKey(suite.t).filter((each) => each.scope === scope)) {
        await expectTokens(alone, endpoint, isOpen(endpoint, [scope]), scope);
        await expectTokens(rest, endpoint, isOpen(endpoint, others), `all but ${scope}`);
      }
    }
  });

  it('a token with every scope passes wherever tokens may, and one that is limited to addresses not where that is refused', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const { address } = (await account.api.post('/v1/inbox', {})).body;
    const { api_key } = await namedKey(account, SCOPE_NAMES, { addresses: [address] });
    const to = await t.createAccount();
    const { id } = await delegate(t, t.api(api_key), to, { scopes: SCOPE_NAMES });
    const limited = (await tokenFor(t, to.key, id)).access_token;
    const all = await delegated(SCOPE_NAMES);
    for (const endpoint of needKey(t)) {
      const may = isOpen(endpoint, SCOPE_NAMES);
      await expectTokens(all, endpoint, may, 'all');
      await expectTokens(limited, endpoint, may && endpoint.addresses !== 'refused', 'all, limited');
    }
  });

  it('an expired token, one of an ended delegation, and one whose key or delegate was ended are 401 at every endpoint', async () => {
    const { t } = suite;
    const from = await t.createAccount();
    const fresh = async () => {
      const to = await t.createAccount();
      const key = await namedKey(from, SCOPE_NAMES);
      const { id } = await delegate(t, t.api(key.api_key), to, { scopes: SCOPE_NAMES });
      return { to, key, id, ...(await tokenFor(t, to.key, id)) };
    };
    const [expired, ended, keyless, secured] = [await fresh(), await fresh(), await fresh(), await fresh()];
    assert.equal((await from.api.delete(`/v1/delegations/${ended.id}`)).status, 200);
    assert.equal((await from.api.delete(`/v1/account/keys/${keyless.key.id}`)).status, 200);
    assert.equal((await secured.to.api.post('/v1/account/secure')).status, 200);
    const refused = async (each: { access_token: string }): Promise<void> => {
      for (const endpoint of needKey(t))
        assert.equal((await call(t, endpoint, each.access_token)).status, 401, nameOf(endpoint));
    };
    for (const each of [ended, keyless, secured]) await refused(each);
    t.clock.advance(expired.expires_in * 1000);
    await refused(expired);
  });
});
