import assert from 'node:assert/strict';
import { it } from 'node:test';
import { onBothDatabases } from '../../../test/harness.ts';

onBothDatabases('smoke', {}, (suite) => {
  it('works', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    console.log((await api.get('/v1/budget')).text);
    console.log(
      (await api.put('/v1/budget', { caps: { daily: 100, weekly: 200 }, monthly: 300, on_limit: 'approve' })).text,
    );
    console.log((await api.post('/v1/charge', { amount: 60, category: 'x', metadata: { note: 'a' } })).text);
    const asked = await api.post('/v1/charge', { amount: 60 });
    console.log(asked.status, asked.text);
    console.log((await api.get('/v1/approvals')).text);
    console.log((await api.post(`/v1/approvals/${asked.body.approval_id}/approve`)).text);
    console.log((await api.post(`/v1/approvals/${asked.body.approval_id}/approve`)).text);
    console.log((await api.get('/v1/budget/history?limit=1')).text);
    console.log((await api.get('/v1/budget')).text);
    console.log((await api.get('/v1/events')).text);
    console.log(t.faults);
    assert.ok(true);
  });
});
