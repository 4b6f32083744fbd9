import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { confirmOperator, createAgent, openSession } from '../../../../test/support/agents.ts';
import { PAYEE } from '../../../../test/support/chain-node.ts';
import { startFacilitator } from '../../../../test/support/facilitator.ts';
import { onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { newWallet, payV1 } from '../../../../test/support/wallet.ts';
import { DAY_MS } from '../../../base/period.ts';

const facilitator = await startFacilitator();
after(() => facilitator.close());

const REVIEWS = '/v1/email/reviews';
const options = {
  limits: { free: { emails_per_day: 1 } },
  env: { X402_FACILITATOR_URL: facilitator.url, X402_RPC_URL: `${facilitator.url}rpc`, X402_PAY_TO: PAYEE },
};
const settled = () => facilitator.calls.filter(({ path }) => path === 'settle').length;

/** An agent that is over its limit, and whose mail an operator sees first. */
async function begin(t: TestApp) {
  const ada = await createAgent(t);
  const bob = await createAgent(t);
  const boss = `boss-${ada.accountId}@example.org`;
  await confirmOperator(t, ada, boss);
  const operator = await openSession(t, boss);
  const send = (subject: string, headers: Record<string, string> = {}) =>
    ada.api.post('/v1/email/send', { from: ada.address, to: bob.address, subject, text: 'Hi' }, headers);
  assert.equal((await send('free')).status, 201);
  await operator.put('/v1/email/policy', { outbound: { hold: 'always' } });
  const refusal = await send('over the limit');
  assert.equal(refusal.status, 402);
  return {
    ada,
    operator,
    send,
    pay: () => payV1(newWallet(), refusal, t.clock.now()),
    got: async (): Promise<string[]> =>
      (await bob.api.get(`/v1/inbox/${bob.address}`)).body.messages.map(({ subject }: { subject: string }) => subject),
    payments: async (): Promise<number> => (await ada.api.get('/v1/billing/payments')).body.count,
    outcome: async (id: string): Promise<string[]> => {
      const { messages } = (await ada.api.get('/v1/email/outbox')).body;
      const entry = messages.find((each: { id: string }) => each.id === id);
      return [entry.status, (entry.error ?? '').split(':')[0]];
    },
  };
}

onEngines('any', 'a payment that came with a held mail', options, (suite) => {
  it('is never taken for a mail that is rejected, withdrawn or expires, and may buy another', async () => {
    const { t } = suite;
    const { ada, operator, send, pay, got, payments, outcome } = await begin(t);
    const before = settled();
    const payment = await pay();
    const { review_id: id, id: sent } = (await send('rejected', payment)).body;
    assert.equal((await operator.post(`${REVIEWS}/${id}/reject`, {})).status, 200);
    await t.app.worker.runDue();
    assert.deepEqual(
      [settled() - before, await payments(), await outcome(sent)],
      [0, 0, ['failed', 'An operator rejected this mail.']],
    );
    const second = await send('second', payment);
    assert.equal((await ada.api.post(`${REVIEWS}/${second.body.review_id}/withdraw`)).status, 200);
    assert.deepEqual(await outcome(second.body.id), ['failed', 'withdrawn']);
    assert.equal((await send('third', payment)).status, 202);
    t.clock.advance(7 * DAY_MS);
    await t.app.worker.runDue();
    assert.deepEqual([settled() - before, await got()], [0, ['free']]);
    const reserved = 'select id from payments where account_id = ?';
    assert.deepEqual(await t.sql(reserved, ada.accountId), [], 'nothing is reserved any more');
  });

  it('whose time is over makes the released mail fail with payment_expired', async () => {
    const { t } = suite;
    const { operator, send, pay, got, payments, outcome } = await begin(t);
    const before = settled();
    const { review_id: id, id: sent } = (await send('late', await pay())).body;
    t.clock.advance(301_000);
    const approved = await operator.post(`${REVIEWS}/${id}/approve`, {});
    assert.deepEqual([approved.status, approved.body.error.split(':')[0]], [200, 'payment_expired']);
    await t.app.worker.runDue();
    assert.deepEqual([settled() - before, await payments(), await got()], [0, 0, ['free']]);
    assert.deepEqual(await outcome(sent), ['failed', 'payment_expired']);
  });
});

onEngines('both', 'a payment that came with a held mail', options, (suite) => {
  it('keeps its nonce while the mail waits, and is settled once, when the mail is released', async () => {
    const { t } = suite;
    const { operator, send, pay, got, payments } = await begin(t);
    const before = settled();
    const payment = await pay();
    const held = await send('held', payment);
    assert.equal(held.status, 202, held.text);
    assert.deepEqual((await send('held', payment)).text, held.text, 'a repeat of the same request is the same');
    const again = await send('another', payment);
    assert.deepEqual([again.status, again.body.error, again.body.reason], [402, 'payment_invalid', 'nonce_used']);
    await t.app.worker.runDue();
    assert.deepEqual([settled() - before, await payments(), await got()], [0, 0, ['free']]);
    const approve = () => operator.post(`${REVIEWS}/${held.body.review_id}/approve`, {});
    const replies = await Promise.all([approve(), approve(), approve()]);
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409, 409]);
    await t.app.worker.runDue();
    assert.deepEqual([settled() - before, await payments(), (await got()).sort()], [1, 1, ['free', 'held']]);
    assert.equal((await send('another', payment)).body.reason, 'nonce_used');
  });

  it('of several mails sent at once with it, holds one', async () => {
    const { t } = suite;
    const { send, pay } = await begin(t);
    const payment = await pay();
    const replies = await Promise.all(['a', 'b', 'c', 'd'].map((subject) => send(subject, payment)));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [202, 402, 402, 402]);
  });
});
