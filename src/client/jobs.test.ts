import assert from 'node:assert/strict';
import { it } from 'node:test';
import { onEngines } from '../../test/support/harness.ts';
import { SignetClient } from './signet-client.ts';
import { randomSeed } from './vault-seed.ts';

onEngines('any', 'the TypeScript client', {}, (suite) => {
  it('does an agent’s twelve jobs', async () => {
    const { t } = suite;
    const options = { baseUrl: t.baseUrl, seed: randomSeed() };
    const { client: signet, account } = await SignetClient.register(options, { name: 'jobs' });
    const start = new Date(t.clock.now() - 1000).toISOString();
    // Mail: send, list, read, answer, wait for a code.
    await signet.email.send({ to: account.email, subject: 'Sign in', text: 'Your verification code is 482913.' });
    const [mail] = (await signet.email.inbox()).messages;
    const id = mail?.message_id ?? '';
    assert.match((await signet.email.read({ id })).body, /482913/);
    await signet.email.reply({ id, text: 'Thank you.' });
    assert.equal((await signet.email.inbox({ q: 'Thank' })).messages[0]?.subject, 'Re: Sign in');
    assert.equal((await signet.email.waitForCode({ after: start }))?.code, '482913');
    // Secrets.
    await signet.vault.put('db-password', 'correct horse');
    assert.equal(await signet.vault.getText('db-password'), 'correct horse');
    // Money.
    await signet.budget.set({ daily: 5_000_000, on_limit: 'approve' });
    assert.equal((await signet.budget.charge({ amount: 3_000_000 })).status, 'completed');
    const asked = await signet.budget.charge({ amount: 3_000_000 });
    assert.ok(asked.status === 'approval_required');
    assert.equal((await signet.approvals.list()).approvals[0]?.id, asked.approval_id);
    await signet.approvals.approve({ id: asked.approval_id });
    assert.equal((await signet.approvals.get({ id: asked.approval_id })).status, 'approved');
    // Identity, calendar, notes, log.
    const issued = await signet.tokens.issue({ audience: 'https://api.example', scopes: ['orders:read'] });
    assert.equal(issued.token.split('.').length, 3);
    const [from, to] = ['2026-02-14T12:00:00Z', '2026-02-14T13:00:00Z'];
    const event = await signet.calendar.create({ summary: 'Plan', start: from, end: to });
    assert.equal((await signet.calendar.get({ id: event.id })).summary, 'Plan');
    await signet.observations.create({ topic: 'weather', content: 'Rain', shared: true });
    const actions = (await signet.audit.list()).entries.map(({ action }) => action);
    assert.ok(actions.includes('observation.created'));
    const types = (await signet.events.list()).events.map(({ type }) => type);
    assert.ok(types.includes('charge.completed'));
  });
});
