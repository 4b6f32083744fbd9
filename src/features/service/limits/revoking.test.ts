import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Api, type ApiReply, onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { makePod } from '../../../../test/support/pods.ts';
import { newSigningKey, publishKey } from '../../../../test/support/signing-keys.ts';
import { HOUR_MS } from '../../../base/period.ts';

const ME = '/v1/account/me';
const LIMITS = {
  free: { requests_per_day: 100 },
  revocations_per_hour: 60,
  inspections_per_hour: 120,
  pod_changes_per_hour: 60,
};

const rateOf = ({ headers }: ApiReply): number[] =>
  ['limit', 'remaining'].map((name) => Number(headers.get(`ratelimit-${name}`)));

async function expect(status: number, call: Promise<ApiReply>): Promise<ApiReply> {
  const reply = await call;
  assert.equal(reply.status, status, reply.text);
  return reply;
}

async function readUntilSpent(api: Api): Promise<void> {
  for (let i = 0; i < 100; i++) if ((await api.get(ME)).status === 429) return;
  assert.fail('the day is not spent');
}

/** An account with everything that can be ended. A named key with the least scope made 92 reads, and its owner the rest. */
async function spentAccount(t: TestApp) {
  const owner = await t.createAccount();
  const { api } = owner;
  const { address } = (await expect(201, api.post('/v1/inbox', {}))).body;
  const url = 'https://hooks.example.com/';
  await expect(201, api.post('/v1/email/webhooks', { address, url, events: ['email.received'] }));
  await expect(201, api.post('/v1/webhooks', { url, events: ['charge.completed'] }));
  await publishKey(api, newSigningKey());
  await expect(201, api.post('/v1/programs', { name: 'Bounty', audience: 'https://bounty.example' }));
  await expect(201, api.post('/v1/stack', { domain: `${address.split('@')[0]}.example` }));
  await expect(200, api.put('/v1/budget', { caps: { daily: 5 }, on_limit: 'approve' }));
  await expect(202, api.post('/v1/charge', { amount: 10 }));
  const pod = await makePod(t, owner);
  const named = await expect(201, api.post('/v1/account/keys', { name: 'least', scopes: ['account:read'] }));
  const least = t.api(named.body.api_key);
  for (let i = 0; i < 92; i++) await least.get(ME);
  await readUntilSpent(api);
  return { ...owner, address, pod, least };
}

