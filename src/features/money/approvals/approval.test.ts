import assert from 'node:assert/strict';
import { it } from 'node:test';
import { approvalLinkIn, asked } from '../../../../test/contract/samples/budgets.ts';
import { freshName } from '../../../../test/contract/samples/sample.ts';
import { confirmationFor, confirmOperator } from '../../../../test/support/agents.ts';
import { onEngines, type TestAccount } from '../../../../test/support/harness.ts';
import { operatorSession } from '../../../../test/support/pods.ts';
import { DAY_MS } from '../../../base/period.ts';

const typesOf = async ({ api }: TestAccount): Promise<string[]> =>
  (await api.get('/v1/events')).body.events.map(({ type }: { type: string }) => type);

onEngines('any', 'approvals', {}, (suite) => {
  it('approve: 200, the charge is recorded beyond the cap and names the approval', async () => {
    const { account, id } = await asked(suite.t);
    const { api } = account;
    const { status, body } = await api.post(`/v1/approvals/${id}/approve`);
    assert.equal(status, 200);
    const { charge_id: chargeId, amount_usdc_display: _, ...rest } = body;
    assert.deepEqual(rest, {
      ok: true,
      id,
      approval_id: id,
      status: 'approved',
      amount_usdc: 10,
      category: 'platform',
      description: 'Ten of five',
      reason: null,
      resolved_at: '2026-01-14T12:00:00.000Z',
      resolved_by: 'api_key',
    });
    const budget = (await api.get('/v1/budget')).body;
    assert.deepEqual([budget.caps.daily.spent_usdc, budget.caps.daily.remaining_usdc], [10, 0]);
    assert.equal(budget.status, 'limit_reached');
    const [entry] = (await api.get('/v1/budget/history')).body.entries;
    assert.deepEqual([entry.id, entry.approval_id], [chargeId, id]);
    assert.deepEqual(await typesOf(account), [
      'approval.requested',
      'charge.completed',
      'budget.limit_reached',
      'approval.resolved',
    ]);
  });

  it('reject: 200 with the reason, and nothing is recorded', async () => {
    const { account, id } = await asked(suite.t);
    const { status, body } = await account.api.post(`/v1/approvals/${id}/reject`, { reason: 'Too much.' });
    assert.equal(status, 200);
    assert.deepEqual([body.status, body.reason, body.charge_id], ['rejected', 'Too much.', null]);
    assert.equal((await account.api.get('/v1/budget/history')).body.summary.count, 0);
    const shown = (await account.api.get(`/v1/approvals/${id}`)).body;
    assert.deepEqual([shown.status, shown.reason, shown.resolved_by], ['rejected', 'Too much.', 'api_key']);
    assert.deepEqual(await typesOf(account), ['approval.requested', 'approval.resolved']);
  });

  it('409 already_resolved for a second decision; the same 404 for another account’s approval and for an unknown id', async () => {
    const { t } = suite;
    const { account, id } = await asked(t);
    await account.api.post(`/v1/approvals/${id}/reject`);
    for (const verb of ['approve', 'reject']) {
      const again = await account.api.post(`/v1/approvals/${id}/${verb}`);
      assert.deepEqual([again.status, again.body.error, again.body.status], [409, 'already_resolved', 'rejected']);
    }
    const stranger = (await t.createAccount()).api;
    const missing = 'apr_00000000000000000000000000';
    for (const suffix of ['', '/approve', '/reject']) {
      const ask = (of: string) =>
        suffix === '' ? stranger.get(`/v1/approvals/${of}`) : stranger.post(`/v1/approvals/${of}${suffix}`);
      const [theirs, none, odd] = [await ask(id), await ask(missing), await ask('nonsense')];
      assert.equal(theirs.status, 404);
      assert.deepEqual([theirs.text, odd.text], [none.text, none.text]);
    }
  });

  it('410 expired from the deadline on; a read marks the approval and appends one event', async () => {
    const { t } = suite;
    const { account, id } = await asked(t);
    t.clock.advance(DAY_MS - 1);
    assert.equal((await account.api.get(`/v1/approvals/${id}`)).body.status, 'pending');
    t.clock.advance(1);
    for (const verb of ['approve', 'reject']) {
      const late = await account.api.post(`/v1/approvals/${id}/${verb}`);
      assert.deepEqual([late.status, late.body.error], [410, 'expired']);
    }
    const list = (await account.api.get('/v1/approvals?status=expired')).body;
    assert.deepEqual([list.count, list.approvals[0].status, list.approvals[0].resolved_by], [1, 'expired', null]);
    assert.equal((await account.api.get('/v1/approvals')).body.count, 0);
    assert.equal((await account.api.post(`/v1/approvals/${id}/approve`)).status, 410);
    await t.app.worker.runDue();
    assert.deepEqual(await typesOf(account), ['approval.requested', 'approval.resolved']);
  });
});

