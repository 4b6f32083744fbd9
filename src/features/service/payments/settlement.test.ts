import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type Buyer, WARES, type Ware } from '../../../../test/support/buyer.ts';
import { nodeWith, PAYEE } from '../../../../test/support/chain-node.ts';
import { type FacilitatorAnswer, startFacilitator } from '../../../../test/support/facilitator.ts';
import { freePort } from '../../../../test/support/free-port.ts';
import type { ApiReply, TestApp } from '../../../../test/support/harness.ts';
import { createApi, onEngines, type Suite, startTestApp } from '../../../../test/support/harness.ts';
import { decode, newWallet, payV1, payV2 } from '../../../../test/support/wallet.ts';
import { DAY_MS } from '../../../base/period.ts';
import { waitForReceipt } from './settlement-job.ts';

const facilitator = await startFacilitator();
after(() => facilitator.close());

const MAIL = WARES[0] as Ware;
const FREE = 1;
const VALID = (): FacilitatorAnswer => ({ body: { isValid: true } });
const SETTLED = (): FacilitatorAnswer => ({ body: { success: true, transaction: '0xabc', network: 'base' } });
const failing = (errorReason: string) => (): FacilitatorAnswer => ({ body: { success: false, errorReason } });
const calls = (path: string, nonce: string) =>
  facilitator.calls.filter(
    ({ path: at, body }) => at === path && body.paymentPayload.payload.authorization.nonce === nonce,
  );

const receiptOf = ({ headers }: ApiReply) => decode(headers.get('payment-response'));
const nonceOf = (payment: Record<string, string>): string =>
  decode(Object.values(payment)[0] as string).payload.authorization.nonce;
const newest = async ({ api }: Buyer) => (await api.get('/v1/billing/payments')).body.payments[0];
const eventTypes = async ({ api }: Buyer): Promise<string[]> =>
  (await api.get('/v1/events')).body.events.map(({ type }: { type: string }) => type);

const options = {
  limits: { free: { emails_per_day: FREE } },
  env: { X402_FACILITATOR_URL: facilitator.url, X402_RPC_URL: `${facilitator.url}rpc`, X402_PAY_TO: PAYEE },
};

const paying = (suite: Suite) => {
  /** Prepares a buyer who got the 402, and sets the facilitator's answers. */
  async function begin(answers: Partial<typeof facilitator.answer> = {}) {
    const { t } = suite;
    const buyer = await MAIL.prepare(t, FREE);
    const refusal = await buyer.buy();
    Object.assign(facilitator.answer, { verify: VALID, settle: SETTLED, ...answers });
    const pay = (by = buyer.wallet) => payV1(by, refusal, t.clock.now());
    return { t, buyer, refusal, pay };
  }

  /** Moves the clock and runs the jobs that are due. */
  async function wait(t: TestApp, ms: number): Promise<void> {
    t.clock.advance(ms);
    await t.app.worker.runDue();
  }
  return { begin, wait };
};

