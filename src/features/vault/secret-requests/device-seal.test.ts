import assert from 'node:assert/strict';
import {
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
} from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { sealCredential as sealValue } from '../../../client/sealed-credential.ts';
import { devicePublicKey, openCredential, sealCredential } from './device-seal.ts';

type Vector = Record<
  | 'name'
  | 'agent_private_key'
  | 'agent_public_key'
  | 'request_id'
  | 'ephemeral_private_key'
  | 'ephemeral_public_key'
  | 'iv'
  | 'plaintext'
  | 'sealed_value',
  string
>;

const { format, vectors } = JSON.parse(
  readFileSync(new URL('../../../../docs/vectors/credential.json', import.meta.url), 'utf8'),
) as { format: string; vectors: Vector[] };

const privateKeyOf = (x: string, d: string) =>
  createPrivateKey({ key: { kty: 'OKP', crv: 'X25519', x, d }, format: 'jwk' });

/** Opens as docs/credentials.md says, without our code. */
function open(agent: { x: string; d: string }, requestId: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const x = bytes.subarray(0, 32).toString('base64url');
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' });
  const secret = diffieHellman({ privateKey: privateKeyOf(agent.x, agent.d), publicKey });
  const key = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(32), format, 32));
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(32, 44));
  decipher.setAAD(Buffer.from(requestId)).setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(44, -16)), decipher.final()]).toString('utf8');
}

describe('docs/vectors/credential.json', () => {
  for (const vector of vectors) {
    it(`sealing with this randomness gives these bytes, and the documented format opens them: ${vector.name}`, () => {
      const privateKey = privateKeyOf(vector.ephemeral_public_key, vector.ephemeral_private_key);
      const sealed = sealCredential(vector.agent_public_key, vector.request_id, vector.plaintext, {
        ephemeralKeys: () => ({ privateKey, publicKey: createPublicKey(privateKey) }),
        iv: () => Buffer.from(vector.iv, 'base64url'),
      });
      assert.equal(sealed, vector.sealed_value);
      const agent = { x: vector.agent_public_key, d: vector.agent_private_key };
      assert.equal(open(agent, vector.request_id, sealed), vector.plaintext);
      assert.throws(() => open(agent, `${vector.request_id}0`, sealed));
    });
  }
});

describe('a value sealed by the client, as the page does', () => {
  it('opens by the documented format, with new bytes each time, also when long or not ASCII', async () => {
    const agent = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' }) as { x: string; d: string };
    for (const value of ['sk_test_1', 'Grüße ✉', 'x'.repeat(16_384)]) {
      const sealed = await sealValue(agent.x, 'crd_1', value);
      assert.match(sealed, /^[A-Za-z0-9_-]+$/);
      assert.equal(open(agent, 'crd_1', sealed), value);
      assert.notEqual(await sealValue(agent.x, 'crd_1', value), sealed);
    }
    await assert.rejects(sealValue(Buffer.alloc(32).toString('base64url'), 'crd_1', 'v'), 'a key of small order');
  });
});

describe('a value sealed by the service for an agent without a key', () => {
  it('opens only with the device code and the id of the request', () => {
    const [code, other] = [`device_${'a'.repeat(32)}`, `device_${'b'.repeat(32)}`];
    const sealed = sealCredential(devicePublicKey(code), 'crd_1', 'the value');
    assert.equal(openCredential(code, 'crd_1', sealed), 'the value');
    assert.throws(() => openCredential(other, 'crd_1', sealed));
    assert.throws(() => openCredential(code, 'crd_2', sealed));
  });
});
