import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Api, onEngines, type TestApp } from '../../../../test/support/harness.ts';

const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
const accounts = (t: TestApp, n: number) => Promise.all(times(n, () => t.createAccount()));
const claim = (api: Api, address: string) => api.post('/v1/email/claim', { address });
const look = (api: Api, name: string) => api.get(`/v1/email/inbox?address=${name}`);

async function slotsOf(t: TestApp, accountId: string): Promise<number> {
  const rows = await t.sql("select used from account_counts where kind = 'addresses' and account_id = ?", accountId);
  return Number(rows[0]?.used ?? 0);
}

onEngines('both', 'parallel claims', {}, (suite) => {
  it('of one address by 50 accounts: one gets 201, 49 get 409 and lose no slot', async () => {
    const { t } = suite;
    const all = await accounts(t, 50);
    const replies = await Promise.all(all.map(({ api }) => claim(api, 'contested')));
    assert.equal(replies.filter(({ status }) => status === 201).length, 1);
    const refused = replies.filter(({ status, body }) => status === 409 && body.error === 'address_unavailable');
    assert.equal(refused.length, 49);
    for (const [i, { accountId }] of all.entries())
      assert.equal(await slotsOf(t, accountId), replies[i]?.status === 201 ? 1 : 0);
  });

  it('of one address by one account: all 50 get 201, one is new, and one slot is used', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    const replies = await Promise.all(times(50, () => claim(api, 'eager')));
    assert.ok(replies.every(({ status }) => status === 201));
    assert.equal(replies.filter(({ body }) => !body.already_owned).length, 1);
    assert.equal(await slotsOf(t, accountId), 1);
    for (let n = 0; n < 9; n++) assert.equal((await claim(api, `eager-${n}`)).status, 201);
    assert.equal((await claim(api, 'eager-9')).body.error, 'address_limit');
  });

  it('of 50 addresses by one account: exactly 10 get 201, the others 403 address_limit', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    const replies = await Promise.all(times(50, (n) => claim(api, `greedy-${n}`)));
    assert.equal(replies.filter(({ status }) => status === 201).length, 10);
    assert.equal(replies.filter(({ body }) => body.error === 'address_limit').length, 40);
    assert.equal((await api.get('/v1/email/addresses')).body.count, 10);
    assert.equal(await slotsOf(t, accountId), 10);
  });

  it('of the same tenth address: all 20 succeed', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    for (let n = 0; n < 9; n++) await claim(api, `nearly-${n}`);
    const replies = await Promise.all(times(20, () => claim(api, 'nearly-full')));
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [201]);
    assert.equal(replies.filter(({ body }) => !body.already_owned).length, 1);
    assert.equal(await slotsOf(t, accountId), 10);
  });

  it('by the first look into one free inbox: one of 50 accounts gets it, 49 get 403 address_forbidden', async () => {
    const { t } = suite;
    const all = await accounts(t, 50);
    const replies = await Promise.all(all.map(({ api }) => look(api, 'glance')));
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    assert.equal(replies.filter(({ status, body }) => status === 403 && body.error === 'address_forbidden').length, 49);
  });

  it('by 50 first looks of one account: exactly 10 claim', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    const replies = await Promise.all(times(50, (n) => look(api, `stare-${n}`)));
    assert.equal(replies.filter(({ status }) => status === 200).length, 10);
    assert.equal(replies.filter(({ body }) => body.error === 'address_limit').length, 40);
    assert.equal(await slotsOf(t, accountId), 10);
  });

  it('by both endpoints for one name: exactly one account gets it', async () => {
    const { t } = suite;
    const all = await accounts(t, 30);
    const replies = await Promise.all(
      all.map(({ api }, i) => (i % 2 ? claim(api, 'alias') : api.post('/v1/inbox', { name: 'alias' }))),
    );
    assert.ok(replies.every(({ status }) => status === 201 || status === 409));
    const owners = await t.sql(`select account_id from addresses where address = 'alias@agents.localhost'`);
    const winners = replies.flatMap(({ status, body }) => (status === 201 ? [body.account_id] : []));
    assert.deepEqual(winners, [owners[0]?.account_id]);
  });
});
