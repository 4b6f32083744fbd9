import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ConfigError } from '../../config/config-variable.ts';
import { readConfig } from '../../config/service-config.ts';
import { createDkimKeyFile } from './dkim-key.ts';

const dir = mkdtempSync(join(tmpdir(), 'signet-dkim-'));
after(() => rmSync(dir, { recursive: true }));

describe('the DKIM key of the data folder', () => {
  it('is created once with 2048 bits and mode 0600; concurrent callers get the same key', async () => {
    const path = join(dir, 'fresh', 'dkim.pem');
    const files = [createDkimKeyFile(path), createDkimKeyFile(path)];
    assert.throws(() => statSync(path), 'nothing is made before somebody asks');
    const keys = await Promise.all(files.flatMap((file) => [file(), file()]));
    keys.push(await createDkimKeyFile(path)());
    assert.equal(new Set(keys).size, 1);
    assert.equal(readFileSync(path, 'utf8'), keys[0]);
    assert.equal(createPrivateKey(keys[0] ?? '').asymmetricKeyDetails?.modulusLength, 2048);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(join(dir, 'fresh')), ['dkim.pem']);
  });

  it('an invalid key file is an error without its content, and is not overwritten; once fixed, it is read', async () => {
    const path = join(dir, 'broken.pem');
    writeFileSync(path, 'my secret');
    const file = createDkimKeyFile(path);
    await assert.rejects(file(), (err: Error) => /DKIM key/.test(err.message) && !err.message.includes('secret'));
    assert.equal(readFileSync(path, 'utf8'), 'my secret');
    const key = await createDkimKeyFile(join(dir, 'other.pem'))();
    writeFileSync(path, key);
    assert.equal(await file(), key);
  });
});

describe('DKIM_KEY and DKIM_SELECTOR', () => {
  const pem = (name: string, text: string): string => {
    writeFileSync(join(dir, name), text);
    return join(dir, name);
  };
  const rsa = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const ed25519 = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

  it('reads a valid key; the default selector is signet', () => {
    const config = readConfig({ DKIM_KEY: pem('good.pem', rsa.privateKey) });
    assert.deepEqual([config.dkimKey, config.dkimSelector], [rsa.privateKey, 'signet']);
    assert.equal(readConfig({ DKIM_SELECTOR: 'k2.mail' }).dkimSelector, 'k2.mail');
    assert.equal(readConfig({}).dkimKey, null);
  });

  for (const [what, path] of [
    ['a path of nothing', join(dir, 'missing.pem')],
    ['a file that is no PEM', pem('text.pem', 'hello')],
    ['a public key', pem('public.pem', rsa.publicKey)],
    ['an Ed25519 key, which half of the world cannot check', pem('ed.pem', ed25519)],
    ['a PEM of nonsense', pem('nonsense.pem', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n')],
  ] as const)
    it(`refuses to start and names DKIM_KEY: ${what}`, () => {
      const named = (err: unknown) => err instanceof ConfigError && err.message.startsWith('DKIM_KEY is ');
      assert.throws(() => readConfig({ DKIM_KEY: path }), named);
    });

  for (const selector of ['a b', 'a;b', '-a', 'a..b', 'ä', `${'a'.repeat(64)}`])
    it(`refuses to start and names DKIM_SELECTOR: ${selector}`, () => {
      const named = (err: unknown) => err instanceof ConfigError && err.message.startsWith('DKIM_SELECTOR is ');
      assert.throws(() => readConfig({ DKIM_SELECTOR: selector }), named);
    });
});