onEngines(
  'any',
  'N6: a named key with the scope account:read makes 92 reads, and the day is spent',
  { limits: LIMITS },
  (suite) => {
    it('N6: the owner still ends webhooks, signing keys, programs, stacks, the feed and addresses, rejects approvals, lists and ends pods, and deletes the account', async () => {
      const { api, address, pod } = await spentAccount(suite.t);
      const listed = async (path: string, of: string): Promise<{ id: string }[]> =>
        (await expect(200, api.get(path))).body[of];
      for (const path of ['/v1/email/webhooks', '/v1/webhooks'])
        for (const { id } of await listed(path, 'webhooks')) await expect(200, api.delete(`${path}/${id}`));
      assert.deepEqual(await listed('/v1/webhooks', 'webhooks'), []);
      const signing = (await expect(200, api.get('/v1/agents/signing-keys'))).body.keys;
      assert.equal(signing.length, 1);
      for (const { keyid } of signing) await expect(200, api.delete(`/v1/agents/signing-keys/${keyid}`));
      for (const { program_id: id } of (await expect(200, api.get('/v1/programs'))).body.programs)
        await expect(200, api.delete(`/v1/programs/${id}`));
      for (const { id } of await listed('/v1/stack', 'stacks')) await expect(200, api.delete(`/v1/stack/${id}`));
      const link = (await expect(200, api.get('/v1/calendar/feed'))).body;
      assert.notDeepEqual((await expect(200, api.post('/v1/calendar/feed/rotate'))).body, link);
      const [approval] = (await expect(200, api.get('/v1/approvals'))).body.approvals;
      await expect(200, api.post(`/v1/approvals/${approval.id}/reject`));
      await expect(200, api.get('/v1/email/addresses'));
      await expect(200, api.delete(`/v1/email/addresses/${address}`));
      assert.equal((await expect(200, api.get('/v1/pods'))).body.pods[0].pod_id, pod.podId);
      await expect(200, api.delete(`/v1/pods/${pod.podId}`));
      await expect(202, api.delete('/v1/account'));
    });

    it('N6: the owner still lowers and adds caps, and changes nothing else of the budget', async () => {
      const { api, least } = await spentAccount(suite.t);
      const lowered = await expect(200, api.put('/v1/budget', { caps: { daily: 4, monthly: 100 } }));
      assert.deepEqual(rateOf(lowered), [60, 59]);
      await expect(200, api.put('/v1/budget', { weekly: 50 }));
      const more: [string, object][] = [
        ['a cap that rises', { caps: { daily: 5 } }],
        ['a cap that goes', { caps: { daily: null } }],
        ['one that falls with one that rises', { caps: { daily: 3, monthly: 101 } }],
        ['another setting', { caps: { daily: 3 }, on_limit: 'reject' }],
        ['only another setting', { single_tx_limit_cents: 1 }],
      ];
      for (const [what, body] of more) {
        const { body: refused, headers } = await expect(429, api.put('/v1/budget', body));
        assert.equal(refused.quota.name, 'requests_per_day', what);
        assert.equal(headers.get('ratelimit-limit'), '100', what);
      }
      assert.equal((await least.put('/v1/budget', { caps: { daily: 1 } })).status, 403);
      suite.t.clock.advance(24 * HOUR_MS);
      const { caps, settings } = (await api.get('/v1/budget')).body;
      assert.deepEqual(
        [caps.daily.limit_usdc, caps.weekly.limit_usdc, caps.monthly.limit_usdc, settings.on_limit],
        [4, 50, 100, 'approve'],
      );
    });

    it('N6: refused changes of the budget count, so that they are bounded, too; the 61st says when the next hour begins', async () => {
      const { api } = await spentAccount(suite.t);
      for (let i = 0; i < 60; i++) await expect(429, api.put('/v1/budget', { caps: { daily: 6 } }));
      const { body, headers } = await expect(429, api.put('/v1/budget', { caps: { daily: 1 } }));
      assert.deepEqual(body.quota, { name: 'revocations_per_hour', used: 60, max: 60 });
      assert.ok(Number(headers.get('retry-after')) <= 3600);
    });

    it('N6: 120 reads an hour show what can be ended; then they count in the day, and use up no revoking', async () => {
      const { t } = suite;
      const { api, least } = await spentAccount(t);
      for (let left = 119; left >= 0; left--)
        assert.deepEqual(rateOf(await expect(200, api.get('/v1/account/keys'))), [120, left]);
      const { body } = await expect(429, api.get('/v1/account/keys'));
      assert.deepEqual([body.quota, body.window], [{ name: 'inspections_per_hour', used: 120, max: 120 }, 'hour']);
      assert.deepEqual(rateOf(await expect(404, api.delete('/v1/account/keys/key_none'))), [60, 59]);
      assert.deepEqual(rateOf(await expect(200, least.get('/v1/account/sessions'))), [120, 119]);
      t.clock.advance(24 * HOUR_MS);
      for (let i = 0; i < 120; i++) await api.get('/v1/account/keys');
      assert.deepEqual(rateOf(await expect(200, api.get('/v1/account/keys'))), [100, 99]);
    });

    it('N6: a credential takes away 60 things an hour, and those of another do not count', async () => {
      const { t } = suite;
      const { api, least } = await spentAccount(t);
      const { body } = await expect(200, api.post('/v1/auth/keys/rotate'));
      const renewed = t.api(body.api_key);
      for (let left = 59; left >= 0; left--)
        assert.deepEqual(rateOf(await expect(404, renewed.delete('/v1/webhooks/whk_none'))), [60, left]);
      const refused = (await expect(429, renewed.delete('/v1/stack/stk_none'))).body;
      assert.deepEqual(refused.quota, { name: 'revocations_per_hour', used: 60, max: 60 });
      await expect(200, renewed.get('/v1/webhooks'));
      assert.equal((await least.delete('/v1/account/keys/key_none')).status, 403);
    });
  },
);
