import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { freshName } from '../../../../test/contract/samples/sample.ts';
import { createAgent } from '../../../../test/support/agents.ts';
import { delegate } from '../../../../test/support/delegations.ts';
import { type Api, onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { DAY_MS } from '../../../base/period.ts';
import { type ChangeRow, rowsOfChanges } from './change-rows.ts';

const HOOK = { url: 'http://127.0.0.1:9/hook', events: ['email.received'] };

async function changesShown(api: Api): Promise<(Omit<ChangeRow, 'at'> & { at: string })[]> {
  const { status, text, body } = await api.post('/v1/account/secure', { revert: false });
  assert.equal(status, 200, text);
  return body.recent_changes;
}

/** Writes audit entries into a chain, `count` of each action, a millisecond apart from `at` on. */
async function fill(t: TestApp, accountId: string, action: string, count: number, at: number, isShown = true) {
  const [head] = await t.sql('select last_seq from audit_chains where account_id = ?', accountId);
  const seq = Number(head?.last_seq);
  const entry = JSON.stringify({ action, actor: 'thief', resource_id: 'res', result: 'success' });
  await t.sql(
    `insert into audit_entries (account_id, seq, entry, action, created_at, changed_at, prev_hash, hash)
     with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})
     select '${accountId}', ${seq} + i, '${entry}', '${action}', ${at} + i, ${isShown ? `${at} + i` : 'null'}, '', '' from n`,
  );
  await t.sql('update audit_chains set last_seq = ? where account_id = ?', seq + count, accountId);
}

onEngines('any', 'N4: what `secure` shows', {}, (suite) => {
  it('N4: 205 changes of the budget are one row with a count, and hide no webhook', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const hook = await api.post('/v1/webhooks', HOOK);
    assert.equal(hook.status, 201, hook.text);
    for (let n = 0; n < 205; n++) {
      t.clock.advance(1);
      assert.equal((await api.put('/v1/budget', { daily: 1 + n })).status, 200);
    }
    const latest = new Date(t.clock.now()).toISOString();
    const changes = await changesShown(api);
    const budget = changes.filter(({ what }) => what === 'budget.changed');
    assert.deepEqual(
      budget.map(({ count, at }) => [count, at]),
      [[205, latest]],
    );
    const planted = changes.filter(({ what }) => what === 'webhook.created');
    assert.deepEqual(
      planted.map(({ count, detail }) => [count, detail.split(' ')[0]]),
      [[1, hook.body.id]],
    );
  });

  it('N4: policy, retention, display name, profile, programs, caps, stacks and delegations are in it', async () => {
    const { t } = suite;
    const { api, address, accountId } = await createAgent(t, { address: freshName('shown') });
    const other = await t.createAccount();
    const path = `/v1/email/addresses/${address}`;
    const program = (await api.post('/v1/programs', { name: 'p', audience: 'https://bounty.example' })).body;
    const stack = (await api.post('/v1/stack', { domain: `${freshName('stack')}.example` })).body;
    const { id } = await delegate(t, api, other, { scopes: ['mail:read'] });
    const replies = [
      await api.put('/v1/email/policy', { outbound: { to: 'known' } }),
      await api.put(`/v1/email/policy?address=${address}`, { inbound: { from: 'list' } }),
      await api.patch(path, { retention_days: 2 }),
      await api.patch(path, { display_name: 'x' }),
      await api.patch('/v1/agents/profile', { description: 'x' }),
      await api.put('/v1/budget', { daily: 5 }),
      await api.delete(`/v1/delegations/${id}`),
      await api.delete(`/v1/programs/${program.program_id}`),
    ];
    for (const { status, text } of replies) assert.ok(status < 300, text);
    const shown = (await changesShown(api)).map(({ what, detail, count }) => [what, detail.split(' ')[0], count]);
    for (const expected of [
      ['mail_policy.changed', accountId, 1],
      ['mail_policy.changed', address, 1],
      ['address.updated', address, 2],
      ['profile.changed', accountId, 1],
      ['budget.changed', accountId, 1],
      ['program.created', program.program_id, 1],
      ['program.ended', program.program_id, 1],
      ['stack.created', stack.id, 1],
      ['delegation.created', id, 1],
      ['delegation.ended', id, 1],
    ])
      assert.ok(
        shown.some((row) => JSON.stringify(row) === JSON.stringify(expected)),
        `${expected}: ${JSON.stringify(shown)}`,
      );
  });

  it('N4: what is older than 30 days is not in it', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    assert.equal((await api.post('/v1/webhooks', HOOK)).status, 201);
    t.clock.advance(30 * DAY_MS + 1);
    assert.deepEqual(await changesShown(api), []);
  });
});

onEngines('both', 'N4: what `secure` shows', {}, (suite) => {
  it('N4: no number of other entries hides a kind of change, and none is read for them', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    const began = t.clock.now();
    assert.equal((await api.post('/v1/webhooks', HOOK)).status, 201);
    await fill(t, accountId, 'charge.made', 6000, began, false);
    await fill(t, accountId, 'grant.created', 2, began + 10_000);
    await fill(t, accountId, 'budget.changed', 20_000, began + 20_000);
    await fill(t, accountId, 'profile.changed', 1, began + 50_000);
    t.clock.advance(60_000);
    const changes = await changesShown(api);
    const kinds = new Map(changes.map(({ what }) => [what, changes.filter((one) => one.what === what)]));
    const sum = (what: string): number => (kinds.get(what) ?? []).reduce((total, { count }) => total + count, 0);
    assert.deepEqual(
      ['webhook.created', 'grant.created', 'budget.changed', 'profile.changed', 'charge.made'].map(sum),
      [1, 2, 20_000, 1, 0],
    );
    assert.ok(changes.length < 20, `${changes.length}`);
  });
});

describe('N4: the rows of recent changes', () => {
  const made = (what: string, n: number, at = n) => ({ at, what, detail: `${n}` });

  it('equal changes are one row, as of the latest', () => {
    const rows = rowsOfChanges([made('a', 1, 5), made('b', 1, 9), { ...made('a', 1, 7), count: 3 }, made('a', 2, 1)]);
    assert.deepEqual(rows, [
      { at: 9, what: 'b', detail: '1', count: 1 },
      { at: 7, what: 'a', detail: '1', count: 4 },
      { at: 1, what: 'a', detail: '2', count: 1 },
    ]);
  });

  it('60 kinds fit, however often each was made; only those with many rows are cut', () => {
    const many = Array.from({ length: 300 }, (_, n) => made('webhook.created', n, 1000 + n));
    const others = Array.from({ length: 59 }, (_, n) => made(`kind${n}`, n));
    const rows = rowsOfChanges([...others, ...many]);
    assert.equal(rows.length, 200);
    assert.equal(new Set(rows.map(({ what }) => what)).size, 60);
    const shown = rows.filter(({ what }) => what === 'webhook.created');
    assert.deepEqual(shown.at(0), { at: 1299, what: 'webhook.created', detail: '299', count: 1 });
    assert.deepEqual(shown.at(-1), { at: 1159, what: 'webhook.created', detail: '159, and others', count: 160 });
    const flood = others.flatMap(({ what }) => Array.from({ length: 100 }, (_, n) => made(what, n)));
    assert.equal(new Set(rowsOfChanges(flood).map(({ what }) => what)).size, 59);
    assert.ok(rowsOfChanges(flood).length <= 200);
  });
});
