import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { WARES, type Ware } from '../support/buyer.ts';
import {
  axeFaults,
  launchChromium,
  openConsole,
  openPage,
  skipWithoutChromium,
  type WatchedPage,
} from '../support/console.ts';
import { tokenFor } from '../support/delegations.ts';
import { createTestDns, publish } from '../support/dns.ts';
import { startTestApp, type TestAccount, type TestApp } from '../support/harness.ts';
import { payV1 } from '../support/wallet.ts';
import { answer, startReceiver } from '../support/webhook-receiver.ts';

const HOSTILE = '<img src=x onerror=alert(1)>"\'';

/** What the owner of an agent does besides its mail: vault, webhooks, domains, identity, audit log, settings. */
describe('the rooms of the console, in Chromium', { skip: skipWithoutChromium }, () => {
  let t: TestApp;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;
  let owner: TestAccount;
  const dns = createTestDns();

  before(async () => {
    t = await startTestApp('sqlite', { resolveDns: dns.resolve });
    owner = await t.createAccount({ name: HOSTILE });
    browser = await launchChromium();
    watched = await openPage(browser, t);
    page = watched.page;
    // The browser has the time of the service, so that no step depends on the day of the run.
    await page.clock.setFixedTime(t.clock.now());
    await openConsole(watched, t, owner.key);
  });
  after(async () => {
    await browser?.close();
    await t?.stop();
  });

  const unreadable: string[] = [];
  const look = async (name: string): Promise<void> => void unreadable.push(...(await axeFaults(page, name)));
  const room = async (name: string, title: string): Promise<void> => {
    await page.click(`.rail a[href$="/${name}"]`);
    await page.waitForSelector(`h1:has-text("${title}")`);
  };
  const confirm = async (typed?: string): Promise<void> => {
    if (typed !== undefined) await page.fill('dialog #typed', typed);
    await page.click('dialog .primary');
  };

  it('a secret is sealed and opened in the browser, and the service never sees it', async () => {
    const secret = '  s3cret-of-the-vault\nsecond line\n';
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.postData() ?? ''));
    await room('vault', 'Vault');
    await look('vault-locked');
    await page.fill('#seed', 'too short');
    await page.click('#unlock .primary');
    await page.waitForSelector('.problem:has-text("This is not a seed")');
    await page.click('button:has-text("Make a new seed")');
    const seed = (await page.textContent('dialog .secret')) ?? '';
    assert.match(seed, /^[\w-]{43}$/);
    await page.click('dialog button:has-text("I kept it")');
    await page.fill('#name', 'db-password');
    await page.fill('#value', secret);
    await page.click('#seal .primary');
    await page.waitForSelector('th:has-text("db-password")');
    await look('vault');
    await page.click('button:has-text("Show")');
    assert.equal(await page.textContent('dialog .secret'), secret, 'with its lines and blanks');
    await page.click('dialog button:has-text("I kept it")');
    assert.ok(sent.every((body) => !body.includes('s3cret-of-the-vault') && !body.includes(seed)));
    await page.click('button:has-text("Close the vault")');
    await page.fill('#seed', 'A'.repeat(43));
    await page.click('#unlock .primary');
    await page.waitForSelector('.problem:has-text("This seed does not open")');
    await page.fill('#seed', seed);
    await page.click('#unlock .primary');
    await page.waitForSelector('#seal');
    await page.click('td button:has-text("Delete")');
    await confirm('db-password');
    await page.waitForSelector('.empty:has-text("The vault is empty")');
  });

  it('a webhook is added, tested, signed, and its delivery sent again', async () => {
    const receiver = await startReceiver(answer(200, {}, '<b>thanks</b>'));
    try {
      await room('webhooks', 'Webhooks');
      await page.fill('#url', `${receiver.url}/hooks`);
      await page.fill('#events', 'email.received, charge.completed');
      await page.click('#add-webhook .primary');
      await page.click('.entries a');
      await page.click('button:has-text("Send a test")');
      await page.waitForSelector('.badge:has-text("Delivered")');
      await page.click('button:has-text("Rotate the secret")');
      assert.match((await page.textContent('dialog .secret')) ?? '', /^whsec_/);
      await page.click('dialog button:has-text("I kept it")');
      await page.waitForSelector('.badge:text-is("Signed")');
      await look('webhook');
      await page.click('button:has-text("Send again")');
      await page.waitForSelector('[role="status"]:has-text("Queued again")');
      await page.click('.view > .actions button:has-text("Delete")');
      await confirm();
      await page.waitForSelector('.empty:has-text("No webhook yet")');
      await look('webhooks');
    } finally {
      await receiver.close();
    }
  });

  it('a domain shows each record to set, and turns green as the DNS has them', async () => {
    await room('domains', 'Domains');
    await page.fill('#domain', 'customer.example');
    await page.click('button:has-text("Add a domain")');
    await page.waitForSelector('h2:has-text("customer.example")');
    await page.click('button:has-text("Check now")');
    await page.waitForSelector('.badge:has-text("Missing")');
    await look('domains');
    const [stack] = (await owner.api.get('/v1/stack')).body.stacks;
    publish(dns, stack);
    await page.click('button:has-text("Check now")');
    await page.waitForSelector('h2 .badge.good:has-text("Active")');
    assert.equal(await page.locator('td .badge.good').count(), stack.records.length);
    await look('domains-active');
  });

  it('a delegation is granted, shown with what was passed on below it, and ended with that', async () => {
    const [first, second] = [await t.createAccount(), await t.createAccount()];
    await room('identity', 'Identity');
    await page.click('summary:has-text("Let another account")');
    await page.fill('#delegate-to', first.accountId);
    await page.check('#delegate input[value="mail:read"]');
    await page.fill('#delegate-budget', '5');
    await page.check('#delegate input[name="passes"]');
    await page.click('#delegate .button.primary');
    await page.waitForSelector(`strong:has-text("${first.accountId}")`);
    const [given] = (await owner.api.get('/v1/delegations')).body.delegations;
    assert.deepEqual([given.scopes, given.budget_usdc, given.may_delegate], [['mail:read'], 5_000_000, 1]);
    const { access_token: token } = await tokenFor(t, first.key, given.id);
    const passed = { to: second.accountId, scopes: ['mail:read'], expires_at: given.expires_at, budget_usdc: 1 };
    assert.equal((await t.api(token).post('/v1/delegations', passed)).status, 201);
    await room('audit', 'Audit log');
    await room('identity', 'Identity');
    const below = page.locator('.tree ul', { hasText: second.accountId });
    await below.waitFor();
    await look('identity');
    await page.click('button:text-is("End")');
    await confirm();
    await below.locator('.badge:has-text("Revoked")').waitFor();
    assert.equal((await t.api(token).get('/v1/email/addresses')).status, 401);
  });

  it('the audit log verifies in the browser, and an altered entry is found', async () => {
    await room('audit', 'Audit log');
    await page.click('#verify');
    await page.waitForSelector('#verified:has-text("The chain is intact")');
    await look('audit');
    await page.route('**/v1/audit?*', async (route) => {
      const reply = await route.fetch();
      const body = await reply.json();
      for (const entry of body.entries) if (entry.seq === 2) entry.status = 299;
      await route.fulfill({ response: reply, json: body });
    });
    await page.click('#verify');
    await page.waitForSelector('#verified:has-text("The chain is broken"):has-text("2")');
    await page.unroute('**/v1/audit?*');
  });

  it('what the agent paid the service is listed beside its charges, and saved as CSV', async () => {
    const vault = WARES.at(-1) as Ware;
    const buyer = await vault.prepare(t);
    const paid = await buyer.buy(await payV1(buyer.wallet, await buyer.buy(), t.clock.now()), 1);
    assert.equal(paid.status, vault.status, paid.text);
    const other = await openPage(browser, t);
    await openConsole(other, t, buyer.key, '#/money');
    await other.page.waitForSelector('#payments');
    unreadable.push(...(await axeFaults(other.page, 'money-payments')));
    const [download] = await Promise.all([other.page.waitForEvent('download'), other.page.click('#payments-csv')]);
    assert.match(
      readFileSync(await download.path(), 'utf8'),
      new RegExp(`"${paid.body.payment_id}",.*"0\\.01","verified"`),
    );
    assert.deepEqual(other.faults, []);
    await other.page.context().close();
  });

  it('the account is secured: the new key is shown once, and the console goes on with it', async () => {
    await room('settings', 'Settings');
    await look('settings');
    await page.click('button:has-text("Secure the account")');
    await confirm();
    const key = (await page.textContent('dialog .secret')) ?? '';
    await page.click('dialog button:has-text("I kept it")');
    assert.equal((await owner.api.get('/v1/account/me')).status, 401);
    assert.equal((await t.api(key).get('/v1/account/me')).status, 200);
    await room('vault', 'Vault');
  });

  it('nothing ran, left the page or could not be read', () => {
    assert.deepEqual([watched.faults, unreadable], [[], []]);
  });
});
