import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { delegate, exchange } from '../../../../test/support/delegations.ts';
import { createApi, freshDatabase, nextDay, onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { mcpClient } from '../../../../test/support/mcp.ts';
import { clientTokens } from '../../../../test/support/oauth-client.ts';
import { twoAgents } from '../../../../test/support/operators.ts';
import { makePod } from '../../../../test/support/pods.ts';
import { type App, startApp } from '../../../app.ts';
import { readConfig } from '../../../config/service-config.ts';

const ME = '/v1/account/me';
const KEYS = '/v1/account/keys';
const LIMITS = { limits: { free: { requests_per_day: 100 } } };
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

type Account = Pick<Awaited<ReturnType<TestApp['createAccount']>>, 'api'>;

async function namedKey(t: Pick<TestApp, 'api'>, { api }: Account, fields: object = {}) {
  const made = await api.post(KEYS, { name: 'least', scopes: ['account:read'], ...fields });
  assert.equal(made.status, 201, made.text);
  return { id: made.body.id as string, requestsShare: made.body.requests_share, api: t.api(made.body.api_key) };
}

/** How many of 120 calls at once are answered. */
async function answered({ api }: Account): Promise<number> {
  const statuses = (await Promise.all(times(120, () => api.get(ME)))).map(({ status }) => status);
  assert.deepEqual(new Set([200, 429]), new Set([...statuses, 200, 429]));
  return statuses.filter((status) => status === 200).length;
}

/** What a refusal says, with its limit. */
async function refusal({ api }: Account) {
  const { status, body } = await api.get(ME);
  return [status, body.error, body.quota];
}

onEngines('both', 'N6: what is not the whole account leaves its owner a part of the day', LIMITS, (suite) => {
  it('N6: all named keys together stop at 80 of 100; the owner has the rest, and no more', async () => {
    const { t } = suite;
    const owner = await t.createAccount();
    const keys = [await namedKey(t, owner), await namedKey(t, owner)] as const;
    const [first, second] = await Promise.all([answered(keys[0]), answered(keys[1])]);
    assert.equal(first + second, 80);
    const shared = [429, 'rate_limited', { name: 'requests_per_day_shared', used: 80, max: 80 }];
    for (const key of keys) assert.deepEqual(await refusal(key), shared);
    // Making the keys took two.
    assert.equal(await answered(owner), 18);
    assert.deepEqual(await refusal(owner), [429, 'rate_limited', { name: 'requests_per_day', used: 100, max: 100 }]);
    nextDay(t.clock);
    assert.equal((await keys[0].api.get(ME)).headers.get('ratelimit-remaining'), '79');
  });

  it('N6: tokens of delegates and of clients share the same part, and spend nothing of the delegate', async () => {
    const { t } = suite;
    nextDay(t.clock);
    const { agents, operator } = await twoAgents(t);
    const [owner, helper] = agents;
    const { id } = await delegate(t, owner.api, helper, { scopes: ['account:read'] });
    const granted = await exchange(t, helper.key, id);
    const byDelegate = t.api(granted.body.access_token);
    const { access } = await clientTokens(t, operator, { scope: 'account:read' });
    const client = mcpClient(t, access);
    const grantedTo = (await operator.get('/v1/account/me')).body.id;
    const ofClient = agents.find(({ accountId }) => accountId === grantedTo) ?? owner;
    const left = async (by: Account) => Number((await by.api.get(ME)).headers.get('ratelimit-remaining'));
    const before = await left(helper);
    for (let i = 0; i < 3; i++) assert.equal((await byDelegate.get(ME)).status, 200);
    assert.equal(await left(helper), before - 1);
    assert.equal((await byDelegate.get(ME)).headers.get('ratelimit-limit'), '80');
    const named = await namedKey(t, ofClient);
    const ofNamed = await left(named);
    assert.equal(ofNamed, ofClient === owner ? 75 : 79);
    assert.equal((await client.request('tools/list')).status, 200);
    assert.equal(await left(named), ofNamed - 2);
  });

  it('N6: a small day leaves its owner ten requests, and pods share the part of their platform', async () => {
    const { t } = suite;
    nextDay(t.clock);
    const platform = await t.createAccount();
    const pod = await makePod(t, platform);
    const [ofPod, own] = [await namedKey(t, pod), await namedKey(t, platform)];
    assert.equal((await answered(ofPod)) + (await answered(own)), 80);
    assert.equal((await pod.api.get(ME)).status, 200);
    assert.equal((await platform.api.get(ME)).status, 200);
  });

  it('N6: requests_share sets less for a key alone, from its next call; the others have what it leaves', async () => {
    const { t } = suite;
    nextDay(t.clock);
    const owner = await t.createAccount();
    const narrow = await namedKey(t, owner, { requests_share: 25 });
    const wide = await namedKey(t, owner);
    assert.deepEqual([narrow.requestsShare, wide.requestsShare], [25, null]);
    assert.equal(await answered(narrow), 20);
    assert.deepEqual(await refusal(narrow), [429, 'rate_limited', { name: 'requests_share', used: 20, max: 20 }]);
    const set = (id: string, share: unknown) => owner.api.patch(`${KEYS}/${id}`, { requests_share: share });
    const changed = await set(narrow.id, 26);
    assert.deepEqual([changed.status, changed.body.name, changed.body.requests_share], [200, 'least', 26]);
    assert.equal((await narrow.api.get(ME)).status, 200);
    assert.equal((await narrow.api.get(ME)).status, 429);
    assert.equal((await set(narrow.id, null)).body.requests_share, null);
    assert.equal((await narrow.api.get(ME)).status, 200);
    assert.equal((await set(wide.id, 1)).status, 200);
    assert.equal(await answered(wide), 1, 'a hundredth of 80 is one');
    const { keys } = (await owner.api.get(KEYS)).body as { keys: Record<string, unknown>[] };
    const shares = new Map(keys.map((key) => [key.id, key.requests_share]));
    assert.deepEqual([shares.get(narrow.id), shares.get(wide.id), shares.size], [null, 1, 3]);
  });

  it('N6: only the whole account changes a key: name, share, scopes and end, and none of another account', async () => {
    const { t } = suite;
    nextDay(t.clock);
    const owner = await t.createAccount();
    const { id, api } = await namedKey(t, owner, { scopes: ['account:manage', 'account:read'], requests_share: 50 });
    const path = `${KEYS}/${id}`;
    const renamed = (await owner.api.patch(path, { name: 'other' })).body;
    assert.deepEqual([renamed.name, renamed.requests_share, renamed.scopes.length], ['other', 50, 2]);
    for (const body of [{}, { requests_share: 0 }, { requests_share: 101 }, { name: '' }, { addresses: [] }])
      assert.equal((await owner.api.patch(path, body)).status, 400, JSON.stringify(body));
    for (const more of [{ requests_share: null }, { scopes: ['mail:read'] }, { expires_in_seconds: null }])
      assert.equal((await api.patch(path, more)).body.error, 'insufficient_scope');
    const stranger = await t.createAccount();
    const [others, missing] = [
      await stranger.api.patch(path, { name: 'mine' }),
      await stranger.api.patch(`${KEYS}/key_none`, { name: 'mine' }),
    ];
    assert.deepEqual([others.status, others.text], [404, missing.text]);
    assert.equal((await t.api().patch(path, { name: 'mine' })).status, 401);
  });
});

onEngines('any', 'N6: a day of 12 requests', { limits: { free: { requests_per_day: 12 } } }, (suite) => {
  it('N6: keeps ten for the owner, and two for all named keys', async () => {
    const owner = await suite.t.createAccount();
    const named = await namedKey(suite.t, owner);
    assert.equal(await answered(named), 2);
    assert.equal(await answered(owner), 9);
  });
});

describe('N6: named keys over two instances on one database', () => {
  it('N6: each instance counts what the other answered; the owner has the rest on both', async () => {
    const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
    const database = await freshDatabase('postgres');
    const env = {
      PORT: '0',
      SMTP_PORT: 'off',
      IMAP_PORT: 'off',
      SUBMISSION_PORT: 'off',
      LOG_LEVEL: 'silent',
      LIMITS: JSON.stringify(LIMITS.limits),
    };
    const config = readConfig({ ...env, ...database.env });
    const instances = await Promise.all([startApp(config, silent), startApp(config, silent)]);
    const at = (i: number, key?: string) => createApi((instances[i] as App).baseUrl, key);
    const flush = async () => {
      for (const { provided } of instances) await provided.meter.flush();
    };
    try {
      const { api_key: key } = (await at(0).post('/v1/auth/keys')).body;
      const least = { name: 'least', scopes: ['account:read'], requests_share: 50 };
      const { id, api_key: named } = (await at(0, key).post(KEYS, least)).body;
      for (let n = 0; n < 30; n++) assert.equal((await at(n % 2, named).get(ME)).status, 200);
      const leftAt = async (i: number) => Number((await at(i, named).get(ME)).headers.get('ratelimit-remaining'));
      await flush();
      // An instance learns the count of the other as it adds to it.
      for (const i of [0, 1]) await leftAt(i);
      await flush();
      assert.ok((await leftAt(0)) <= 8);
      assert.ok((await leftAt(1)) <= 8);
      // The share that one instance sets holds on the other at once.
      assert.equal((await at(0, key).patch(`${KEYS}/${id}`, { requests_share: 10 })).status, 200);
      const { quota } = (await at(1, named).get(ME)).body;
      assert.deepEqual([quota.name, quota.max], ['requests_share', 8]);
      assert.equal((await at(0, key).patch(`${KEYS}/${id}`, { requests_share: null })).status, 200);
      const reply = await at(1, named).get(ME);
      assert.deepEqual([reply.status, reply.headers.get('ratelimit-limit')], [200, '80']);
    } finally {
      await Promise.all(instances.map((app) => app.stop()));
      await database.drop();
    }
  });
});
