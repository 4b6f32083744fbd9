import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { mailed } from '../../../test/contract/samples/budgets.ts';
import { freshName } from '../../../test/contract/samples/sample.ts';
import { suspend } from '../../../test/support/agents.ts';
import { onBothDatabases, startTestApp } from '../../../test/support/harness.ts';
import { HOUR_MS } from '../../kernel/period.ts';

onBothDatabases('the text of an approval mail', {}, (suite) => {
  it('names the spender, the amount and the category, and turns no text of the agent into a link', async () => {
    const { t } = suite;
    const email = `${freshName('operator')}@example.com`;
    const { api, accountId } = await t.createAccount({ name: 'Buyer' });
    await api.post('/v1/account/operator-email', { email });
    await api.put('/v1/budget', { single_tx_limit_cents: 1, on_limit: 'approve' });
    await api.post('/v1/charge', {
      amount: 1_500_000,
      category: 'ads',
      description: 'https://evil.example, evil.example/x, 1.5',
    });
    const mails = (await t.outboxMails()).filter((text) => text.includes(email));
    assert.equal(mails.length, 1);
    const mail = (mails[0] as string).replace(/=\r?\n/g, '').replace(/=3D/g, '=');
    for (const part of [
      `Buyer (${accountId})`,
      '1.50 USDC',
      'Category: ads',
      'exceeds the limit for a single transaction',
    ])
      assert.ok(mail.includes(part), part);
    assert.ok(!mail.includes('https://evil') && !mail.includes('evil.example'));
    assert.ok(mail.includes('1.5'));
    const stored = await t.sql('select payload from jobs');
    assert.ok(!JSON.stringify(stored).includes('token'));
  });
});

const FEW = { approval_mails_per_email_per_hour: 2, approval_mails_per_email_per_day: 3 };
onBothDatabases('approval mails', { limits: FEW }, (suite) => {
  it('are limited per hour and per day for one address across accounts; further mails wait, and are dropped once decided', async () => {
    const { t } = suite;
    const email = `${freshName('victim')}@example.com`;
    for (let i = 0; i < 2; i++) {
      const { api } = await t.createAccount();
      await api.post('/v1/account/operator-email', { email });
      await api.put('/v1/budget', { daily: 1, on_limit: 'approve' });
      for (let n = 0; n < 3; n++) assert.equal((await api.post('/v1/charge', { amount: 2 })).status, 202);
    }
    const sent = async () => (await t.outboxMails()).filter((text) => text.includes(`To: ${email}`)).length;
    assert.equal(await sent(), 2);
    t.clock.advance(HOUR_MS + 1000);
    assert.equal(await sent(), 3);
    t.clock.advance(HOUR_MS + 1000);
    assert.equal(await sent(), 3);
  });

  it('400 invalid_token: a link decides nothing while the account is suspended', async () => {
    const { t } = suite;
    const { account, id, token } = await mailed(t);
    await suspend(t, account.accountId);
    const { status, body } = await t.api().post(`/v1/approvals/${id}/decide`, { token, decision: 'approve' });
    assert.deepEqual([status, body.error], [400, 'invalid_token']);
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
  for (const engine of ['sqlite', 'postgres'] as const) {
    it(`is sent again from the null sender with the same Message-ID [${engine}]`, async () => {
      const relay = await startDeferringRelay();
      const t = await startTestApp(engine, { env: { SMTP_RELAY_URL: relay.url } });
      try {
        const { api } = await t.createAccount();
        await api.post('/v1/account/operator-email', { email: 'operator@example.com' });
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
  }
});
