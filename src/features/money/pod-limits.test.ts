import assert from 'node:assert/strict';
import { it } from 'node:test';
import { onEngines } from '../../../test/support/harness.ts';
import { makePod } from '../../../test/support/pods.ts';
import { setSpendingCaps, spendingCapsOf } from './budget.ts';

onEngines('any', 'a pod’s charge', {}, (suite) => {
  it('counts for the pod and for its platform, in both ledgers', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const pod = await makePod(t, platform);
    await platform.api.put('/v1/budget', { daily: 100 });
    const charged = await pod.api.post('/v1/charge', { amount: 30, category: 'api' });
    assert.equal(charged.status, 200);
    assert.deepEqual(charged.body.remaining, {}, 'what the platform has left is not the pod’s to know');
    await platform.api.post('/v1/charge', { amount: 5 });
    for (const [account, total] of [
      [pod, 30],
      [platform, 35],
    ] as const) {
      const { summary, entries } = (await account.api.get('/v1/budget/history')).body;
      assert.equal(summary.total_usdc, total);
      assert.equal(entries.at(-1).id, charged.body.charge_id);
      assert.equal(entries.at(-1).account_id, pod.accountId);
    }
    assert.equal((await platform.api.get('/v1/budget')).body.caps.daily.remaining_usdc, 65);
  });

  it('402 from every layer that rejects: its own budget, its platform’s caps for it, and the platform’s budget with amounts hidden', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const pod = await makePod(t, platform, { daily: 50 });
    await pod.api.put('/v1/budget', { daily: 30 });
    await platform.api.put('/v1/budget', { daily: 60 });
    const exceeded = async (amount: number) => {
      const { status, body } = await pod.api.post('/v1/charge', { amount });
      assert.deepEqual([status, body.error], [402, 'budget_exceeded']);
      return body.exceeded.map((one: { limit_usdc: number | null; limit_set_by: string }) => [
        one.limit_set_by,
        one.limit_usdc,
      ]);
    };
    assert.deepEqual(await exceeded(40), [['account', 30]]);
    assert.deepEqual(await exceeded(55), [
      ['account', 30],
      ['platform', 50],
    ]);
    await pod.api.put('/v1/budget', { daily: null });
    assert.deepEqual(await exceeded(70), [
      ['platform', 50],
      ['platform', null],
    ]);
    // The pod cannot remove the caps of its platform.
    const shown = (await pod.api.get('/v1/budget')).body;
    assert.deepEqual([shown.caps.daily, shown.spending_caps.daily.limit_usdc, shown.has_caps], [null, 50, true]);
    const left = await pod.api.post('/v1/charge', { amount: 50 });
    assert.deepEqual([left.status, left.body.remaining], [200, { daily: 0 }]);
    assert.equal((await pod.api.get('/v1/budget')).body.status, 'limit_reached');
    // Its sibling exceeds the platform's budget, not the pod's caps.
    const sibling = await makePod(t, platform);
    assert.equal((await sibling.api.post('/v1/charge', { amount: 11 })).status, 402);
    assert.equal((await sibling.api.post('/v1/charge', { amount: 10 })).status, 200);
  });

  it('a pod’s budget shows no room that its platform lacks', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const [capped, free] = [await makePod(t, platform, { daily: 50, weekly: 90 }), await makePod(t, platform)];
    const shown = async ({ api }: typeof capped) => {
      const { caps, spending_caps: set, status } = (await api.get('/v1/budget')).body;
      return [caps.daily?.remaining_usdc, set?.daily.remaining_usdc, set?.weekly.remaining_usdc, status];
    };
    await capped.api.put('/v1/budget', { daily: 40 });
    assert.deepEqual(await shown(capped), [40, 50, 90, 'active']);
    await platform.api.put('/v1/budget', { daily: 30, weekly: 70 });
    assert.deepEqual(await shown(capped), [30, 30, 70, 'active']);
    const charged = await capped.api.post('/v1/charge', { amount: 5 });
    assert.deepEqual(charged.body.remaining, { daily: 25, weekly: 65 });
    assert.equal((await platform.api.post('/v1/charge', { amount: 25 })).status, 200);
    assert.deepEqual(await shown(capped), [0, 0, 40, 'limit_reached']);
    assert.deepEqual(await shown(free), [undefined, undefined, undefined, 'limit_reached']);
    assert.equal((await capped.api.put('/v1/budget', { daily: 45 })).body.caps.daily.remaining_usdc, 0);
  });

  it('a charge over a platform cap follows the platform’s on_limit, and the platform approves it', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const pod = await makePod(t, platform, { daily: 10 });
    await platform.api.put('/v1/budget', { on_limit: 'approve' });
    const asked = await pod.api.post('/v1/charge', { amount: 20, description: 'Two calls' });
    assert.equal(asked.status, 202);
    const path = `/v1/approvals/${asked.body.approval_id}`;
    assert.equal((await pod.api.get(path)).body.status, 'pending');
    for (const verb of ['approve', 'reject']) {
      const refused = await pod.api.post(`${path}/${verb}`);
      assert.deepEqual([refused.status, refused.body.error], [403, 'pod_auth_forbidden']);
    }
    const sibling = await makePod(t, platform);
    assert.equal((await sibling.api.get(path)).status, 404);
    assert.equal((await sibling.api.post(`${path}/approve`)).status, 404);
    assert.equal((await pod.api.get('/v1/approvals')).body.count, 1);
    assert.equal((await sibling.api.get('/v1/approvals')).body.count, 0);
    const [listed] = (await platform.api.get('/v1/approvals')).body.approvals;
    assert.deepEqual([listed.account_id, listed.decided_by_account], [pod.accountId, platform.accountId]);
    assert.equal((await platform.api.post(`${path}/approve`)).status, 200);
    for (const account of [pod, platform]) {
      assert.equal((await account.api.get('/v1/budget/history')).body.summary.total_usdc, 20);
      const types = (await account.api.get('/v1/events')).body.events.map(({ type }: { type: string }) => type);
      assert.ok(types.includes('approval.requested') && types.includes('approval.resolved'));
    }
  });

  it('a charge over the pod’s own budget alone is approved by the pod, within the platform’s limits at that time', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const pod = await makePod(t, platform, { daily: 30 });
    await pod.api.put('/v1/budget', { daily: 5, on_limit: 'approve' });
    const ask = async (): Promise<string> =>
      `/v1/approvals/${(await pod.api.post('/v1/charge', { amount: 20 })).body.approval_id}`;
    const [first, second] = [await ask(), await ask()];
    assert.equal((await platform.api.get(first)).status, 404, 'the platform is not asked');
    assert.equal((await pod.api.post(`${first}/approve`)).status, 200);
    const refused = await pod.api.post(`${second}/approve`);
    assert.deepEqual([refused.status, refused.body.error], [402, 'budget_exceeded']);
    assert.equal((await pod.api.get(second)).body.status, 'pending');
    assert.equal((await pod.api.get('/v1/budget')).body.spending_caps.daily.spent_usdc, 20);
  });

  it('a charge over two layers with approve makes one approval, held by the platform; one layer with reject makes it 402', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const pod = await makePod(t, platform, { daily: 10 });
    await platform.api.put('/v1/budget', { on_limit: 'approve' });
    await pod.api.put('/v1/budget', { daily: 5 });
    const refused = await pod.api.post('/v1/charge', { amount: 20 });
    assert.equal(refused.status, 402);
    assert.equal(refused.body.exceeded.length, 1);
    await pod.api.put('/v1/budget', { on_limit: 'approve' });
    const asked = await pod.api.post('/v1/charge', { amount: 20 });
    assert.equal(asked.status, 202);
    assert.equal(asked.body.exceeded.length, 2);
    assert.equal((await platform.api.get('/v1/approvals')).body.count, 1);
  });

  it('the platform’s single limit applies to the pod, with its amount hidden', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const pod = await makePod(t, platform);
    await platform.api.put('/v1/budget', { single_tx_limit_cents: 10 });
    const { status, body } = await pod.api.post('/v1/charge', { amount: 11 });
    assert.deepEqual([status, body.error, body.single_tx_limit_usdc], [402, 'single_tx_limit_exceeded', null]);
  });

  it('a platform’s caps for a pod can be read, changed and removed; caps out of order are refused', async () => {
    const { t } = suite;
    const { database } = t.app;
    const platform = await t.createAccount();
    const pod = await makePod(t, platform, { daily: 5, monthly: 50 });
    const set = (caps: Parameters<typeof setSpendingCaps>[2]) =>
      database.transaction((tx) => setSpendingCaps(tx, pod.accountId, caps));
    const read = async () => (await spendingCapsOf(database, [pod.accountId])).get(pod.accountId);
    assert.deepEqual(await read(), { daily: 5, weekly: null, monthly: 50 });
    await assert.rejects(set({ daily: 6, weekly: 5 }), /daily <= weekly <= monthly/);
    await set(null);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(await read(), null);
  });
});

onEngines('both', 'a pod’s charge: what the database decides', {}, (suite) => {
  it('concurrent charges by pods and their platform overspend no layer', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const pods = [await makePod(t, platform, { daily: 35 }), await makePod(t, platform, { daily: 35 })];
    await platform.api.put('/v1/budget', { daily: 77 });
    const callers = [platform, ...pods];
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        (callers[i % 3] as (typeof callers)[0]).api.post('/v1/charge', { amount: 5 }),
      ),
    );
    assert.ok(replies.every(({ status }) => status === 200 || status === 402));
    const spent = replies.filter(({ status }) => status === 200).length * 5;
    assert.equal(spent, 75);
    assert.equal((await platform.api.get('/v1/budget')).body.caps.daily.spent_usdc, 75);
    for (const pod of pods) assert.ok((await pod.api.get('/v1/budget')).body.spending_caps.daily.spent_usdc <= 35);
  });
});