onEngines('any', 'a payment with a facilitator', options, (suite) => {
  const { begin, wait } = paying(suite);

  it('is not asked about when it is only tried, and the payment then buys for real', async () => {
    const { buyer, pay } = await begin();
    const payment = await pay();
    const tried = await buyer.buy({ ...payment, 'signet-dry-run': 'true' });
    assert.deepEqual([tried.status, tried.body.depends_on], [201, ['facilitator']], tried.text);
    assert.deepEqual([tried.headers.get('payment-response'), await newest(buyer)], [null, undefined]);
    const unpaid = await buyer.buy({ 'signet-dry-run': 'true' });
    assert.deepEqual([unpaid.status, unpaid.body.error], [402, 'payment_required']);
    assert.deepEqual([calls('verify', nonceOf(payment)), calls('settle', nonceOf(payment))], [[], []]);
    assert.equal((await buyer.buy(payment)).status, 201);
    assert.equal(calls('verify', nonceOf(payment)).length, 1);
  });

  it('is verified, delivered and settled; the reply, the list and an event name the transaction', async () => {
    const { t, buyer, refusal } = await begin();
    for (const [version, payment] of [
      [1, await payV1(buyer.wallet, refusal, t.clock.now())],
      [2, await payV2(buyer.wallet, refusal, t.clock.now())],
    ] as const) {
      const reply = await buyer.buy(payment as Record<string, string>, version);
      assert.equal(reply.status, 201);
      const payer = buyer.wallet.address.toLowerCase();
      const receipt = { success: true, transaction: '0xabc', network: 'eip155:8453', payer };
      assert.deepEqual(receiptOf(reply), receipt);
      assert.deepEqual(decode(reply.headers.get('x-payment-response')), { ...receipt, network: 'base' });
      const nonce = nonceOf(payment as Record<string, string>);
      const [[verified], [settled]] = [calls('verify', nonce), calls('settle', nonce)];
      assert.deepEqual([calls('verify', nonce).length, calls('settle', nonce).length], [1, 1]);
      assert.deepEqual(verified?.body, settled?.body);
      assert.equal(settled?.body.x402Version, version);
      const { status, transaction } = await newest(buyer);
      assert.deepEqual([status, transaction], ['settled', '0xabc']);
    }
    assert.equal((await eventTypes(buyer)).filter((type) => type === 'payment.settled').length, 2);
    assert.equal((await buyer.api.get('/v1/billing')).body.x402.settlement, 'facilitator');
  });

  it('sends only checked fields to the facilitator', async () => {
    const { buyer, refusal, t } = await begin();
    const payment = await payV2(buyer.wallet, refusal, t.clock.now());
    const full = decode(payment['payment-signature']);
    const padded = { ...full, extensions: { evil: 1 }, payload: { ...full.payload, more: 'x' } };
    padded.accepted = { ...padded.accepted, extra: { name: 'Other', version: '9' } };
    const header = Buffer.from(JSON.stringify(padded)).toString('base64');
    assert.equal((await buyer.buy({ 'payment-signature': header })).status, 201);
    const { paymentPayload } = calls('settle', full.payload.authorization.nonce)[0]?.body ?? {};
    assert.deepEqual(Object.keys(paymentPayload).sort(), ['accepted', 'payload', 'resource', 'x402Version']);
    assert.deepEqual(Object.keys(paymentPayload.payload).sort(), ['authorization', 'signature']);
    assert.deepEqual(paymentPayload.accepted.extra, { name: 'USD Coin', version: '2' });
  });

  it('402 payment_invalid facilitator_refused with its reason; nothing is delivered or settled', async () => {
    const verify = (): FacilitatorAnswer => ({
      status: 400,
      body: { isValid: false, invalidReason: 'insufficient_funds' },
    });
    const { buyer, pay } = await begin({ verify });
    const payment = await pay();
    const { status, body } = await buyer.buy(payment);
    assert.deepEqual([status, body.error, body.reason], [402, 'payment_invalid', 'facilitator_refused']);
    assert.equal(body.facilitator_reason, 'insufficient_funds');
    assert.deepEqual([await buyer.owned(), calls('settle', nonceOf(payment)).length], [FREE, 0]);
  });

  it('503 payment_unavailable while the facilitator cannot verify; the same payment buys later', async () => {
    const { buyer, pay } = await begin();
    const payment = await pay();
    const BROKEN: FacilitatorAnswer[] = [
      'reset',
      { status: 500, body: { isValid: true } },
      { status: 302, body: {} },
      { body: '<html>' },
      { body: {} },
      { body: { isValid: 'yes' } },
      { status: 404, body: { isValid: true } },
    ];
    for (const answer of BROKEN) {
      facilitator.answer.verify = () => answer;
      const { status, body, headers } = await buyer.buy(payment);
      assert.deepEqual([status, body.error], [503, 'payment_unavailable'], JSON.stringify(answer));
      assert.ok(Number(headers.get('retry-after')) > 0);
    }
    assert.equal(await buyer.owned(), FREE);
    facilitator.answer.verify = VALID;
    assert.equal((await buyer.buy(payment)).status, 201);
    assert.equal(await buyer.owned(), FREE + 1);
  });

  it('whose nonce was used is judged by the event of the chain, at the first attempt and at later ones', async () => {
    const ends = [
      // The facilitator died after settling, or somebody else submitted the transfer first.
      [nodeWith('used'), ['settled', '0xfeed', null]],
      [nodeWith('canceled'), ['failed', null, 'authorization_canceled']],
      // The payer signed another transfer with the same nonce.
      [nodeWith('used', `0x${'7'.repeat(40)}`), ['failed', null, 'nonce_already_used']],
      [nodeWith('used', PAYEE, 1), ['failed', null, 'nonce_already_used']],
      // It was used long before the payment was made.
      [nodeWith(null, PAYEE, 1, true), ['failed', null, 'nonce_already_used']],
    ] as const;
    for (const [rpc, end] of ends)
      for (const isFirst of [true, false]) {
        let dead = !isFirst;
        // A wallet that has paid may be empty: that is what a later attempt is told first.
        const told = end[0] === 'settled' && dead ? 'insufficient_funds' : 'invalid_exact_evm_nonce_already_used';
        const settle = (): FacilitatorAnswer => (dead ? 'reset' : failing(told)());
        const { t, buyer, pay } = await begin({ settle, rpc });
        await buyer.buy(await pay());
        dead = false;
        if (!isFirst) await wait(t, 2000);
        const { status, transaction, error } = await newest(buyer);
        assert.deepEqual([status, transaction, error], end);
      }
  });

  it('whose first attempt ended with its process is not refused by what the facilitator says of the second', async () => {
    const { t, buyer, pay } = await begin({ settle: () => 'reset', rpc: nodeWith('used') });
    await buyer.buy(await pay());
    // The attempt paid, and was never counted.
    await t.sql('update payments set attempts = 0');
    facilitator.answer.settle = failing('insufficient_funds');
    await wait(t, 2000);
    const { status, transaction } = await newest(buyer);
    assert.deepEqual([status, transaction], ['settled', '0xfeed']);
  });

  it('waits while the chain shows no event or does not answer, and blames nobody', async () => {
    const { t, buyer, pay } = await begin({
      settle: failing('invalid_exact_evm_nonce_already_used'),
      rpc: nodeWith(null),
    });
    await buyer.buy(await pay());
    assert.equal((await newest(buyer)).status, 'pending');
    facilitator.answer.rpc = () => null;
    await wait(t, 2000);
    assert.equal((await newest(buyer)).status, 'pending');
    facilitator.answer.rpc = nodeWith('used');
    await wait(t, 5000);
    assert.equal((await newest(buyer)).status, 'settled');
  });

  it('fails with an event; the account and the wallet cannot pay for a day', async () => {
    const { t, buyer, pay } = await begin({ settle: failing('insufficient_funds') });
    const reply = await buyer.buy(await pay());
    assert.deepEqual([reply.status, receiptOf(reply).errorReason], [201, 'insufficient_funds']);
    const { status, error } = await newest(buyer);
    assert.deepEqual([status, error], ['failed', 'insufficient_funds']);
    assert.ok((await eventTypes(buyer)).includes('payment.failed'));
    facilitator.answer.settle = SETTLED;
    const other = await MAIL.prepare(t, FREE);
    const refusals = [await buyer.buy(await pay(newWallet()), 1), await other.buy(await pay(buyer.wallet), 1)];
    for (const { status, body } of refusals)
      assert.deepEqual([status, body.error, body.reason], [402, 'payment_invalid', 'earlier_payment_failed']);
    await wait(t, DAY_MS);
    for (let n = 0; n < FREE; n++) await buyer.buy({}, -1 - n);
    assert.equal((await buyer.buy(await pay(), 2)).status, 201);
  });

  it('that expires while the facilitator is down has failed without blocking the payer', async () => {
    const { t, buyer, pay } = await begin({ settle: () => 'reset' });
    assert.equal((await buyer.buy(await pay())).status, 201);
    facilitator.answer.settle = failing('invalid_exact_evm_payload_authorization_valid_before');
    facilitator.answer.rpc = nodeWith(null);
    await wait(t, 10 * 60_000);
    const { status, error } = await newest(buyer);
    assert.deepEqual([status, error], ['failed', 'expired']);
    facilitator.answer.settle = SETTLED;
    assert.equal((await buyer.buy(await pay(), 2)).status, 201);
  });

  it('waits a bounded time for the receipt', async () => {
    let open = (_answer: FacilitatorAnswer): void => {};
    const gate = new Promise<FacilitatorAnswer>((resolve) => {
      open = resolve;
    });
    const { t, buyer, pay } = await begin();
    const reached = new Promise<void>((resolve) => {
      facilitator.answer.settle = () => {
        resolve();
        return gate;
      };
    });
    const reply = pay().then((payment) => buyer.buy(payment));
    await reached;
    const { id } = await newest(buyer);
    const impatient = await waitForReceipt(t.app.database, id, 20);
    assert.equal(decode(impatient['payment-response'] ?? '').errorReason, 'settlement_pending');
    open(SETTLED());
    assert.equal(receiptOf(await reply).transaction, '0xabc');
  });
});

