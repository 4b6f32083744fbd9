import assert from 'node:assert/strict';
import { it } from 'node:test';
import { freshName } from '../../../../test/contract/samples/sample.ts';
import { createAgent, openSession, type TestAgent } from '../../../../test/support/agents.ts';
import { confirmAt, sessionOf } from '../../../../test/support/confirmed.ts';
import { delegate, tokenFor } from '../../../../test/support/delegations.ts';
import { type Api, onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { makePod, operatorSession } from '../../../../test/support/pods.ts';
import {
  addressPath,
  overturn,
  POLICY,
  PROFILE,
  set,
  settingsOf,
  setUp,
} from '../../../../test/support/thief-settings.ts';
import { DAY_MS, HOUR_MS } from '../../../base/period.ts';
import { purgeSettingChanges } from '../../service/settings/setting-history.ts';

const SECURE = '/v1/account/secure';
/** An owner who has set everything in the first hour, which is over. */
async function owning(t: TestApp): Promise<TestAgent & { before: Awaited<ReturnType<typeof settingsOf>> }> {
  const owner = await createAgent(t, { address: freshName('owner') });
  await setUp(owner.api, owner.address);
  t.clock.advance(HOUR_MS);
  return { ...owner, before: await settingsOf(owner.api, owner.address) };
}

async function secure(t: TestApp, api: Api, body: object = {}) {
  const reply = await api.post(SECURE, body);
  assert.equal(reply.status, 200, reply.text);
  const changes: { at: string; what: string; detail: string; count: number }[] = reply.body.recent_changes;
  return { api: t.api(reply.body.api_key), changes };
}

onEngines('any', 'N4: what a thief set, after secure', {}, (suite) => {
  it('N4: policy, retention, display name, caps and profile are again as the owner had set them', async () => {
    const { t } = suite;
    const owner = await owning(t);
    await overturn(t.api(owner.key), owner.address, { name: 'Your bank' });
    const { api, changes } = await secure(t, owner.api);
    assert.deepEqual(await settingsOf(api, owner.address), owner.before);
    const names = changes.map(({ what, detail }) => `${what} ${detail}`);
    const expected = [
      ...['to', 'allow', 'max_recipients_per_day'].map((field) => `mail_policy_restored outbound.${field}`),
      ...[`mail_policy_restored inbound.dangerous of ${owner.address}`, 'profile_restored unlisted'],
      ...['way_policy_restored webhook', 'way_policy_restored fetch'],
      ...[`address_restored retention_days of ${owner.address}`, 'budget_restored daily', 'budget_restored on_limit'],
    ];
    for (const name of expected) assert.ok(names.includes(name), `${name}: ${names}`);
    const [event] = (await api.get('/v1/events?type=account.secured')).body.events;
    assert.ok(event.data.reverted.includes('budget_restored daily'));
    // Nothing young is left, so a second call finds nothing.
    const again = await secure(t, api);
    assert.deepEqual(await settingsOf(again.api, owner.address), owner.before);
    assert.deepEqual(
      again.changes.filter(({ what }) => what.endsWith('_restored')),
      [],
    );
  });

  it('N4: what was never set before is unset again, and a lowered cap acts at once', async () => {
    const { t } = suite;
    const owner = await createAgent(t, { address: freshName('bare') });
    await set(owner.api, 'put', '/v1/budget', { daily: 5 });
    t.clock.advance(HOUR_MS);
    const before = await settingsOf(owner.api, owner.address);
    await overturn(t.api(owner.key), owner.address);
    assert.equal((await owner.api.post('/v1/charge', { amount: 6 })).status, 200);
    const { api } = await secure(t, owner.api);
    assert.deepEqual(await settingsOf(api, owner.address), before);
    assert.equal((await api.post('/v1/charge', { amount: 1 })).status, 402);
    const reached = (await api.get('/v1/events?type=budget.limit_reached')).body.events;
    assert.equal(reached.length, 1);
    const [row] = await t.sql('select inbound, outbound from mail_policies where address = ?', owner.address);
    assert.deepEqual([row?.inbound, row?.outbound], ['{}', '{}']);
  });

  it('N4: an operator’s values stand, and of both the last one by an operator returns', async () => {
    const { t } = suite;
    const owner = await createAgent(t, { address: freshName('operated') });
    await set(owner.api, 'put', '/v1/budget', { monthly: 50 });
    const email = `${freshName('operator')}@example.com`;
    const operator = await operatorSession(t, owner, email);
    t.clock.advance(HOUR_MS);
    const thief = t.api(owner.key);
    await set(thief, 'put', '/v1/budget', { daily: 1, monthly: 40, single_tx_limit_cents: 3 });
    await set(thief, 'put', POLICY, { outbound: { to: 'known' } });
    // The operator agrees to one value of the thief, without a change.
    await set(operator, 'put', '/v1/budget', { daily: 7, weekly: 20, single_tx_limit_cents: 3 });
    await set(operator, 'put', POLICY, { outbound: { to: 'list', allow: ['friend.example'] } });
    await set(thief, 'put', '/v1/budget', { daily: null });
    await set(thief, 'put', POLICY, { outbound: { allow: ['thief.example'] } });
    const { api } = await secure(t, owner.api);
    const after = await settingsOf(api, owner.address);
    assert.deepEqual(after.caps, { daily: 7, weekly: 20, monthly: 50 });
    assert.equal(after.limits.single_tx_limit_cents, 3);
    assert.deepEqual([after.policy.outbound.to, after.policy.outbound.allow], ['list', ['friend.example']]);
  });

  it('N4: a cap that the operators decide about and a key lowered is put back', async () => {
    const { t } = suite;
    const owner = await owning(t);
    const email = `${freshName('operator')}@example.com`;
    await confirmAt(t, owner.accountId, email, t.clock.now() - 30 * DAY_MS, 'operator');
    const operator = await openSession(t, email);
    await set(operator, 'put', '/v1/budget', { authority: 'operator', daily: 9 });
    await set(t.api(owner.key), 'put', '/v1/budget', { daily: 1 });
    const { api } = await secure(t, owner.api);
    const { caps, limits } = await settingsOf(api, owner.address);
    assert.deepEqual([caps.daily, limits.authority], [9, 'operator']);
  });

  it('N4: what an operator whom the thief named set goes, and so does what a young address set', async () => {
    const { t } = suite;
    const owner = await owning(t);
    const planted = await operatorSession(
      t,
      { ...owner, api: t.api(owner.key) },
      `${freshName('planted')}@example.com`,
    );
    const { api: young } = await sessionOf(t, owner, 0);
    await overturn(planted, owner.address);
    await set(young, 'patch', PROFILE, { description: 'Of the young address.' });
    const { api } = await secure(t, owner.api);
    assert.deepEqual(await settingsOf(api, owner.address), owner.before);
  });

  it('N4: what an operator set who was young then and is old now stands', async () => {
    const { t } = suite;
    const owner = await owning(t);
    const email = `${freshName('grown')}@example.com`;
    await operatorSession(t, owner, email);
    t.clock.advance(3 * DAY_MS);
    await set(owner.api, 'patch', PROFILE, { description: 'By a key.' });
    const operator = await openSession(t, email);
    await set(operator, 'put', '/v1/budget', { daily: 8 });
    await set(operator, 'patch', PROFILE, { description: 'By the operator.' });
    t.clock.advance(4 * DAY_MS);
    await set(owner.api, 'put', '/v1/budget', { daily: 1, weekly: 49 });
    const { api } = await secure(t, owner.api);
    const { caps, profile } = await settingsOf(api, owner.address);
    assert.deepEqual([caps.daily, caps.weekly, profile.description], [8, 50, 'By the operator.']);
  });

  it('N4: a session of an old address, and the first hour, count as old', async () => {
    const { t } = suite;
    const owner = await owning(t);
    const { api: session } = await sessionOf(t, owner);
    await set(session, 'put', '/v1/budget', { daily: 4 });
    const { api } = await secure(t, owner.api);
    const after = await settingsOf(api, owner.address);
    assert.deepEqual({ ...after, caps: { ...after.caps, daily: 5 } }, owner.before);
    assert.equal(after.caps.daily, 4);
  });

  it('N4: a value of 7 days stays, and a younger one in its place goes', async () => {
    const { t } = suite;
    const owner = await owning(t);
    await set(owner.api, 'put', '/v1/budget', { daily: 4, weekly: 40 });
    t.clock.advance(3 * DAY_MS);
    await set(owner.api, 'put', '/v1/budget', { daily: 3 });
    t.clock.advance(4 * DAY_MS);
    const first = await secure(t, owner.api);
    assert.deepEqual((await settingsOf(first.api, owner.address)).caps, { ...owner.before.caps, daily: 4, weekly: 40 });
  });

  it('N4: revert: false leaves everything and shows it; a later call takes it back', async () => {
    const { t } = suite;
    const owner = await owning(t);
    await overturn(t.api(owner.key), owner.address);
    const theirs = await settingsOf(owner.api, owner.address);
    const kept = await secure(t, owner.api, { revert: false });
    assert.deepEqual(await settingsOf(kept.api, owner.address), theirs);
    const shown = kept.changes.map(({ what }) => what);
    for (const what of ['mail_policy.changed', 'address.updated', 'budget.changed', 'profile.changed'])
      assert.ok(shown.includes(what), what);
    const { api } = await secure(t, kept.api);
    assert.deepEqual(await settingsOf(api, owner.address), owner.before);
  });

  it('N4: what a named key and a delegate set goes as well', async () => {
    const { t } = suite;
    const owner = await owning(t);
    const scopes = ['money:manage', 'mail:manage', 'identity:manage'];
    const named = (await owner.api.post('/v1/account/keys', { name: 'x', scopes })).body.api_key;
    await set(t.api(named), 'put', '/v1/budget', { daily: 1 });
    await set(t.api(named), 'patch', addressPath(owner.address), { retention_days: 1 });
    const stranger = await t.createAccount();
    const { id } = await delegate(t, owner.api, stranger, { scopes });
    const { access_token: token } = await tokenFor(t, stranger.key, id);
    await set(t.api(token), 'put', '/v1/budget', { weekly: 2 });
    await set(t.api(token), 'patch', PROFILE, { description: 'By a delegate.' });
    const { api } = await secure(t, owner.api);
    assert.deepEqual(await settingsOf(api, owner.address), owner.before);
  });

  it('N4: an address that the thief released comes back as the owner had set it', async () => {
    const { t } = suite;
    const owner = await owning(t);
    const thief = t.api(owner.key);
    await overturn(thief, owner.address);
    assert.equal((await thief.delete(addressPath(owner.address))).status, 200);
    const { api } = await secure(t, owner.api);
    assert.equal((await api.post('/v1/email/claim', { address: owner.address })).status, 201);
    assert.deepEqual(await settingsOf(api, owner.address), owner.before);
    const due = await t.sql(`select payload from jobs where kind = 'mailbox.retain'`);
    const [row] = await t.sql('select retention_since from addresses where address = ?', owner.address);
    const since = JSON.stringify({ address: owner.address, since: Number(row?.retention_since) });
    assert.ok(due.some(({ payload }) => payload === since));
  });

  it('N4: a pod whose key its platform replaces goes back as far as is recorded; the platform’s values stand', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const pod = await makePod(t, platform, { daily: 100 }, { name: 'Tenant' });
    const { address } = (await pod.api.post('/v1/email/claim', { address: freshName('pod') })).body;
    const before = await settingsOf(pod.api, address);
    await setUp(pod.api, address, { description: 'Former.', capabilities: ['x'], unlisted: true });
    t.clock.advance(8 * DAY_MS);
    await overturn(pod.api, address);
    await set(platform.api, 'patch', `/v1/pods/${pod.podId}`, { name: 'Renamed', spending_caps: { daily: 60 } });
    t.clock.advance(20 * DAY_MS);
    const replaced = await platform.api.post(`/v1/pods/${pod.podId}/keys`);
    assert.equal(replaced.status, 201, replaced.text);
    const api = t.api(replaced.body.api_key);
    const after = await settingsOf(api, address);
    assert.deepEqual(after, { ...before, profile: { ...before.profile, name: 'Renamed' } });
    assert.equal((await api.get('/v1/budget')).body.spending_caps.daily.limit_usdc, 60);
  });
});

