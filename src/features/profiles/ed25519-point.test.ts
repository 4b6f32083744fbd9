import assert from 'node:assert/strict';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import { isEd25519Point } from './ed25519-point-rules.ts';

it('every key that is generated is a point', () => {
  for (let i = 0; i < 50; i++) {
    const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
    assert.ok(isEd25519Point(Buffer.from(x as string, 'base64url')), x);
  }
});

it('of random bytes it takes those that another implementation decodes', () => {
  const isDecoded = (bytes: Uint8Array): boolean => {
    try {
      ed25519.Point.fromBytes(bytes);
      return true;
    } catch {
      return false;
    }
  };
  for (let i = 0; i < 100; i++) {
    const bytes = randomBytes(32);
    assert.equal(isEd25519Point(bytes), isDecoded(bytes), bytes.toString('hex'));
  }
});

it('no point of small order, and no second encoding of a point', () => {
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
    assert.equal(isEd25519Point(Buffer.from(hex, 'hex')), false, hex);
});
