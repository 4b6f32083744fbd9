import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPaymentRequiredV1, isPaymentRequiredV2 } from '@x402/core/schemas';
import { type Buyer, WARES, type Ware } from '../../../../test/support/buyer.ts';
import { type ApiReply, onEngines, type Suite } from '../../../../test/support/harness.ts';
import { decode, encode, newWallet, payV1, payV2, sign, transferTo } from '../../../../test/support/wallet.ts';

const PAYMENTS = '/v1/billing/payments';
const MAIL = WARES[0] as Ware;
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

const payments = async ({ api }: Buyer) => (await api.get(PAYMENTS)).body.payments;

/** A v1 payment for a 402, with some fields changed before it is signed. */
async function changed(buyer: Buyer, refusal: ApiReply, now: number, change: object) {
  const transfer = { ...transferTo(refusal.body.accepts[0].payTo, buyer.wallet, now), ...change };
  const payload = { signature: await sign(buyer.wallet, transfer), authorization: transfer };
  return { 'x-payment': encode({ x402Version: 1, scheme: 'exact', network: 'base', payload }) };
}

onEngines('any', 'over the limit', {}, (suite) => {
  for (const ware of WARES) describe(ware.name, () => guarantees(ware, suite));
});

onEngines('both', 'over the limit', {}, (suite) => {
  for (const ware of WARES) describe(ware.name, () => races(ware, suite));
});

function guarantees(ware: Ware, suite: Suite): void {
  const now = (): number => suite.t.clock.now();
  const prepare = (): Promise<Buyer> => ware.prepare(suite.t);

  it('402 has the terms for v1 clients in the body and for v2 clients in the header', async () => {
    const buyer = await prepare();
    const { status, headers, body } = await buyer.buy();
    assert.deepEqual([status, body.error], [402, 'payment_required']);
    assert.equal(isPaymentRequiredV1(body), true);
    const demand = decode(headers.get('payment-required'));
    assert.equal(isPaymentRequiredV2(demand), true);
    const [v1] = body.accepts;
    assert.deepEqual(demand.accepts, [
      {
        scheme: 'exact',
        network: 'eip155:8453',
        amount: '10000',
        asset: v1.asset,
        payTo: v1.payTo,
        maxTimeoutSeconds: 300,
        extra: { name: 'USD Coin', version: '2' },
      },
    ]);
    assert.deepEqual([demand.resource.url, demand.error], [v1.resource, 'payment_required']);
  });

  it('a v1 or v2 payment buys one; the reply and the list of payments name it; no free quota is used', async () => {
    const buyer = await prepare();
    const refusal = await buyer.buy();
    const { emails: before } = (await buyer.api.get('/v1/usage')).body;
    const first = await buyer.buy(await payV1(buyer.wallet, refusal, now()), 1);
    const second = await buyer.buy(await payV2(buyer.wallet, refusal, now()), 2);
    assert.deepEqual([first.status, second.status], [ware.status, ware.status], first.text + second.text);
    assert.equal(await buyer.owned(), 12);
    const listed = await payments(buyer);
    assert.deepEqual(
      listed.map(({ id }: { id: string }) => id).sort(),
      [first.body.payment_id, second.body.payment_id].sort(),
    );
    const { status, amount_usdc, payer, resource, transaction } = listed[0];
    assert.deepEqual([status, amount_usdc, transaction], ['verified', 10_000, null]);
    // A key of a vault has its number in its name.
    const sold = resource.replace(/key[12]$/, 'key0');
    assert.deepEqual([payer, sold], [buyer.wallet.address.toLowerCase(), refusal.body.accepts[0].resource]);
    assert.deepEqual((await buyer.api.get('/v1/usage')).body.emails, before);
  });

  it('a development server reports that nothing was settled', async () => {
    const buyer = await prepare();
    const { headers } = await buyer.buy(await payV1(buyer.wallet, await buyer.buy(), now()));
    const receipt = decode(headers.get('x-payment-response'));
    assert.deepEqual(receipt, {
      success: false,
      errorReason: 'settlement_off',
      transaction: '',
      network: 'base',
      payer: buyer.wallet.address.toLowerCase(),
    });
    assert.deepEqual(decode(headers.get('payment-response')), { ...receipt, network: 'eip155:8453' });
  });

  it('under the limit a payment is not spent and stays valid; over the limit it buys once', async () => {
    const [buyer, exhausted] = [await ware.prepare(suite.t, 9), await prepare()];
    const payment = await payV1(buyer.wallet, await exhausted.buy(), now());
    const free = await buyer.buy(payment, 1);
    assert.deepEqual([free.status, free.body.payment_id], [ware.status, undefined]);
    assert.equal(free.headers.get('payment-response'), null);
    const repeated = await buyer.buy(payment, 1);
    assert.deepEqual([repeated.text, await buyer.owned()], [free.text, 10]);
    assert.ok((await buyer.buy(payment, 2)).body.payment_id);
    assert.equal(reasonOf(await buyer.buy(payment, 3)), '402 payment_invalid nonce_used');
    assert.equal(await buyer.owned(), 11);
  });

  const WRONG: [reason: string, make: (b: Buyer, refusal: ApiReply) => Promise<Record<string, string>>][] = [
    ['wrong_amount', (b, r) => changed(b, r, now(), { value: '9999' })],
    ['wrong_payee', (b, r) => changed(b, r, now(), { to: b.wallet.address })],
    ['expired', (b, r) => changed(b, r, now(), { validBefore: String(Math.floor(now() / 1000) - 1) })],
    ['not_yet_valid', (b, r) => changed(b, r, now(), { validAfter: String(Math.floor(now() / 1000) + 60) })],
    ['invalid_signature', (b, r) => changed(b, r, now(), { from: newWallet().address })],
    ['invalid_base64', async () => ({ 'x-payment': 'not base64' })],
    ['too_large', async () => ({ 'payment-signature': 'A'.repeat(9000) })],
    [
      'one_header_only',
      async (b, r) => ({ ...(await payV1(b.wallet, r, now())), ...(await payV2(b.wallet, r, now())) }),
    ],
  ];

  it('402 payment_invalid repeats the terms with the reason; nothing is delivered', async () => {
    const buyer = await prepare();
    const refusal = await buyer.buy();
    for (const [reason, make] of WRONG) {
      const reply = await buyer.buy(await make(buyer, refusal));
      assert.equal(reasonOf(reply), `402 payment_invalid ${reason}`);
      assert.equal(isPaymentRequiredV1(reply.body), true);
      assert.deepEqual(reply.body.accepts, refusal.body.accepts);
      assert.equal(reply.body.limit_reason, refusal.body.reason);
      assert.equal(decode(reply.headers.get('payment-required')).error, reason);
    }
    assert.equal(await buyer.owned(), 10);
    assert.deepEqual(await payments(buyer), []);
  });
}

