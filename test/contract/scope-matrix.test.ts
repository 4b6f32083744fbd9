import assert from 'node:assert/strict';
import { it } from 'node:test';
import { SCOPE_NAMES } from '../../src/api/scopes.ts';
import { onEngines } from '../support/harness.ts';
import { makePod } from '../support/pods.ts';
import { send } from './contract-client.ts';
import { call, ENDING, namedKey, needKey, ROOMY, refusedScope } from './gate.ts';
import { inTurn } from './in-turn.ts';
import { nameOf } from './sample-requests.ts';

/** Every endpoint that needs a credential × every scope alone × every state of a named key. */

onEngines('any', 'scopes', ROOMY, (suite) => {
  it('every endpoint that needs a credential names a scope of the table, and GET /api shows it', async () => {
    const { t } = suite;
    const { paths } = (await send(t.baseUrl, { method: 'GET', path: '/api' })).body;
    for (const endpoint of t.app.endpoints) {
      const shown = paths[endpoint.path][endpoint.method.toLowerCase()];
      assert.equal(shown['x-signet-scope'], endpoint.anyScope ? undefined : endpoint.scope, nameOf(endpoint));
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
      const endpoints = needKey(t);
      const others = inTurn(endpoints.filter((each) => each.scope !== scope));
      for (const endpoint of [...endpoints.filter((each) => each.scope === scope), ...others]) {
        const name = `${nameOf(endpoint)} with ${scope}`;
        const isAllowed = (endpoint.anyScope || endpoint.scope === scope) && !endpoint.wholeAccount;
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
        assert.equal(refusedScope(await call(t, endpoint, api_key), name), endpoint.anyScope ? null : scope, name);
        const expected = endpoint.wholeAccount ? scope : null;
        assert.equal(refusedScope(await call(t, endpoint, all.api_key), name), expected, name);
      }
    }
  });

  it('a named key that is limited to addresses passes, of those, the gate of what is not refused to it', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const { address } = (await account.api.post('/v1/inbox', {})).body;
    const all = await namedKey(account, SCOPE_NAMES, { addresses: [address] });
    for (const scope of SCOPE_NAMES) {
      const alone = await namedKey(account, [scope], { addresses: [address] });
      for (const endpoint of needKey(t).filter((each) => each.scope === scope)) {
        const name = `${nameOf(endpoint)} with ${scope}, limited`;
        const isAllowed = !endpoint.wholeAccount && endpoint.addresses !== 'refused';
        for (const { api_key } of [alone, all])
          assert.equal(refusedScope(await call(t, endpoint, api_key), name), isAllowed ? null : scope, name);
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
    let { key } = await t.createAccount();
    for (const endpoint of needKey(t)) {
      assert.equal(refusedScope(await call(t, endpoint, key), nameOf(endpoint)), null, nameOf(endpoint));
      if (ENDING.has(endpoint.operation)) ({ key } = await t.createAccount());
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
