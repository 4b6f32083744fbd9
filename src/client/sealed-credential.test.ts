import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
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