function races(ware: Ware, suite: Suite): void {
  it('the same payment in 50 parallel requests: one effect, identical replies', async () => {
    const buyer = await ware.prepare(suite.t);
    const payment = await payV1(buyer.wallet, await buyer.buy(), suite.t.clock.now());
    const replies = await Promise.all(times(50, () => buyer.buy(payment)));
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [ware.status]);
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    assert.equal(new Set(replies.map(({ headers }) => headers.get('payment-response'))).size, 1);
    assert.equal(await buyer.owned(), 11);
    assert.equal((await payments(buyer)).length, 1);
  });

  it('a spent payment buys nothing else, in 20 parallel requests or for another account', async () => {
    const [buyer, other] = [await ware.prepare(suite.t), await ware.prepare(suite.t)];
    const payment = await payV2(buyer.wallet, await buyer.buy(), suite.t.clock.now());
    const replies = await Promise.all(times(20, (i) => (i % 2 ? buyer : other).buy(payment, i)));
    assert.equal(replies.filter(({ status }) => status === ware.status).length, 1);
    const refused = replies.filter(({ status }) => status !== ware.status);
    assert.deepEqual([...new Set(refused.map(reasonOf))], ['402 payment_invalid nonce_used']);
    assert.equal((await buyer.owned()) + (await other.owned()), 21);
  });
}

const reasonOf = ({ status, body }: ApiReply): string => `${status} ${body.error} ${body.reason}`;

onEngines('any', 'a payment', {}, (suite) => {
  it('with an Idempotency-Key is one purchase too', async () => {
    const { t } = suite;
    const buyer = await MAIL.prepare(t);
    const payment = await payV1(buyer.wallet, await buyer.buy(), t.clock.now());
    const headers = { ...payment, 'idempotency-key': 'mine' };
    const [first, again] = [await buyer.buy(headers), await buyer.buy(headers)];
    assert.deepEqual([first.status, again.text], [201, first.text]);
    assert.deepEqual(again.headers.get('payment-response'), first.headers.get('payment-response'));
    assert.equal(await buyer.owned(), 11);
  });

  it('does not make an invalid mail valid', async () => {
    const { t } = suite;
    const buyer = await MAIL.prepare(t);
    const payment = await payV1(buyer.wallet, await buyer.buy(), t.clock.now());
    const { status } = await buyer.api.post('/v1/email/send', { from: 'x', to: 'y', subject: 's' }, payment);
    assert.equal(status, 400);
    assert.equal((await buyer.buy(payment)).status, 201);
  });
});

onEngines('both', 'a payment', {}, (suite) => {
  it('is listed for its own account only, in pages', async () => {
    const { t } = suite;
    const buyer = await MAIL.prepare(t);
    const stranger = await t.createAccount();
    const refusal = await buyer.buy();
    const ids: string[] = [];
    for (let n = 1; n <= 3; n++) {
      t.clock.advance(1);
      ids.unshift((await buyer.buy(await payV1(buyer.wallet, refusal, t.clock.now()), n)).body.payment_id);
    }
    const first = (await buyer.api.get(`${PAYMENTS}?limit=2`)).body;
    const second = (await buyer.api.get(`${PAYMENTS}?limit=2&cursor=${first.next_cursor}`)).body;
    assert.deepEqual(
      [...first.payments, ...second.payments].map(({ id }) => id),
      ids,
    );
    assert.deepEqual([first.count, second.count, second.next_cursor], [2, 1, null]);
    assert.equal((await stranger.api.get(PAYMENTS)).body.count, 0);
    assert.equal((await stranger.api.get(`${PAYMENTS}?cursor=x`)).body.error, 'invalid_cursor');
  });
});
