import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { credentialFingerprint } from './credential-fingerprint.ts';
import { openCredential } from './sealed-credential.ts';
import { SignetCryptoError } from './signet-error.ts';

type Vector = Record<
  'name' | 'agent_private_key' | 'agent_public_key' | 'request_id' | 'plaintext' | 'sealed_value',
  string
>;

const FILE = new URL('../../docs/vectors/credential.json', import.meta.url);
const { vectors } = JSON.parse(readFileSync(FILE, 'utf8')) as { vectors: Vector[] };

const code = (expected: string) => (err: unknown) => err instanceof SignetCryptoError && err.code === expected;
const keysOf = ({ agent_private_key: privateKey, agent_public_key: publicKey }: Vector) => ({ privateKey, publicKey });

describe('the client on docs/vectors/credential.json', () => {
  for (const vector of vectors) {
    it(`opens: ${vector.name}`, async () => {
      assert.equal(await openCredential(vector, keysOf(vector)), vector.plaintext);
    });
  }

  it('the fingerprint of a key is the same in each of its forms, and another for another key', async () => {
    const [first] = vectors as [Vector];
    const bytes = Buffer.from(first.agent_public_key, 'base64url');
    const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
    const expected = digest.replace(/(.{4})(?=.)/g, '$1 ');
    assert.match(expected, /^([0-9a-f]{4} ){7}[0-9a-f]{4}$/);
    for (const form of ['base64url', 'base64', 'hex'] as const)
      assert.equal(await credentialFingerprint(bytes.toString(form)), expected);
    const other = Buffer.from(bytes).fill(1, 0, 1).toString('hex');
    assert.notEqual(await credentialFingerprint(other), expected);
    await assert.rejects(credentialFingerprint('AAAA'), code('malformed'));
  });

  it('returns nothing if a value was swapped, changed, cut or missing', async () => {
    const [first, second] = vectors as [Vector, Vector];
    const { request_id, sealed_value } = first;
    const changed = sealed_value.slice(0, 60) + (sealed_value[60] === 'A' ? 'B' : 'A') + sealed_value.slice(61);
    await assert.rejects(openCredential(first, keysOf(second)), code('not_authentic'));
    await assert.rejects(
      openCredential({ request_id: second.request_id, sealed_value }, keysOf(first)),
      code('not_authentic'),
    );
    await assert.rejects(openCredential({ request_id, sealed_value: changed }, keysOf(first)), code('not_authentic'));
    for (const cut of ['', sealed_value.slice(0, 40)])
      await assert.rejects(openCredential({ request_id, sealed_value: cut }, keysOf(first)), SignetCryptoError);
    await assert.rejects(openCredential({ request_id }, keysOf(first)), code('malformed'));
    const weak = `${'A'.repeat(43)}${sealed_value.slice(43)}`;
    await assert.rejects(openCredential({ request_id, sealed_value: weak }, keysOf(first)), SignetCryptoError);
  });
});