onEngines('both', 'approvals: what the database decides', {}, (suite) => {
  it('an approval expires without a read, with its event and its audit entry', async () => {
    const { t } = suite;
    const { account, id } = await asked(t);
    t.clock.advance(DAY_MS);
    await t.app.worker.runDue();
    assert.deepEqual(await typesOf(account), ['approval.requested', 'approval.resolved']);
    const { entries } = (await account.api.get('/v1/audit?action=approval.expired')).body;
    assert.deepEqual([entries.length, entries[0].actor.kind, entries[0].resource_id], [1, 'service', id]);
  });

  it('the list shows pending approvals by default, newest first, in pages', async () => {
    const { t } = suite;
    const { account } = await asked(t);
    const { api } = account;
    for (let i = 0; i < 4; i++) {
      t.clock.advance(1);
      await api.post('/v1/charge', { amount: 10 + i });
    }
    const ids: string[] = [];
    for (let cursor = ''; ; ) {
      const page = (await api.get(`/v1/approvals?limit=2${cursor}`)).body;
      assert.equal(page.status_filter, 'pending');
      assert.equal(page.agent_id, account.accountId);
      ids.push(...page.approvals.map(({ id }: { id: string }) => id));
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    assert.equal(ids.length, 5);
    assert.deepEqual(ids, ids.toSorted().toReversed());
    await api.post(`/v1/approvals/${ids[0]}/reject`);
    assert.equal((await api.get('/v1/approvals')).body.count, 4);
    assert.equal((await api.get('/v1/approvals?status=rejected')).body.count, 1);
    assert.equal((await api.get('/v1/approvals?status=all')).body.count, 5);
    assert.equal((await api.get('/v1/approvals?status=open')).status, 400);
  });

  it('20 times: two approvals, a rejection and the expiry at once have one outcome, and the ledger agrees', async () => {
    const { t } = suite;
    for (let round = 0; round < 20; round++) {
      const { account, id } = await asked(t);
      const { api } = account;
      // In half of the rounds the approval is also overdue.
      if (round % 2) await t.sql('update approvals set expires_at = ? where id = ?', t.clock.now(), id);
      const replies = await Promise.all([
        api.post(`/v1/approvals/${id}/approve`),
        api.post(`/v1/approvals/${id}/approve`),
        api.post(`/v1/approvals/${id}/reject`),
        api.get(`/v1/approvals/${id}`),
      ]);
      const won = replies.slice(0, 3).filter(({ status }) => status === 200);
      assert.equal(won.length, round % 2 ? 0 : 1, replies.map(({ text }) => text).join('\n'));
      const lost = replies.slice(0, 3).filter(({ status }) => status !== 200);
      assert.ok(lost.every(({ status }) => status === (round % 2 ? 410 : 409)));
      const { status } = (await api.get(`/v1/approvals/${id}`)).body;
      assert.equal(status, won[0]?.body.status ?? 'expired');
      assert.equal((await api.get('/v1/budget/history')).body.summary.total_usdc, status === 'approved' ? 10 : 0);
      assert.equal((await typesOf(account)).filter((type) => type === 'approval.resolved').length, 1);
    }
  });
});

onEngines('any', 'authority: operator', {}, (suite) => {
  async function handedOver() {
    const { t } = suite;
    const email = `${freshName('operator')}@example.com`;
    const account = await t.createAccount();
    const operator = await operatorSession(t, account, email);
    const given = { authority: 'operator', daily: 100, weekly: 200, single_tx_limit_cents: 50, on_limit: 'approve' };
    const set = await account.api.put('/v1/budget', given);
    assert.deepEqual([set.status, set.body.settings.authority], [200, 'operator']);
    return { account, operator, email };
  }

  it('409 operator_email_required while the account has no operator', async () => {
    const { api } = await suite.t.createAccount();
    const refused = await api.put('/v1/budget', { authority: 'operator', daily: 5 });
    assert.deepEqual([refused.status, refused.body.error], [409, 'operator_email_required']);
    assert.equal((await api.get('/v1/budget')).body.caps.daily, null);
  });

  it('a stolen named key cannot take the authority from the primary key', async () => {
    const { t } = suite;
    const { api, ...rest } = await t.createAccount();
    await operatorSession(t, { api, ...rest }, `${freshName('operator')}@example.com`);
    const { api_key } = (await api.post('/v1/account/keys', { name: 'caps', scopes: ['money:manage'] })).body;
    const refused = await t.api(api_key).put('/v1/budget', { authority: 'operator' });
    assert.deepEqual([refused.status, refused.body.error], [403, 'insufficient_scope']);
    assert.equal((await t.api(api_key).put('/v1/budget', { daily: 5, authority: 'account' })).status, 200);
  });

  it('403 operator_required when the agent raises or removes a limit or sets authority back; the operator may', async () => {
    const { account, operator } = await handedOver();
    for (const change of [
      { daily: 101 },
      { daily: null },
      { caps: { weekly: 201 } },
      { single_tx_limit_cents: 51 },
      { single_tx_limit_cents: null },
      { authority: 'account' },
      { daily: 90, authority: 'account' },
    ]) {
      const refused = await account.api.put('/v1/budget', change);
      assert.deepEqual([refused.status, refused.body.error], [403, 'operator_required'], JSON.stringify(change));
    }
    assert.equal((await account.api.get('/v1/budget')).body.caps.daily.limit_usdc, 100);
    assert.equal((await account.api.put('/v1/budget', { daily: 90, monthly: 900 })).status, 200, 'tighter is fine');
    assert.equal((await operator.put('/v1/budget', { daily: 120 })).status, 200);
    assert.equal((await operator.put('/v1/budget', { authority: 'account' })).status, 200);
    assert.equal((await account.api.put('/v1/budget', { daily: 150 })).status, 200);
  });

  it('403 operator_required when the agent approves; it may reject; the operator may do both by session and by link', async () => {
    const { t } = suite;
    const { account, operator, email } = await handedOver();
    const ask = async (): Promise<string> => (await account.api.post('/v1/charge', { amount: 60 })).body.approval_id;
    const first = await ask();
    const refused = await account.api.post(`/v1/approvals/${first}/approve`);
    assert.deepEqual([refused.status, refused.body.error], [403, 'operator_required']);
    const approved = await operator.post(`/v1/approvals/${first}/approve`);
    assert.deepEqual([approved.status, approved.body.resolved_by], [200, 'session']);
    const decidedBy = async (id: string) => (await account.api.get(`/v1/approvals/${id}`)).body.decided_by;
    assert.equal(await decidedBy(first), 'operator', 'B: the agent is not named as who decided');
    const second = await ask();
    assert.equal(await decidedBy(second), null);
    assert.equal((await account.api.post(`/v1/approvals/${second}/reject`)).status, 200);
    assert.equal(await decidedBy(second), 'account');
    const third = await ask();
    const mails = (await t.outboxMails()).filter((text) => text.includes(email) && text.includes('/approve#'));
    const link = mails.map(approvalLinkIn).find(({ id }) => id === third);
    const decided = await t.api().post(`/v1/approvals/${third}/decide`, { token: link?.token, decision: 'approve' });
    assert.equal(decided.status, 200);
    assert.equal(await decidedBy(third), 'operator');
  });

  it('403 operator_required when the agent changes an address that would make it the operator; the operator may', async () => {
    const { account, operator } = await handedOver();
    for (const path of ['/v1/account/operator-email', '/v1/account/recovery-email']) {
      const refused = await account.api.post(path, { email: 'agent@evil.example' });
      assert.deepEqual([refused.status, refused.body.error], [403, 'operator_required'], path);
    }
    const me = (await account.api.get('/v1/account/me')).body;
    assert.equal(me.recovery_email, null);
    assert.equal((await operator.post('/v1/account/recovery-email', { email: 'desk@example.com' })).status, 200);
  });
});

onEngines('both', 'authority: operator: what the database decides', {}, (suite) => {
  it('20 times: of the operator taking authority and the agent naming itself operator at once, never both succeed', async () => {
    const { t } = suite;
    for (let round = 0; round < 20; round++) {
      const account = await t.createAccount();
      const { api } = account;
      await confirmOperator(t, account, 'desk@example.com');
      const evil = `agent-${round}@evil.example`;
      const [over, self] = await Promise.all([
        api.put('/v1/budget', { authority: 'operator' }),
        api.post('/v1/account/operator-email', { email: evil }),
      ]);
      assert.equal(over.status, 200);
      assert.equal((await api.post('/v1/account/operator-email', { email: 'again@evil.example' })).status, 403);
      if (self.status === 403) continue;
      // Named in time, and still not let in: the operators decide who joins them.
      const token = await confirmationFor(t, account.accountId, evil);
      const confirmed = await t.api().post('/v1/people/confirm', { token, decision: 'confirm' });
      assert.deepEqual([confirmed.status, confirmed.body.error], [403, 'operator_required']);
    }
  });
});
