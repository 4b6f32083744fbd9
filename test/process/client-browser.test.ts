import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import type * as client from '../../src/client/client.ts';
import { openMessage, SignetClient, SignetCryptoError, type Vault } from '../../src/client/client.ts';
import { closePages, launchChromium, sharedApp, skipWithoutChromium } from '../support/console.ts';
import type { TestApp } from '../support/harness.ts';

/** Loads the library in a page of the service, from the path where the service serves it. */
type InPage = (library: typeof client, input: { baseUrl: string; key: string; seed: number[] }) => Promise<unknown>;

describe('the client library in Chromium', { skip: skipWithoutChromium }, () => {
  let t: TestApp;
  let browser: Browser;
  let page: Page;
  let vault: Vault;
  let input: { baseUrl: string; key: string; seed: number[] };
  const faults: string[] = [];

  before(async () => {
    t = await sharedApp();
    const { client: inNode, account } = await SignetClient.createKey({ baseUrl: t.baseUrl });
    const seed = crypto.getRandomValues(new Uint8Array(32));
    vault = inNode.vault(seed);
    input = { baseUrl: t.baseUrl, key: account.api_key, seed: [...seed] };
    browser = await launchChromium();
    page = await browser.newPage();
    page.on('pageerror', (err) => faults.push(String(err)));
    await page.goto(`${t.baseUrl}/login`);
  });
  after(async () => {
    await closePages(browser);
  });

  /** Runs in the page. The function cannot use names from outside itself. */
  const inPage = <T>(work: InPage): Promise<T> =>
    page.evaluate(
      `import('/assets/client.js').then((library) => (${work})(library, ${JSON.stringify(input)}))`,
    ) as Promise<T>;

  it('seals and stores a value in the page, and Node opens it with the same seed', async () => {
    const stored = await inPage<{ version: number }>(({ SignetClient }, { baseUrl, key, seed }) =>
      new SignetClient({ baseUrl, key })
        .vault(new Uint8Array(seed))
        .put('from-browser', 'Grüße aus Chromium', { metadata: { by: 'page' } }),
    );
    assert.equal(stored.version, 1);
    const opened = await vault.get('from-browser');
    assert.equal(new TextDecoder().decode(opened.content), 'Grüße aus Chromium');
    assert.deepEqual(opened.metadata, { by: 'page' });
    const [row] = await t.sql(`select ciphertext from vault_versions where key = 'from-browser'`);
    assert.match(String(row?.ciphertext), /^[A-Za-z0-9_-]+$/);
  });

  it('opens in the page what Node sealed, and refuses it with another seed or name', async () => {
    await vault.put('from-node', 'Grüße aus Node');
    const seen = await inPage<string[]>(
      async ({ SignetClient, openVaultEntry, randomSeed }, { baseUrl, key, seed }) => {
        const signet = new SignetClient({ baseUrl, key });
        const refused = (err: { name: string; code: string }) => `${err.name} ${err.code}`;
        const { ciphertext } = await signet.getVaultEntry({ key: 'from-node' });
        return [
          await signet.vault(new Uint8Array(seed)).getText('from-node'),
          await signet.vault(randomSeed()).getText('from-node').catch(refused),
          String(await openVaultEntry(new Uint8Array(seed), 'other', ciphertext).catch(refused)),
        ];
      },
    );
    const refusal = `${SignetCryptoError.name} not_authentic`;
    assert.deepEqual(seen, ['Grüße aus Node', refusal, refusal]);
  });

  it('makes mail keys in the page whose mail opens there and in Node; verifies, derives and follows events', async () => {
    const made = await inPage<{ keys: client.MailKeys; body: string; type: string; restored: boolean }>(
      async (library, { baseUrl, key }) => {
        const signet = new library.SignetClient({ baseUrl, key });
        const keys = await library.generateMailKeys();
        const { address } = await signet.createInbox();
        await signet.claimAddress({ address, public_key: keys.publicKey });
        const events = signet.events({ after: 'ev_00000000000000000000000000' });
        await signet.sendEmail({ from: address, to: address, subject: 'sealed', text: 'for the page' });
        let type = '';
        for await (const event of events) {
          type = event.type;
          if (type === 'email.received') break;
        }
        const [entry] = (await signet.listInbox({ address })).messages;
        const sealed = await signet.getMessage({ id: entry?.message_id ?? '', address });
        const seed = library.randomSeed();
        const restored = await library.restoreSeed(await library.backUpSeed(seed, 'pass'), 'pass');
        const body = (await library.openMessage(sealed, keys)).body;
        return { keys, body, type, restored: restored.every((byte, i) => byte === seed[i]) };
      },
    );
    assert.deepEqual([made.body, made.type, made.restored], ['for the page', 'email.received', true]);
    const signet = new SignetClient({ baseUrl: input.baseUrl, key: input.key });
    const [address = ''] = (await signet.listAddresses()).addresses;
    const [entry] = (await signet.listInbox({ address })).messages;
    const sealed = await signet.getMessage({ id: entry?.message_id ?? '', address });
    assert.equal((await openMessage(sealed, made.keys)).body, 'for the page');
  });

  it('refuses keys of small order in the page too, and reports what browsers cannot do', async () => {
    const seen = await inPage<string[]>(async ({ SignetClient, openMessage, generateMailKeys }, { baseUrl }) => {
      const code = (err: { code: string }): string => err.code;
      const weak = { e2e_encrypted: true, message_id: 'm', body: '', ephemeral_public_key: 'A'.repeat(43) };
      return [
        await openMessage(weak, await generateMailKeys()).then(() => 'opened', code),
        await new SignetClient({ baseUrl }).verifyLogin({ token: 'x' }).then(() => 'verified', code),
      ];
    });
    assert.deepEqual(seen, ['weak_public_key', 'invalid_token']);
    assert.deepEqual(faults, []);
  });
});
