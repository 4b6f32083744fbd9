import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { mailed } from '../../../../test/contract/samples/budgets.ts';
import { freshName } from '../../../../test/contract/samples/sample.ts';
import { confirmOperator, createAgent, mailsTo, openSession, suspend } from '../../../../test/support/agents.ts';
import { onEngines, startTestApp } from '../../../../test/support/harness.ts';
import { readableMail } from '../../../../test/support/readable-mail.ts';
import { saidIn } from '../../../../test/support/refusal.ts';
import { DAY_MS, HOUR_MS } from '../../../base/period.ts';

/** So few that mails beyond wait. No other test here needs more. */
const FEW = { limits: { approval_mails_per_email_per_hour: 2, approval_mails_per_email_per_day: 3 } };

onEngines('any', 'the text of an approval mail', FEW, (suite) => {
  it('names the spender, the amount and the category, and turns no text of the agent into a link', async () => {
    const { t } = suite;
    const email = `${freshName('operator')}@example.com`;
    const { api, accountId } = await t.createAccount({ name: 'Buyer' });
    await confirmOperator(t, { api, accountId }, email);
    await api.put('/v1/budget', { single_tx_limit_cents: 1, on_limit: 'approve' });
    await api.post('/v1/charge', {
      amount: 1_500_000,
      category: 'ads',
      description: 'https://evil.example, evil.example/x, 1.5',
    });
    const mails = (await t.outboxMails()).filter((text) => text.includes(email) && text.includes('/approve#'));
    assert.equal(mails.length, 1);
    const mail = readableMail(mails[0] as string);
    for (const part of [
      `Account ${accountId} asks to spend 1.50 USDC`,
      'The agent calls itself: "Buyer"',
      'Category: "ads"',
      'exceeds the limit for a single transaction',
    ])
      assert.ok(mail.includes(part), part);
    assert.ok(!mail.includes('https://evil') && !mail.includes('evil.example'));
    assert.ok(mail.includes('1.5'));
    const stored = await t.sql('select payload from jobs');
    assert.ok(!JSON.stringify(stored).includes('token'));
  });
});

