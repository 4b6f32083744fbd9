import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type Buyer, WARES, type Ware } from '../../../../test/support/buyer.ts';
import { type Chain, noChain, startChain } from '../../../../test/support/chain.ts';
import { programsOf, runProgram } from '../../../../test/support/doc-programs.ts';
import { startFacilitator, type TestFacilitator } from '../../../../test/support/facilitator.ts';
import { startTestApp, type TestApp } from '../../../../test/support/harness.ts';
import { systemClock } from '../../../base/clock.ts';

const PAYEE = '0x00000000000000000000000000000000000A11cE';
const PRICE = 10_000;
const MAIL = WARES[0] as Ware;

/** The request of the published client that paid, and its reply. */
interface Paid {
  request: Request;
  response: Response;
}

/** Buys with the published client, which reads the 402 and pays. Version 1 clients get the reply without the header. */
async function buyWithClient(buyer: Buyer, version: 1 | 2): Promise<Paid> {
  let last: Request | undefined;
  const transport = async (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    last = request.clone();
    const response = await fetch(request);
    if (version === 2 || response.status !== 402) return response;
    const headers = new Headers(response.headers);
    headers.delete('payment-required');
    return new Response(await response.text(), { status: 402, headers });
  };
  const client = registerExactEvmScheme(new x402Client(), { signer: buyer.wallet });
  const { url, ...init } = buyer.request();
  const response = await wrapFetchWithPayment(transport, client)(url, init);
  return { request: last as Request, response };
}

// The chain and the client use the machine's clock, so the service must too.
describe('x402 on a chain, with the published client and facilitator', { skip: noChain }, () => {
  let chain: Chain;
  let facilitator: TestFacilitator;
  let t: TestApp;

  before(async () => {
    [chain, facilitator] = await Promise.all([startChain(), startFacilitator()]);
    Object.assign(facilitator.answer, { verify: chain.verify, settle: chain.settle });
    const env = { X402_FACILITATOR_URL: facilitator.url, X402_RPC_URL: chain.url, X402_PAY_TO: PAYEE };
    t = await startTestApp('sqlite', { env, startAt: systemClock.now() });
  });
  after(async () => {
    await t?.stop();
    await facilitator?.close();
    await chain?.stop();
  });

  for (const ware of WARES) {
    for (const version of [1, 2] as const) {
      it(`${ware.name}: the 11th is paid by the v${version} terms, settled and delivered; a replay is refused`, async () => {
        const buyer = await ware.prepare(t);
        await chain.mint(buyer.wallet.address, PRICE);
        const before = await chain.balanceOf(PAYEE);
        const { request, response } = await buyWithClient(buyer, version);
        assert.equal(response.status, ware.status, await response.clone().text());
        const name = version === 1 ? 'x-payment' : 'payment-signature';
        const payment = request.headers.get(name);
        assert.ok(payment);
        const receipt = decodePaymentResponseHeader(response.headers.get('payment-response') as string);
        assert.deepEqual([receipt.success, receipt.network], [true, 'eip155:8453']);
        assert.match(receipt.transaction, /^0x[0-9a-f]{64}$/);
        assert.equal(await chain.balanceOf(PAYEE), before + PRICE);
        assert.equal(await chain.balanceOf(buyer.wallet.address), 0);
        assert.equal(await buyer.owned(), 11);
        const replay = await buyer.buy({ [name]: payment as string }, 7);
        assert.deepEqual([replay.status, replay.body.reason], [402, 'nonce_used']);
        assert.equal(await buyer.owned(), 11);
      });
    }
  }

  it('the program of docs/payments.md pays for a mail over the limit', async () => {
    const [ada, bob] = [await t.createAccount(), await t.createAccount()];
    assert.equal((await ada.api.post('/v1/email/claim', { address: 'ada' })).status, 201);
    assert.equal((await bob.api.post('/v1/email/claim', { address: 'bob' })).status, 201);
    for (let n = 0; n < 10; n++) {
      const free = { from: 'ada', to: 'bob@agents.localhost', subject: `Number ${n}`, text: 'x' };
      assert.equal((await ada.api.post('/v1/email/send', free)).status, 201);
    }
    const wallet = generatePrivateKey();
    await chain.mint(privateKeyToAccount(wallet).address, PRICE);
    const env = { WALLET_KEY: wallet, SIGNET: t.baseUrl, KEY: ada.key };
    const said: unknown[] = [];
    const log = (first: unknown): number => said.push(first);
    const [code = ''] = programsOf('docs/payments.md');
    await runProgram(code, { given: { process: { env }, console: { log } } });
    const [status, receipt] = said as [number, { success: boolean }];
    assert.deepEqual([status, receipt.success], [201, true]);
  });

  it('refuses an empty wallet before anything is delivered', async () => {
    const buyer = await MAIL.prepare(t);
    const { response } = await buyWithClient(buyer, 2);
    const { error, reason } = (await response.json()) as { error: string; reason: string };
    assert.deepEqual([response.status, error, reason], [402, 'payment_invalid', 'facilitator_refused']);
    assert.equal(await buyer.owned(), 10);
  });

  it('a facilitator that dies after settling: one transfer, one mail, and the payment is settled', async () => {
    const buyer = await MAIL.prepare(t);
    await chain.mint(buyer.wallet.address, 2 * PRICE);
    facilitator.answer.settle = (call) => chain.settle(call).then(() => 'reset' as const);
    const { response } = await buyWithClient(buyer, 2);
    assert.equal(response.status, 201);
    const receipt = decodePaymentResponseHeader(response.headers.get('payment-response') as string);
    assert.deepEqual([receipt.success, receipt.errorReason], [false, 'settlement_pending']);
    facilitator.answer.settle = chain.settle;
    t.clock.advance(2000);
    await t.app.worker.runDue();
    const { payments } = (await buyer.api.get('/v1/billing/payments')).body;
    assert.deepEqual([payments.length, payments[0].status], [1, 'settled']);
    assert.equal(await chain.balanceOf(buyer.wallet.address), PRICE);
    assert.equal(await buyer.owned(), 11);
  });

  it('an authorization that the payer cancels before it is settled pays nothing, and the payer is to blame', async () => {
    const buyer = await MAIL.prepare(t);
    await chain.mint(buyer.wallet.address, PRICE);
    facilitator.answer.settle = async (call) => {
      await chain.cancel(buyer.wallet, call.body.paymentPayload.payload.authorization.nonce);
      return { body: { success: false, errorReason: 'invalid_exact_evm_nonce_already_used' } };
    };
    await buyWithClient(buyer, 2);
    facilitator.answer.settle = chain.settle;
    const [payment] = (await buyer.api.get('/v1/billing/payments')).body.payments;
    assert.deepEqual([payment.status, payment.error], ['failed', 'authorization_canceled']);
    assert.equal(await chain.balanceOf(buyer.wallet.address), PRICE);
  });

  it('a transfer that somebody else submits first is settled, with its transaction', async () => {
    const buyer = await MAIL.prepare(t);
    await chain.mint(buyer.wallet.address, PRICE);
    facilitator.answer.settle = async (call) => {
      await chain.settle(call);
      return { body: { success: false, errorReason: 'invalid_exact_evm_nonce_already_used' } };
    };
    const { response } = await buyWithClient(buyer, 2);
    facilitator.answer.settle = chain.settle;
    const receipt = decodePaymentResponseHeader(response.headers.get('payment-response') as string);
    assert.deepEqual([receipt.success, receipt.transaction.length], [true, 66]);
    assert.equal(await chain.balanceOf(buyer.wallet.address), 0);
  });
});