onEngines('both', 'N4: what a thief set, after secure', {}, (suite) => {
  it('N4: changes without end neither fill the disk nor push out what stood before', async () => {
    const { t } = suite;
    const owner = await owning(t);
    const operator = await operatorSession(t, owner, `${freshName('late')}@example.com`);
    await set(operator, 'put', '/v1/budget', { weekly: 33 });
    t.clock.advance(DAY_MS);
    const thief = t.api(owner.key);
    const long = (n: number): string[] =>
      Array.from({ length: 900 }, (_, i) => `n${n}-${i}.${`${'x'.repeat(60)}.`.repeat(3)}example`);
    for (let n = 0; n < 40; n++) {
      t.clock.advance(1000);
      await set(thief, 'put', '/v1/budget', { daily: 100 + (n % 2), weekly: 200 + n });
      await set(thief, 'put', POLICY, { outbound: { allow: long(n) } });
    }
    const rows = await t.sql(
      'select changes from setting_changes where account_id = ? order by setting',
      owner.accountId,
    );
    const sizes = rows.map(({ changes }) => String(changes).length);
    assert.ok(Math.max(...sizes) < 600_000, `${sizes}`);
    const { api } = await secure(t, owner.api);
    assert.deepEqual(await settingsOf(api, owner.address), owner.before);
    t.clock.advance(31 * DAY_MS);
    await t.app.database.transaction((tx) => purgeSettingChanges(tx, t.clock.now()));
    const left = 'select setting from setting_changes where account_id = ?';
    assert.deepEqual(await t.sql(left, owner.accountId), []);
  });
});
