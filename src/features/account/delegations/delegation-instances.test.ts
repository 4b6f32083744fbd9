import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { exchange as exchangeAt, type Form, type MadeDelegation } from '../../../../test/support/delegations.ts';
import { createApi, freshDatabase } from '../../../../test/support/harness.ts';
import { type App, startApp } from '../../../app.ts';
import { readConfig } from '../../../config/service-config.ts';

const ME = '/v1/account/me';
const DELEGATIONS = '/v1/delegations';
/** Far enough for a test on the real clock. */
const NEVER = '2099-01-01T00:00:00.000Z';
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

/** Two instances on one PostgreSQL. */
describe('delegations over two instances on one database', () => {
  let instances: App[] = [];
  let drop: () => Promise<void>;
  const at = (i: number, key?: string) => createApi((instances[i % 2] as App).baseUrl, key);

  const newAccount = async () => {
    const { api_key, account_id } = (await at(0).post('/v1/auth/keys')).body;
    return { key: api_key as string, id: account_id as string };
  };
  async function delegated(i: number, key: string, to: string, fields: object) {
    const made = await at(i, key).post(DELEGATIONS, { to, expires_at: NEVER, ...fields });
    assert.equal(made.status, 201, made.text);
    return made.body.id as string;
  }
  const exchange = (i: number, key: string, id: string, fields: Form = {}) =>
    exchangeAt({ api: (own) => at(i, own) }, key, id, fields);
  const tokenFor = async (i: number, key: string, id: string): Promise<string> => {
    const granted = await exchange(i, key, id);
    assert.equal(granted.status, 200, granted.text);
    return granted.body.access_token;
  };

  before(async () => {
    const database = await freshDatabase('postgres');
    drop = database.drop;
    const limits = { free: { requests_per_day: 10_000 }, signups_per_ip_per_hour: 1000, revocations_per_hour: 1000 };
    const env = {
      PORT: '0',
      SMTP_PORT: 'off',
      IMAP_PORT: 'off',
      SUBMISSION_PORT: 'off',
      LOG_LEVEL: 'silent',
      LIMITS: JSON.stringify(limits),
      ...database.env,
    };
    instances = await Promise.all(times(2, () => startApp(readConfig(env), silent)));
  });
  after(async () => {
    await Promise.all(instances.map((app) => app.stop()));
    await drop();
  });

  it('10 times: a chain revoked on one instance is over on the other with the next request', async () => {
    const [a, b, c] = [await newAccount(), await newAccount(), await newAccount()];
    for (const i of times(10, (n) => n)) {
      const first = await delegated(i, a.key, b.id, { scopes: ['account:read'], may_delegate: 1 });
      const tokenB = await tokenFor(i + 1, b.key, first);
      const second = await delegated(i + 1, tokenB, c.id, { scopes: ['account:read'] });
      const tokenC = await tokenFor(i, c.key, second);
      for (const token of [tokenB, tokenC])
        for (const n of [0, 1]) assert.equal((await at(n, token).get(ME)).body.id, a.id);
      assert.equal((await at(i, a.key).delete(`${DELEGATIONS}/${first}`)).status, 200);
      for (const token of [tokenB, tokenC]) assert.equal((await at(i + 1, token).get(ME)).status, 401);
    }
  });

  it('64 charges, half on each instance, through two levels: not one unit over the budget', async () => {
    const [a, b, c] = [await newAccount(), await newAccount(), await newAccount()];
    const scopes = ['money:spend'];
    const first = await delegated(0, a.key, b.id, { scopes, may_delegate: 1, budget_usdc: 1000 });
    const tokenB = await tokenFor(0, b.key, first);
    const second = await delegated(1, tokenB, c.id, { scopes, budget_usdc: 700 });
    const tokenC = await tokenFor(1, c.key, second);
    const charge = (i: number) => at(i, i % 4 < 2 ? tokenB : tokenC).post('/v1/charge', { amount: 50 });
    const replies = await Promise.all(times(64, charge));
    assert.equal(replies.filter(({ status }) => status === 200).length, 20);
    assert.equal(replies.filter(({ body }) => body.limit_set_by === 'delegation').length, 44);
    const { delegations } = (await at(0, a.key).get(DELEGATIONS)).body as { delegations: MadeDelegation[] };
    const spent = new Map(delegations.map(({ id, spent_usdc }) => [id, spent_usdc]));
    assert.equal(spent.get(first), 1000);
    assert.ok((spent.get(second) as number) <= 700);
  });

  it('20 times: a named key deleted while it delegates and exchanges leaves nothing that works', async () => {
    const [a, b] = [await newAccount(), await newAccount()];
    const toA = await delegated(0, b.key, a.id, { scopes: ['account:read'] });
    for (const i of times(20, (n) => n)) {
      const fields = { name: 'ci', scopes: ['identity:issue', 'account:read'] };
      const { id, api_key } = (await at(i, a.key).post('/v1/account/keys', fields)).body;
      const body = { to: b.id, scopes: ['account:read'], expires_at: NEVER };
      const [made, granted, gone] = await Promise.all([
        at(i + 1, api_key).post(DELEGATIONS, body),
        exchange(i + 1, api_key, toA),
        at(i, a.key).delete(`/v1/account/keys/${id}`),
      ]);
      assert.equal(gone.status, 200);
      assert.ok([201, 401].includes(made.status) && [200, 401].includes(granted.status));
      if (made.status === 201) assert.equal((await exchange(i, b.key, made.body.id)).status, 400);
      if (granted.status === 200) assert.equal((await at(i, granted.body.access_token).get(ME)).status, 401);
    }
  });
});
