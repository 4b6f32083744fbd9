import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deriveServiceKey, makeMasterKey, parseMasterKey, type Sealed, type SealedColumn, Sealer } from './sealing.ts';

const SECRET: SealedColumn = { purpose: 'webhook-secret', table: 'webhooks', column: 'secret', id: 'id' };
const KEY: SealedColumn = { purpose: 'dkim-key', table: 'stacks', column: 'key', id: 'id' };

describe('a sealed secret', () => {
  const [first, second] = [makeMasterKey(), makeMasterKey()];
  const sealer = new Sealer(first);

  it('opens in its own row and column only', () => {
    const sealed = sealer.seal(SECRET, 'wh_1', 'Zürich 🦊');
    assert.equal(sealer.open(SECRET, 'wh_1', sealed), 'Zürich 🦊');
    assert.throws(() => sealer.open(SECRET, 'wh_2', sealed));
    assert.throws(() => sealer.open({ ...SECRET, column: 'url' }, 'wh_1', sealed));
    assert.throws(() => sealer.open({ ...SECRET, table: 'hooks' }, 'wh_1', sealed));
    assert.throws(() => sealer.open({ ...SECRET, purpose: 'dkim-key' }, 'wh_1', sealed));
    assert.throws(() => sealer.open(KEY, 'wh_1', sealed));
  });

  it('does not open once a character of it changed, and differs each time', () => {
    const sealed = sealer.seal(SECRET, 'wh_1', 'secret');
    assert.notEqual(sealer.seal(SECRET, 'wh_1', 'secret'), sealed);
    for (let i = 0; i < sealed.length; i++) {
      const changed = `${sealed.slice(0, i)}${sealed[i] === 'A' ? 'w' : 'A'}${sealed.slice(i + 1)}` as Sealed;
      assert.throws(() => sealer.open(SECRET, 'wh_1', changed), `character ${i}`);
    }
    assert.throws(() => sealer.open(SECRET, 'wh_1', sealed.slice(0, -1) as Sealed));
  });

  it('opens with the key before while both are given, and names the key it lacks afterwards', () => {
    const sealed = sealer.seal(SECRET, 'wh_1', 'secret');
    assert.equal(new Sealer(second, [first]).open(SECRET, 'wh_1', sealed), 'secret');
    assert.throws(() => new Sealer(second).open(SECRET, 'wh_1', sealed), new RegExp(`MASTER_KEY.*${sealer.keyId}`));
  });
});

describe('a master key', () => {
  it('is 32 bytes in base64 or base64url, padded or not', () => {
    const key = Buffer.alloc(32, 0xfb);
    for (const text of [key.toString('base64'), key.toString('base64url'), `${key.toString('base64')}\n`])
      assert.deepEqual(parseMasterKey(text), key);
    for (const text of [
      '',
      'secret',
      key.toString('hex'),
      key.subarray(1).toString('base64'),
      `${key.toString('base64')}AAAA`,
    ])
      assert.equal(parseMasterKey(text), null, text);
  });

  it('gives each purpose of the service’s key a key of its own', () => {
    const keys = (['client-address', 'return-path', 'signing-key-proof'] as const).map((purpose) =>
      deriveServiceKey('k', purpose),
    );
    assert.equal(new Set([...keys, 'k']).size, 4);
  });
});
