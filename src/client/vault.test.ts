import assert from 'node:assert/strict';
import { it } from 'node:test';
import { onEngines, type TestApp, tokenIn } from '../../test/support/harness.ts';
import type { PutVaultEntryInput } from './generated/operations.ts';
import { SignetClient } from './signet-client.ts';
import { SignetCryptoError } from './signet-error.ts';
import { openRecovered, type Vault } from './vault.ts';
import { proveVaultVersion, sealVaultEntry, VERSION_PROOF } from './vault-seal.ts';
import { backUpSeed, randomSeed, restoreSeed, SEALED_SEED } from './vault-seed.ts';

async function owner(t: TestApp): Promise<{ client: SignetClient; seed: Uint8Array; vault: Vault }> {
  const { client } = await SignetClient.createKey({ baseUrl: t.baseUrl });
  const seed = randomSeed();
  return { client, seed, vault: client.vault(seed) };
}

const code = (expected: string) => (err: unknown) => err instanceof SignetCryptoError && err.code === expected;

const LIMITS = { free: { vault_versions_per_key: 100, vault_keys: 100 } };

onEngines('any', 'the vault through the client', { limits: LIMITS }, (suite) => {
  it('returns stored text and bytes, each version and its metadata', async () => {
    const { vault, client } = await owner(suite.t);
    const first = await vault.put('db-password', 'Grüße', { metadata: { note: 'mine', rotates: 30 } });
    const second = await vault.put('db-password', new Uint8Array([0, 255]));
    assert.deepEqual([first.version, second.version], [1, 2]);
    assert.equal(await vault.getText('db-password', { version: 1 }), 'Grüße');
    const { content, metadata, version } = await vault.get('db-password');
    assert.deepEqual([[...content], metadata, version], [[0, 255], null, 2]);
    assert.deepEqual((await vault.get('db-password', { version: 1 })).metadata, { note: 'mine', rotates: 30 });
    for await (const entry of vault.list())
      assert.deepEqual([entry.key, entry.version, entry.metadata], ['db-password', 2, null]);
    const stored = await client.getVaultEntry({ key: 'db-password', version: 1 });
    assert.doesNotMatch(JSON.stringify(stored), /Grüße/);
    assert.equal((await vault.delete('db-password')).versions_removed, 2);
    await assert.rejects(vault.get('db-password'), { name: 'SignetError', code: 'not_found' });
  });

  it('another seed opens nothing', async () => {
    const { vault, client } = await owner(suite.t);
    await vault.put('a', 'x');
    await assert.rejects(client.vault(randomSeed()).get('a'), code('not_authentic'));
  });

  it('detects a service that swaps entries or versions, or truncates one', async () => {
    const { t } = suite;
    const { account } = await SignetClient.createKey({ baseUrl: t.baseUrl });
    const key = account.api_key;
    const seed = randomSeed();
    const honest = new SignetClient({ baseUrl: t.baseUrl, key });
    for (const [name, text] of [
      ['a', 'a1'],
      ['a', 'a2'],
      ['b', 'b1'],
    ] as const)
      await honest.vault(seed).put(name, text);
    const stored = async (name: string, version: number) => honest.getVaultEntry({ key: name, version });
    const [a1, a2, b1] = [await stored('a', 1), await stored('a', 2), await stored('b', 1)];
    /** Answers every read with this. */
    const lying = (reply: object): Vault => {
      const forge: typeof fetch = async () => Response.json(reply);
      return new SignetClient({ baseUrl: t.baseUrl, key, fetch: forge }).vault(seed);
    };
    assert.equal(await lying(a2).getText('a'), 'a2');
    const lies: [string, object, string][] = [
      ['b as a', { ...b1, key: 'a' }, 'not_authentic'],
      ['version 1 as 2', { ...a1, version: 2 }, 'version_mismatch'],
      ['the blob of 1 beside the proof of 2', { ...a2, ciphertext: a1.ciphertext }, 'version_mismatch'],
      ['version 1 although 2 is the latest', a1, 'version_mismatch'],
      ['version 1 without its proof', { ...a1, version: 2, metadata: null }, 'version_unproven'],
      ['half of it', { ...a2, ciphertext: a2.ciphertext.slice(0, 20) }, 'truncated'],
      ['something that is no blob', { ...a2, ciphertext: 'no blob!' }, 'malformed'],
    ];
    for (const [what, reply, expected] of lies) await assert.rejects(lying(reply).get('a'), code(expected), what);
    const old = lying({ ...a1, latest_version: 1 });
    assert.equal(await old.getText('a'), 'a1');
    await assert.rejects(old.get('a', { atLeast: 2 }), code('version_rolled_back'));
    await assert.rejects(lying(a1).get('a', { version: 2 }), code('version_mismatch'));
  });

  it('L6: a thief with the key puts an old version back: refused, also after a restart with a store', async () => {
    const { client, seed } = await owner(suite.t);
    const kept = new Map<string, number>();
    const vault = client.vault(seed, { versions: kept });
    for (const text of ['leaked', 'changed', 'current']) await vault.put('password', text);
    // The thief has the API key but not the seed, so it can only store again what was sealed as version 1.
    const { ciphertext, metadata } = await client.getVaultEntry({ key: 'password', version: 1 });
    await client.deleteVaultEntry({ key: 'password' });
    await client.putVaultEntry({ key: 'password', ciphertext, metadata: metadata ?? {}, if_version: 0 });

    await assert.rejects(vault.get('password'), code('version_rolled_back'));
    await assert.rejects(vault.put('password', 'next'), code('version_rolled_back'));
    const restarted = client.vault(seed, { versions: kept });
    await assert.rejects(restarted.get('password'), code('version_rolled_back'));
    await assert.rejects(restarted.put('password', 'next'), code('version_rolled_back'));
    assert.deepEqual([...kept], [['password', 3]]);
    // The owner decides to go on from there.
    assert.equal(await restarted.getText('password', { acceptRollback: true }), 'leaked');
    assert.equal((await restarted.put('password', 'next')).version, 2);
    assert.equal(await client.vault(seed, { versions: kept }).getText('password'), 'next');
  });

  it('a version counts as seen after a read, but an unproven one does not', async () => {
    const { vault, client, seed } = await owner(suite.t);
    const kept = new Map<string, number>();
    const reader = client.vault(seed, { versions: kept });
    for (const text of ['one', 'two']) await vault.put('a', text);
    assert.equal(await reader.getText('a'), 'two');
    assert.equal(await reader.getText('a', { version: 1 }), 'one');
    assert.deepEqual([...kept], [['a', 2]]);
    await vault.delete('a', { version: 2 });
    assert.equal(await vault.getText('a'), 'one');
    await assert.rejects(reader.get('a'), code('version_rolled_back'));
    const ciphertext = await sealVaultEntry(seed, 'b', 'by another');
    await client.putVaultEntry({ key: 'b', ciphertext });
    await reader.getText('b', { unproven: true });
    assert.equal(kept.get('b'), undefined);
  });

  it('opens an entry that another tool stored without a proof, if the caller allows that', async () => {
    const { vault, client, seed } = await owner(suite.t);
    await client.putVaultEntry({ key: 'plain', ciphertext: await sealVaultEntry(seed, 'plain', 'by another') });
    await assert.rejects(vault.get('plain'), code('version_unproven'));
    assert.equal(await vault.getText('plain', { unproven: true }), 'by another');
    const wrong = await proveVaultVersion(seed, 'plain', 9, 'x');
    const ciphertext = await sealVaultEntry(seed, 'plain', 'newer');
    const input: PutVaultEntryInput = { key: 'plain', ciphertext, metadata: { [VERSION_PROOF]: wrong } };
    await client.putVaultEntry(input);
    await assert.rejects(vault.get('plain', { unproven: true }), code('version_mismatch'));
  });

  it('16 concurrent writers of one entry: each gets its own version, and every version opens', async () => {
    const { vault } = await owner(suite.t);
    const stored = await Promise.all(Array.from({ length: 16 }, (_, i) => vault.put('shared', `by ${i}`)));
    const versions = stored.map(({ version }) => version).sort((a, b) => a - b);
    assert.deepEqual(
      versions,
      Array.from({ length: 16 }, (_, i) => i + 1),
    );
    const texts = await Promise.all(versions.map((version) => vault.getText('shared', { version })));
    assert.equal(new Set(texts).size, 16);
    await assert.rejects(vault.put('shared', 'late', { ifVersion: 3 }), { code: 'version_conflict', status: 412 });
    await assert.rejects(vault.put('shared', 'new', { ifVersion: 0 }), { code: 'version_conflict' });
  });

  it('a version stored after the newest was deleted opens with its own number', async () => {
    const { vault } = await owner(suite.t);
    for (const text of ['one', 'two']) await vault.put('a', text);
    await vault.delete('a', { version: 2 });
    const { version } = await vault.put('a', 'three');
    assert.ok(version > 2);
    assert.equal(await vault.getText('a'), 'three');
    assert.equal(await vault.getText('a', { version }), 'three');
    assert.equal(await vault.getText('a', { version: 1 }), 'one');
  });

  it('a version that is restored is the newest, with the same sealed bytes and a proof of its own', async () => {
    const { vault, client } = await owner(suite.t);
    await vault.put('a', 'one', { metadata: { note: 'first' } });
    await vault.put('a', 'two');
    assert.equal((await vault.restore('a', 1)).version, 3);
    const [first, third] = await Promise.all([1, 3].map((version) => client.getVaultEntry({ key: 'a', version })));
    assert.equal(third?.ciphertext, first?.ciphertext);
    const read = await vault.get('a');
    assert.deepEqual(
      [new TextDecoder().decode(read.content), read.version, read.metadata],
      ['one', 3, { note: 'first' }],
    );
    await assert.rejects(vault.restore('a', 2, { ifVersion: 2 }), { code: 'version_conflict' });
    await client.putVaultEntry({ key: 'a', ciphertext: await sealVaultEntry(randomSeed(), 'a', 'of a thief') });
    await assert.rejects(vault.restore('a', 4), code('not_authentic'), 'what does not open does not become the newest');
    assert.equal((await client.getVaultEntry({ key: 'a' })).version, 4);
  });

  it('changing the seed: interrupted and run again, each entry is sealed again exactly once', async () => {
    const { vault, client, seed } = await owner(suite.t);
    for (const name of ['a', 'b', 'c']) await vault.put(name, `in ${name}`, { metadata: { name } });
    // The copy that a passphrase opens, and the seed does not.
    await client.putVaultEntry({ key: SEALED_SEED, ciphertext: await backUpSeed(seed, 'correct horse battery') });
    const next = randomSeed();
    await client.vault(next).put('a', 'in a', { metadata: { name: 'a' } });
    assert.equal(await vault.rotateSeed(next), 2);
    assert.equal(await vault.rotateSeed(next), 0);
    for (const name of ['a', 'b', 'c']) {
      assert.equal(await client.vault(next).getText(name), `in ${name}`);
      await assert.rejects(client.vault(seed).get(name), code('not_authentic'));
      assert.equal(await vault.getText(name, { version: 1 }), `in ${name}`);
    }
    await assert.rejects(client.vault(randomSeed()).rotateSeed(seed), code('not_authentic'));
  });

  it('an owner without key and seed recovers the vault by email and passphrase', async () => {
    const { t } = suite;
    const email = `lost-${t.engine}@example.com`;
    const { vault, client, seed } = await owner(t);
    await vault.put('db-password', 'correct horse', { metadata: { for: 'ada' } });
    await client.setVaultRecovery({ email, encrypted_seed: await backUpSeed(seed, 'a passphrase') });
    const stranger = new SignetClient({ baseUrl: t.baseUrl });
    await stranger.requestVaultRecovery({ email });
    const mail = (await t.outboxMails()).findLast((text) => text.includes('recover#token'));
    const recovered = await stranger.verifyVaultRecovery({ token: tokenIn(mail ?? '') });
    const again = await restoreSeed(recovered.account_entries[0]?.encrypted_seed ?? '', 'a passphrase');
    const [entry] = await openRecovered(again, recovered.entries);
    assert.equal(new TextDecoder().decode(entry?.content), 'correct horse');
    assert.deepEqual([entry?.name, entry?.version, entry?.metadata], ['db-password', 1, { for: 'ada' }]);
    const foreign = { key: 'db-password', ciphertext: await sealVaultEntry(randomSeed(), 'db-password', 'other') };
    const beside = await openRecovered(again, [{ ...foreign, metadata: null, version: 2 }, ...recovered.entries]);
    assert.deepEqual([beside.length, beside[0]?.version], [1, 1]);
    assert.deepEqual(
      beside.failed.map(({ name, version, error }) => [name, version, error.code]),
      [['db-password', 2, 'not_authentic']],
    );
  });
});
