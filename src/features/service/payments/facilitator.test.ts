import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startFacilitator } from '../../../../test/support/facilitator.ts';
import { newWallet, transferTo } from '../../../../test/support/wallet.ts';
import { FacilitatorClient, type FacilitatorRequest, settlementOf } from './facilitator-client.ts';
import type { Authorization } from './payment-table.ts';

const facilitator = await startFacilitator();
after(() => facilitator.close());

describe('the facilitator client', () => {
  const transfer = transferTo(`0x${'5'.repeat(40)}`, newWallet(), Date.UTC(2026, 0, 14));
  const authorization: Authorization = { ...transfer, signature: '0x00' };
  const payment: FacilitatorRequest = {
    version: 1,
    authorization,
    sale: { resource: 'https://a.example/', description: 'd' },
  };

  it('stops waiting after its timeouts for verify and settle', async () => {
    Object.assign(facilitator.answer, { verify: () => 'hang', settle: () => 'hang' });
    const client = new FacilitatorClient(facilitator.url, { verify: 30, settle: 30 });
    assert.deepEqual(await client.verify(payment), { kind: 'unknown', cause: 'no answer within 30 ms' });
    const { signal } = new AbortController();
    assert.deepEqual(await client.settle(payment, signal), { kind: 'unknown', cause: 'no answer within 30 ms' });
  });

  it('stops waiting when the service stops', async () => {
    facilitator.answer.settle = () => 'hang';
    const stopping = new AbortController();
    const settling = new FacilitatorClient(facilitator.url).settle(payment, stopping.signal);
    stopping.abort();
    assert.deepEqual(await settling, { kind: 'unknown', cause: 'the service stops' });
  });

  it('a closed port and an endless reply are unknown outcomes', async () => {
    const closed = await new FacilitatorClient('http://127.0.0.1:9').verify(payment);
    assert.equal(closed.kind, 'unknown');
    facilitator.answer.verify = () => ({ body: { isValid: true, padding: 'x'.repeat(100_000) } });
    assert.deepEqual(await new FacilitatorClient(facilitator.url).verify(payment), {
      kind: 'unknown',
      cause: 'the reply is too long',
    });
  });

  for (const [reply, kind] of [
    [{ success: true, transaction: '0x1' }, 'settled'],
    [{ success: true }, 'settled'],
    [{ success: false, errorReason: 'insufficient_funds' }, 'refused'],
    [{ success: false, errorReason: 'invalid_exact_evm_payload_signature' }, 'refused'],
    [{ success: false, errorReason: 'invalid_exact_evm_nonce_already_used' }, 'used'],
    [{ success: false, errorReason: 'FiatTokenV2: authorization is used or canceled' }, 'used'],
    [{ success: false, errorReason: 'invalid_exact_evm_transaction_failed' }, 'unknown'],
    [{ success: false, errorReason: 'Error: connect ETIMEDOUT' }, 'unknown'],
    [{ success: false }, 'unknown'],
    [{ success: 'true', transaction: '0x1' }, 'unknown'],
    [{}, 'unknown'],
  ] as const) {
    it(`${JSON.stringify(reply)} is ${kind}`, () => assert.equal(settlementOf(reply).kind, kind));
  }
});