onEngines('both', 'a payment with a facilitator', options, (suite) => {
  const { begin, wait } = paying(suite);

  it('stays pending and is tried again while the outcome is unknown; one mail, and no new 402', async () => {
    const UNKNOWN: FacilitatorAnswer[] = [
      'reset',
      { status: 500, body: { success: false, errorReason: 'insufficient_funds' } },
      { status: 302, body: {} },
      { body: '<html>' },
      { status: 401, body: {} },
      ...['unexpected_settle_error', 'settlement_pending', 'invalid_transaction_state'].map(
        (errorReason): FacilitatorAnswer => ({ body: { success: false, errorReason } }),
      ),
    ];
    const { t, buyer, pay } = await begin();
    const payment = await pay();
    let next = 0;
    facilitator.answer.settle = () => UNKNOWN[next++] ?? SETTLED();
    const first = await buyer.buy(payment);
    assert.deepEqual([first.status, receiptOf(first).errorReason], [201, 'settlement_pending']);
    while (next < UNKNOWN.length) {
      const again = await buyer.buy(payment);
      assert.deepEqual([again.status, again.text], [201, first.text]);
      assert.equal((await newest(buyer)).status, 'pending');
      const before = next;
      await wait(t, 60_000);
      assert.ok(next > before, 'settlement is tried again');
    }
    await wait(t, 60_000);
    assert.equal((await newest(buyer)).status, 'settled');
    const last = await buyer.buy(payment);
    assert.deepEqual([last.text, receiptOf(last).transaction], [first.text, '0xabc']);
    assert.equal(await buyer.owned(), FREE + 1);
  });

  it('503 for a wallet with 20 pending payments, because each was checked against its whole balance', async () => {
    const { t, buyer, pay } = await begin({ settle: () => 'reset' });
    for (let n = 1; n <= 20; n++) assert.equal((await buyer.buy(await pay(), n)).status, 201);
    const payment = await pay();
    const { status, body } = await buyer.buy(payment, 21);
    assert.deepEqual([status, body.error], [503, 'payment_unavailable']);
    assert.equal((await buyer.buy(await pay(newWallet()), 22)).status, 201);
    facilitator.answer.settle = SETTLED;
    await wait(t, 2000);
    assert.equal((await buyer.buy(payment, 21)).status, 201);
  });
});

describe('a public service without a facilitator', () => {
  it('refuses payments with a reason', async () => {
    const port = await freePort();
    const env = { BASE_URL: 'https://signet.example', PORT: String(port) };
    const t = await startTestApp('sqlite', { ...options, env });
    try {
      const api = (key?: string) => createApi(`http://127.0.0.1:${port}`, key);
      const { api_key } = (await api().post('/v1/auth/keys')).body;
      const account = { key: api_key, api: api(api_key) };
      const from = (await account.api.post('/v1/email/claim', { address: 'public' })).body.address;
      const send = (headers = {}) =>
        account.api.post('/v1/email/send', { from, to: from, subject: 's', text: 'x' }, headers);
      assert.equal((await send()).status, 201);
      const refusal = await send();
      assert.deepEqual([refusal.status, refusal.body.error], [402, 'payment_required']);
      assert.equal(refusal.headers.get('payment-required'), null);
      const paid = await send(await payV1(newWallet(), refusal, t.clock.now()));
      assert.deepEqual([paid.status, paid.body.error, paid.body.reason], [402, 'payment_invalid', 'payments_off']);
      assert.equal((await account.api.get('/v1/billing')).body.x402.supported, false);
    } finally {
      await t.stop();
    }
  });
});
