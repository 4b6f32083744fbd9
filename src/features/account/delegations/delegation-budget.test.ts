import assert from 'node:assert/strict';
import { it } from 'node:test';
import { delegate, type MadeDelegation, tokenFor } from '../../../../test/support/delegations.ts';
import { type Api, onEngines, type TestAccount, type TestApp } from '../../../../test/support/harness.ts';

const SPEND = ['money:spend', 'money:read'];

/** A → B → C with budgets: the token of each, and both delegations. */
async function chain(t: TestApp, budgets: { first?: number; second?: number }) {
  const [a, b, c] = [await t.createAccount(), await t.createAccount(), await t.createAccount()];
  const limited = (budget?: number) => (budget === undefined ? {} : { budget_usdc: budget });
  const first = await delegate(t, a.api, b, { scopes: SPEND, may_delegate: 1, ...limited(budgets.first) });
  const byB = t.api((await tokenFor(t, b.key, first.id)).access_token);
  const second = await delegate(t, byB, c, { scopes: SPEND, ...limited(budgets.second) });
  const byC = t.api((await tokenFor(t, c.key, second.id)).access_token);
  return { a, b, c, first, second, byB, byC };
}

const charge = (api: Api, amount: number) => api.post('/v1/charge', { amount });
async function spentOf({ api }: TestAccount): Promise<Record<string, number>> {
  const { delegations } = (await api.get('/v1/delegations')).body;
  return Object.fromEntries(delegations.map(({ id, spent_usdc }: MadeDelegation) => [id, spent_usdc]));
}
const recorded = async (t: TestApp, accountId: string): Promise<number> =>
  Number(
    (await t.sql('select coalesce(sum(amount_usdc), 0) as sum from ledger where account_id = ?', accountId))[0]?.sum,
  );

onEngines('any', 'the budget of a delegation', {}, (suite) => {
  it('the delegate sees its own budget, and no figure of those above it', async () => {
    const { t } = suite;
    const { byB, byC } = await chain(t, { first: 1000, second: 3000 });
    assert.equal((await charge(byB, 900)).status, 200);
    const ofC = (await charge(byC, 200)).body;
    assert.deepEqual([ofC.limit_usdc, ofC.spent_usdc, ofC.remaining_usdc], [null, null, null]);
    const ofB = (await charge(byB, 200)).body;
    assert.deepEqual([ofB.limit_usdc, ofB.spent_usdc, ofB.remaining_usdc], [1000, 900, 100]);
  });

  it('an approval does not lift it: over the budget the charge is refused, although the account asks at a cap', async () => {
    const { t } = suite;
    const { a, byB } = await chain(t, { first: 1000 });
    const limited = await a.api.put('/v1/budget', { caps: { daily: 100 }, on_limit: 'approve' });
    assert.equal(limited.status, 200, limited.text);
    const over = await charge(byB, 1001);
    assert.deepEqual([over.status, over.body.limit_set_by], [402, 'delegation']);
    assert.equal((await a.api.get('/v1/approvals')).body.count, 0);
  });

  it('granting an approval charges the delegation too; once it is spent or ended, approving is 409 and it stays pending', async () => {
    const { t } = suite;
    const { a, b, first, second, byB, byC } = await chain(t, { first: 1000 });
    const limited = await a.api.put('/v1/budget', { caps: { daily: 100 }, on_limit: 'approve' });
    assert.equal(limited.status, 200, limited.text);
    const asked = await Promise.all([charge(byC, 600), charge(byC, 600), charge(byB, 300)]);
    assert.deepEqual(
      asked.map(({ status }) => status),
      [202, 202, 202],
    );
    const [one, two, three] = asked.map(({ body }) => body.approval_id as string);
    const approve = (id: string | undefined) => a.api.post(`/v1/approvals/${id}/approve`);
    const shown = (await a.api.get(`/v1/approvals/${one}`)).body;
    assert.deepEqual([shown.account_id, shown.delegation_id], [a.accountId, second.id]);
    assert.equal((await approve(one)).status, 200);
    assert.deepEqual(await spentOf(b), { [first.id]: 600, [second.id]: 600 });
    const spent = await approve(two);
    assert.deepEqual([spent.status, spent.body.error], [409, 'delegation_ended']);
    assert.equal((await a.api.get(`/v1/approvals/${two}`)).body.status, 'pending');
    await a.api.delete(`/v1/delegations/${first.id}`);
    const ended = await approve(three);
    assert.deepEqual([ended.status, ended.body.error], [409, 'delegation_ended']);
    assert.equal((await a.api.get(`/v1/approvals/${three}`)).body.status, 'pending');
    assert.equal(await recorded(t, a.accountId), 600);
  });
});

onEngines('both', 'the budget of a delegation: what the database decides', {}, (suite) => {
  it('64 parallel charges through both levels spend not one unit more than the smaller budget', async () => {
    const { t } = suite;
    const { a, b, first, second, byB, byC } = await chain(t, { first: 1000, second: 5000 });
    const replies = await Promise.all(Array.from({ length: 64 }, (_, i) => charge(i % 2 === 0 ? byB : byC, 50)));
    const done = replies.filter(({ status }) => status === 200).length;
    const refused = replies.filter(({ status }) => status === 402);
    assert.deepEqual([done, refused.length], [20, 44]);
    for (const { body } of refused)
      assert.deepEqual([body.error, body.limit_set_by], ['budget_exceeded', 'delegation']);
    const spent = await spentOf(b);
    assert.equal(spent[first.id], 1000);
    assert.ok((spent[second.id] as number) <= 1000);
    assert.equal(await recorded(t, a.accountId), 1000);
    assert.equal(await recorded(t, b.accountId), 0);
  });

  it('parallel approvals and charges together stay within the budget', async () => {
    const { t } = suite;
    const { a, b, first, byB } = await chain(t, { first: 1000 });
    const limited = await a.api.put('/v1/budget', { single_tx_limit_cents: 90, on_limit: 'approve' });
    assert.equal(limited.status, 200, limited.text);
    const asked = await Promise.all(Array.from({ length: 16 }, () => charge(byB, 100)));
    const ids = asked.map(({ body }) => body.approval_id as string);
    const replies = await Promise.all([
      ...ids.map((id) => a.api.post(`/v1/approvals/${id}/approve`)),
      ...ids.map(() => charge(byB, 70)),
    ]);
    const approved = replies.slice(0, 16).filter(({ status }) => status === 200).length;
    const charged = replies.slice(16).filter(({ status }) => status === 200).length;
    const total = approved * 100 + charged * 70;
    assert.ok(total <= 1000, String(total));
    assert.equal((await spentOf(b))[first.id], total);
    assert.equal(await recorded(t, a.accountId), total);
  });
});