onEngines('both', 'M9: approval mails', FEW, (suite) => {
  it('are limited per hour for one address across accounts; one mail lists what came beyond, with a link for each', async () => {
    const { t } = suite;
    const email = `${freshName('victim')}@example.com`;
    const asked: string[] = [];
    for (let i = 0; i < 2; i++) {
      const account = await t.createAccount();
      await confirmOperator(t, account, email);
      await account.api.put('/v1/budget', { daily: 1, on_limit: 'approve' });
      for (let n = 0; n < 3; n++) {
        const charge = await account.api.post('/v1/charge', { amount: 2 });
        assert.equal(charge.status, 202);
        asked.push(charge.body.approval_id);
      }
    }
    const sent = async () => (await mailsTo(t, email)).filter((text) => text.includes('/approve#'));
    assert.equal((await sent()).length, 2);
    t.clock.advance(HOUR_MS + 1000);
    const mails = await sent();
    assert.equal(mails.length, 3, 'one digest, not four mails');
    const digest = mails.find((text) => text.includes('Subject: 4 requests wait for your decision')) as string;
    const links = [...digest.matchAll(/\/approve#id=(apr_\w{26})&token=([0-9A-Za-z]{32})/g)];
    assert.equal(links.length, 4);
    const all = mails.flatMap((text) => [...text.matchAll(/#id=(apr_\w{26})/g)].map((m) => m[1]));
    assert.deepEqual(all.toSorted(), asked.toSorted(), 'every request is in exactly one mail');
    const [, id, token] = links[0] as RegExpMatchArray;
    const decided = await t.api().post(`/v1/approvals/${id}/decide`, { token, decision: 'approve' });
    assert.equal(decided.status, 200);
    t.clock.advance(HOUR_MS + 1000);
    assert.equal((await sent()).length, 3);
  });

  it('are counted together with those about held mail, and one list holds the rest of both', async () => {
    const { t } = suite;
    const email = `${freshName('boss')}@example.com`;
    const agent = await createAgent(t);
    await confirmOperator(t, agent, email);
    const outbound = { hold: 'always' };
    assert.equal((await (await openSession(t, email)).put('/v1/email/policy', { outbound })).status, 200);
    await agent.api.put('/v1/budget', { daily: 1, on_limit: 'approve' });
    const mail = { from: agent.address, to: 'x@example.net', subject: 'Offer', text: 'Dear X' };
    const asked = [(await agent.api.post('/v1/charge', { amount: 2 })).body.approval_id];
    for (let n = 0; n < 3; n++) asked.push((await agent.api.post('/v1/email/send', mail)).body.review_id);
    const sent = async () => (await mailsTo(t, email)).filter((text) => /\/(approve|review)#id=/.test(text));
    assert.equal((await sent()).length, 2);
    t.clock.advance(HOUR_MS + 1000);
    const mails = await sent();
    assert.equal(mails.filter((text) => text.includes('Subject: 2 requests wait for your decision')).length, 1);
    const links = mails.flatMap((text) => [...text.matchAll(/#id=((?:apr|rev)_\w{26})&token=([0-9A-Za-z]{32})/g)]);
    assert.deepEqual(links.map(([, id]) => id).toSorted(), asked.toSorted(), 'every request is in exactly one mail');
    const [, review, token] = links.find(([, id]) => id === asked[3]) as RegExpMatchArray;
    const decided = await t.api().post(`/v1/email/reviews/${review}/decide`, { token, decision: 'approve' });
    assert.equal(decided.status, 200, decided.text);
  });
});

interface Attempt {
  sender: string;
  messageId: string | undefined;
}

/** A relay that takes a whole mail and defers it. */
async function startDeferringRelay(): Promise<{ url: string; attempts: Attempt[]; close(): void }> {
  const attempts: Attempt[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
      stream.on('end', () => {
        const messageId = /^message-id:\s*(\S+)/im.exec(Buffer.concat(chunks).toString())?.[1];
        attempts.push({ sender: envelope.mailFrom ? envelope.mailFrom.address : '', messageId });
        done(Object.assign(new Error('come again later'), { responseCode: 451 }));
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as { port: number };
  return { url: `smtp://127.0.0.1:${port}`, attempts, close: () => server.close() };
}

describe('an approval mail that the relay defers', () => {
  it('is sent again from the null sender with the same Message-ID', async () => {
    const relay = await startDeferringRelay();
    const t = await startTestApp('sqlite', { env: { SMTP_RELAY_URL: relay.url } });
    try {
      const account = await t.createAccount();
      const { api } = account;
      // No mail arrives here, so the test confirms the operator itself.
      await api.post('/v1/account/operator-email', { email: 'operator@example.com' });
      await t.app.worker.runDue();
      await t.sql('update people set confirmed_at = 1 where account_id = ?', account.accountId);
      await t.sql(`delete from jobs where kind = 'mail.confirm'`);
      relay.attempts.length = 0;
      await api.put('/v1/budget', { daily: 1, on_limit: 'approve' });
      assert.equal((await api.post('/v1/charge', { amount: 2 })).status, 202);
      for (let i = 0; i < 3; i++) {
        await t.app.worker.runDue();
        t.clock.advance(HOUR_MS);
      }
      const [first] = relay.attempts;
      assert.ok(first?.messageId);
      assert.deepEqual(
        relay.attempts,
        relay.attempts.map(() => ({ sender: '', messageId: first.messageId })),
      );
      assert.equal(relay.attempts.length, 3);
    } finally {
      await t.stop();
      relay.close();
    }
  });
});

onEngines('any', 'the link of an approval mail', FEW, (suite) => {
  it('400 invalid_token: a link decides nothing while the account is suspended', async () => {
    const { t } = suite;
    const { account, id, token } = await mailed(t);
    await suspend(t, account.accountId);
    const { status, body } = await t.api().post(`/v1/approvals/${id}/decide`, { token, decision: 'approve' });
    assert.deepEqual([status, body.error], [400, 'invalid_token']);
  });

  it('can be viewed again and again, decides once, and the decision is in the account’s audit log', async () => {
    const { t } = suite;
    const { account, id, token } = await mailed(t);
    for (let i = 0; i < 2; i++) {
      const seen = await t.api().post(`/v1/approvals/${id}/view`, { token });
      assert.deepEqual([seen.status, seen.body.status, seen.body.amount_usdc], [200, 'pending', 10]);
    }
    const decided = await t.api().post(`/v1/approvals/${id}/decide`, { token, decision: 'approve', reason: 'Go.' });
    assert.equal(decided.status, 200);
    assert.deepEqual([decided.body.resolved_by, decided.body.reason], ['mail_link', 'Go.']);
    assert.equal((await account.api.get('/v1/budget/history')).body.summary.total_usdc, 10);
    const again = await t.api().post(`/v1/approvals/${id}/decide`, { token, decision: 'reject' });
    assert.deepEqual([again.status, again.body.error], [409, 'already_resolved']);
    const audited = await t.sql(
      `select seq from audit_entries where account_id = ? and action = 'approval.decided'`,
      account.accountId,
    );
    assert.equal(audited.length, 1);
  });

  it('400 invalid_token: the token of another approval, a wrong token, a token mailed to a former operator', async () => {
    const { t } = suite;
    const [mine, other] = [await mailed(t), await mailed(t)];
    const decide = (id: string, token: string) =>
      t.api().post(`/v1/approvals/${id}/decide`, { token, decision: 'approve' });
    const wrong = await decide(mine.id, other.token);
    assert.deepEqual([wrong.status, wrong.body.error], [400, 'invalid_token']);
    assert.equal((await decide(mine.id, 'x'.repeat(32))).text, wrong.text);
    assert.equal((await decide('apr_00000000000000000000000000', mine.token)).text, wrong.text);
    assert.equal(saidIn(await t.api().post(`/v1/approvals/${mine.id}/view`, { token: other.token })), saidIn(wrong));
    const next = `${freshName('next')}@example.com`;
    await confirmOperator(t, mine.account, next);
    // The owner's key set the account up an hour ago, and the operator counts as old: only his own session or notice ends him.
    const removed = await (await openSession(t, mine.email)).delete(`/v1/account/operators/${mine.email}`);
    assert.deepEqual([removed.status, removed.body.status], [200, 'ended']);
    assert.equal((await decide(mine.id, mine.token)).text, wrong.text);
    assert.equal((await decide(other.id, other.token)).status, 200);
  });

  it('410 after the deadline', async () => {
    const { t } = suite;
    const { id, token } = await mailed(t);
    t.clock.advance(DAY_MS);
    const late = await t.api().post(`/v1/approvals/${id}/decide`, { token, decision: 'approve' });
    assert.deepEqual([late.status, late.body.error], [410, 'expired']);
    assert.equal((await t.api().post(`/v1/approvals/${id}/view`, { token })).body.status, 'expired');
  });
});
