import assert from 'node:assert/strict';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { isEd25519Point } from './ed25519-point.ts';

it('accepts every generated key', async () => {
  for (let i = 0; i < 50; i++) {
    const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
    assert.ok(await isEd25519Point(Buffer.from(x as string, 'base64url')), x);
  }
});

const P = 2n ** 255n - 19n;
/** The curve's constant (RFC 8032 5.1). */
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let [square, rest] = [base, exponent]; rest > 0n; rest >>= 1n, square = (square * square) % P)
    if (rest & 1n) result = (result * square) % P;
  return result;
}

/** Whether an x belongs to the y: x² is u/v, and u·v is a square exactly when that is (Euler's criterion). */
function isOnCurve(bytes: Uint8Array): boolean {
  const y = BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`) & (2n ** 255n - 1n);
  const square = (y * y) % P;
  const [u, v] = [(square + P - 1n) % P, (D * square + 1n) % P];
  return y < P && power((u * v) % P, (P - 1n) / 2n) === 1n;
}

it('accepts exactly those random bytes that satisfy the curve equation', async () => {
  for (let i = 0; i < 100; i++) {
    const bytes = randomBytes(32);
    assert.equal(await isEd25519Point(bytes), isOnCurve(bytes), bytes.toString('hex'));
  }
});

it('refuses points of small order and the second encoding of a point', async () => {
  for (const hex of [
    '0100000000000000000000000000000000000000000000000000000000000000',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0000000000000000000000000000000000000000000000000000000000000080',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
    // 3 + p, where 3 is the y of a point.
    'f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  ])
    assert.equal(await isEd25519Point(Buffer.from(hex, 'hex')), false, hex);
});
