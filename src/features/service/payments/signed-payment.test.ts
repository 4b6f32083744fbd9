import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { encode, newWallet, sign, signerOf, type Transfer, transferTo } from '../../../../test/support/wallet.ts';
import { termsV2 } from './payment-table.ts';
import { isSignedByPayer, readPayment } from './signed-payment.ts';

const PAYEE = '0x00000000000000000000000000000000000A11cE';
const NOW = Date.UTC(2026, 0, 14, 12);
const SECONDS = NOW / 1000;
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const wallet = newWallet();
const good = (): Transfer => transferTo(PAYEE, wallet, NOW);

type Headers = Record<string, string>;

async function v1(change: Partial<Transfer> = {}, outer: object = {}, domain: object = {}): Promise<Headers> {
  const authorization = { ...good(), ...change };
  const payload = { signature: await sign(wallet, authorization, domain), authorization };
  return { 'x-payment': encode({ x402Version: 1, scheme: 'exact', network: 'base', payload, ...outer }) };
}

async function v2(change: Partial<Transfer> = {}, terms: object = {}, outer: object = {}): Promise<Headers> {
  const authorization = { ...good(), ...change };
  const payload = { signature: await sign(wallet, authorization), authorization };
  const accepted = { ...termsV2(PAYEE), ...terms };
  return { 'payment-signature': encode({ x402Version: 2, accepted, payload, ...outer }) };
}

/** A v1 payment with a part of its payload replaced after it was signed. */
async function forged(change: (payload: { signature: string; authorization: Transfer }) => object): Promise<Headers> {
  const authorization = good();
  const payload = { signature: await sign(wallet, authorization), authorization };
  return v1({}, { payload: change(payload) });
}

/** The reason for the refusal of a payment, or `good`. */
async function resultOf(headers: Headers): Promise<string> {
  try {
    const payment = readPayment({ header: (name) => headers[name], now: NOW }, PAYEE);
    if (!payment) return 'none';
    return (await isSignedByPayer(payment.authorization)) ? 'good' : 'invalid_signature';
  } catch (err) {
    return (err as { reason?: string }).reason ?? String(err);
  }
}

const flipS = (signature: string): `0x${string}` => {
  const s = ORDER - BigInt(`0x${signature.slice(66, 130)}`);
  const v = signature.endsWith('1b') ? '1c' : '1b';
  return `0x${signature.slice(2, 66)}${s.toString(16).padStart(64, '0')}${v}`;
};

const CASES: [what: string, result: string, make: () => Headers | Promise<Headers>][] = [
  ['no header', 'none', () => ({})],
  ['a v1 payment', 'good', () => v1()],
  ['a v2 payment', 'good', () => v2()],
  ['addresses in any case', 'good', () => forged((p) => ({ ...p, authorization: lowered(p.authorization) }))],
  ['valid from two seconds ahead of our clock', 'good', () => v1({ validAfter: String(SECONDS + 2) })],
  ['valid forever', 'good', () => v1({ validBefore: String(2n ** 256n - 1n) })],
  ['both headers', 'one_header_only', async () => ({ ...(await v1()), ...(await v2()) })],
  ['an empty header', 'invalid_base64', () => ({ 'x-payment': '' })],
  ['no base64', 'invalid_base64', () => ({ 'x-payment': '{"x402Version":1}' })],
  ['base64 cut short', 'invalid_base64', async () => ({ 'x-payment': (await v1())['x-payment']?.slice(0, -1) ?? '' })],
  ['base64url', 'invalid_base64', () => ({ 'x-payment': '-_-_' })],
  [
    'bytes that are not UTF-8',
    'invalid_json',
    () => ({ 'x-payment': Buffer.from([255, 254, 253]).toString('base64') }),
  ],
  ['text that is not JSON', 'invalid_json', () => ({ 'x-payment': Buffer.from('nonsense').toString('base64') })],
  ['a JSON list', 'invalid_json', () => ({ 'x-payment': encode([1]) })],
  ['JSON null', 'invalid_json', () => ({ 'x-payment': encode(null) })],
  ['a header of 9 KB', 'too_large', () => v1({}, { note: 'x'.repeat(9000) })],
  ['v2 in X-PAYMENT', 'invalid_version', async () => ({ 'x-payment': (await v2())['payment-signature'] ?? '' })],
  [
    'v1 in PAYMENT-SIGNATURE',
    'invalid_version',
    async () => ({ 'payment-signature': (await v1())['x-payment'] ?? '' }),
  ],
  ['no version', 'invalid_version', () => v1({}, { x402Version: undefined })],
  ['version "1"', 'invalid_version', () => v1({}, { x402Version: '1' })],
  ['another scheme', 'wrong_scheme', () => v1({}, { scheme: 'upto' })],
  ['another scheme, v2', 'wrong_scheme', () => v2({}, { scheme: 'upto' })],
  ['no scheme', 'invalid_payload', () => v1({}, { scheme: undefined })],
  ['a test network', 'wrong_network', () => v1({}, { network: 'base-sepolia' })],
  ['the v2 name of the network in v1', 'wrong_network', () => v1({}, { network: 'eip155:8453' })],
  ['the v1 name of the network in v2', 'wrong_network', () => v2({}, { network: 'base' })],
  ['another asset, v2', 'wrong_asset', () => v2({}, { asset: PAYEE })],
  ['another amount accepted, v2', 'wrong_amount', () => v2({}, { amount: '1' })],
  ['another payee accepted, v2', 'wrong_payee', () => v2({}, { payTo: wallet.address })],
  ['no accepted, v2', 'invalid_payload', () => v2({}, {}, { accepted: undefined })],
  ['no payload', 'invalid_payload', () => v1({}, { payload: undefined })],
  ['a payload that is a list', 'invalid_payload', () => v1({}, { payload: [] })],
  ['no authorization', 'invalid_payload', () => forged(({ signature }) => ({ signature }))],
  ['an inherited authorization', 'invalid_payload', () => forged((p) => ({ ...p, authorization: { __proto__: p } }))],
  ['a number for the value', 'invalid_payload', () => forged((p) => changed(p, { value: 10000 }))],
  ['a value in hex', 'invalid_payload', () => forged((p) => changed(p, { value: '0x2710' }))],
  ['a value with a leading zero', 'invalid_payload', () => forged((p) => changed(p, { value: '010000' }))],
  ['a negative time', 'invalid_payload', () => forged((p) => changed(p, { validAfter: '-1' }))],
  ['a nonce of 31 bytes', 'invalid_payload', () => forged((p) => changed(p, { nonce: `0x${'1'.repeat(62)}` }))],
  ['a payer that is no address', 'invalid_payload', () => forged((p) => changed(p, { from: 'me' }))],
  ['less than the price', 'wrong_amount', () => v1({ value: '9999' })],
  ['more than the price', 'wrong_amount', () => v1({ value: '10001' })],
  ['nothing', 'wrong_amount', () => v1({ value: '0' })],
  ['another payee', 'wrong_payee', () => v1({ to: wallet.address })],
  ['another payee, v2', 'wrong_payee', () => v2({ to: wallet.address })],
  ['not valid yet', 'not_yet_valid', () => v1({ validAfter: String(SECONDS + 6) })],
  ['expired', 'expired', () => v1({ validBefore: String(SECONDS - 1) })],
  ['about to expire', 'expired', () => v1({ validBefore: String(SECONDS + 5) })],
  ['signed for another token', 'invalid_signature', () => v1({}, {}, { verifyingContract: PAYEE })],
  ['signed for another chain', 'invalid_signature', () => v1({}, {}, { chainId: 84532 })],
  ['signed under another name', 'invalid_signature', () => v1({}, {}, { name: 'USDC' })],
  ['signed by someone else', 'invalid_signature', () => v1({ from: newWallet().address })],
  ['the nonce changed after signing', 'invalid_signature', () => forged((p) => changed(p, { nonce: good().nonce }))],
  ['the window widened after signing', 'invalid_signature', () => forged((p) => changed(p, { validAfter: '1' }))],
  ['a signature of 64 bytes', 'invalid_payload', () => forged((p) => ({ ...p, signature: p.signature.slice(0, -2) }))],
  ['a signature of a contract', 'invalid_payload', () => forged((p) => ({ ...p, signature: `${p.signature}00` }))],
  ['the twin of a signature', 'invalid_signature', () => forged((p) => ({ ...p, signature: flipS(p.signature) }))],
  ['a signature of zeros', 'invalid_signature', () => forged((p) => ({ ...p, signature: `0x${'0'.repeat(128)}1b` }))],
  ['v of 0', 'invalid_signature', () => forged((p) => ({ ...p, signature: `${p.signature.slice(0, 130)}00` }))],
  ['a value above 256 bits', 'wrong_amount', () => forged((p) => changed(p, { value: '9'.repeat(78) }))],
  ['a time above 256 bits', 'invalid_signature', () => forged((p) => changed(p, { validBefore: '9'.repeat(78) }))],
];

const changed = (payload: { authorization: Transfer }, change: object): object => ({
  ...payload,
  authorization: { ...payload.authorization, ...change },
});

const lowered = (transfer: Transfer): Transfer => ({
  ...transfer,
  from: transfer.from.toLowerCase() as `0x${string}`,
  to: transfer.to.toLowerCase() as `0x${string}`,
});

describe('the payment of a request', () => {
  // The first check loads the library. No case should have to wait for it.
  before(() => import('viem/utils'));

  for (const [what, result, make] of CASES) {
    it(`${what}: ${result}`, async () => {
      assert.equal(await resultOf(await make()), result);
    });
  }

  it('the second form of a signature has the same signer: only its s is refused', async () => {
    const transfer = good();
    assert.equal(await signerOf(transfer, flipS(await sign(wallet, transfer))), wallet.address);
  });
});
