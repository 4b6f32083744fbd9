import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { closePages, launchChromium, openConsole, openPage, skipWithoutChromium } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { startTestApp, type TestAccount, type TestApp } from '../support/harness.ts';
import { Keyboard } from '../support/keyboard.ts';

const PAGES = {
  overview: 'Overview',
  mail: 'Mail',
  money: 'Money',
  vault: 'Vault',
  calendar: 'Calendar',
  identity: 'Identity',
  activity: 'Activity',
  keys: 'Keys',
  webhooks: 'Webhooks',
  requests: 'Requests',
  domains: 'Domains',
  pods: 'Pods',
  audit: 'Audit log',
  settings: 'Settings',
};
const STORED = "sessionStorage.getItem('signet.credential')";

/** With the limits of a fresh installation. */
describe('D: a person who logs in with a key, in Chromium', { skip: skipWithoutChromium }, () => {
  let t: TestApp;
  let browser: Browser;
  /** Of the tests that need no new one: a network makes five an hour. */
  let known: TestAccount;
  before(async () => {
    t = await startTestApp('sqlite', { defaultLimits: true });
    known = await t.createAccount();
    browser = await launchChromium();
  });
  after(async () => {
    await closePages(browser).finally(() => t?.stop());
  });

  it('D: opens 42 views, and the agent still has all of its requests; the browser never keeps the key', async () => {
    const { api, key } = await t.createAccount();
    const used = async () => (await api.get('/v1/usage')).body.requests.used;
    const before = await used();
    const { page, faults } = await openPage(browser, t);
    const by = new Keyboard(page);
    await page.goto(`${t.baseUrl}/login`);
    await by.type('#key', key);
    await by.press('#sign-in');
    await page.waitForSelector('#desk main h1');
    for (let round = 0; round < 3; round++)
      for (const [name, title] of Object.entries(PAGES)) {
        await page.evaluate(`location.hash = '#/${name}'`);
        await eventually(async () => (await page.title()) === `${title} · Signet`);
      }
    assert.equal(await used(), before + 1);
    assert.match(await page.evaluate(STORED), /^session_key/);
    await by.press('#sign-out');
    await page.waitForSelector('#key-form');
    assert.equal(await page.evaluate(STORED), null);
    assert.deepEqual(faults, []);
  });

  it('D: a second tab goes on with the session of the first, for who asks alone, and signs out both', async () => {
    const { key } = known;
    const first = await openPage(browser, t);
    const context = first.page.context();
    const by = new Keyboard(first.page);
    await first.page.goto(`${t.baseUrl}/login`);
    await by.type('#key', key);
    await by.press('#sign-in');
    await first.page.waitForSelector('#desk main h1');
    const session = await first.page.evaluate<string>(STORED);
    const second = await context.newPage();
    await second.goto(`${t.baseUrl}/dashboard#/keys`);
    await second.waitForSelector('#desk main h1:has-text("Keys")');
    assert.equal(await second.evaluate(STORED), session);
    const device = await second.evaluate<string>('JSON.stringify({ ...localStorage })');
    assert.ok(!device.includes(session) && !device.includes(key), 'the device keeps neither');
    // Who comes to log in is asked. What no tab asked for is not taken.
    const third = await context.newPage();
    await third.goto(`${t.baseUrl}/login`);
    await third.waitForSelector('#go-on');
    await first.page.evaluate(`new BroadcastChannel('signet.session').postMessage(
      { kind: 'session', id: '1-2-3-4', session: 'session_planted', usedAt: 9e15 })`);
    assert.equal(await third.evaluate(STORED), null);
    await new Keyboard(third).press('#go-on');
    await third.waitForSelector('#desk main h1');
    assert.equal(await third.evaluate(STORED), session);
    await new Keyboard(second).press('#sign-out');
    for (const tab of [first.page, third]) {
      await tab.waitForSelector('.problem:has-text("Your session has ended. Log in again to go on.")');
      assert.equal(await tab.evaluate(STORED), null);
    }
    assert.deepEqual(first.faults, []);
    await context.close();
  });

  it('D: a page of another origin gets no session, nor does a tab beside one with a named key', async () => {
    const { api, key } = known;
    const first = await openPage(browser, t);
    const context = first.page.context();
    const by = new Keyboard(first.page);
    await first.page.goto(`${t.baseUrl}/login`);
    await by.type('#key', key);
    await by.press('#sign-in');
    await first.page.waitForSelector('#desk main h1');
    const elsewhere = await context.newPage();
    await elsewhere.goto(`${t.baseUrl.replace('127.0.0.1', 'localhost')}/dashboard`);
    await elsewhere.waitForSelector('#key-form');
    await elsewhere.evaluate("localStorage.setItem('signet.opened', 'yes')");
    await elsewhere.reload();
    await elsewhere.waitForSelector('#key-form');
    assert.equal(await elsewhere.evaluate(STORED), null);
    await context.close();
    const made = await api.post('/v1/account/keys', { name: 'look', scopes: ['account:read'] });
    const named = await openPage(browser, t);
    await openConsole(named, t, made.body.api_key);
    const beside = await named.page.context().newPage();
    await beside.goto(`${t.baseUrl}/dashboard`);
    await beside.evaluate("localStorage.setItem('signet.opened', 'yes')");
    await beside.reload();
    await beside.waitForSelector('#key-form');
    assert.equal(await beside.evaluate(STORED), null);
    await named.page.context().close();
  });

  it('D: a session that has ended is not called a wrong key', async () => {
    const { api, key } = known;
    const { session } = (await api.post('/v1/auth/session')).body;
    const { page } = await openPage(browser, t);
    await openConsole({ page, faults: [] }, t, session);
    await t.api(session).post('/v1/auth/logout');
    await page.reload();
    await page.waitForSelector('.problem:has-text("Your session has ended. Log in again to go on.")');
    await new Keyboard(page).type('#key', `${key}x`);
    await new Keyboard(page).press('#sign-in');
    await page.waitForSelector('#key-form .problem:has-text("This key is not valid.")');
    await page.context().close();
  });

  it('D: replaces the key, and goes on with a session of the new one', async () => {
    const { key } = await t.createAccount();
    const { page, faults } = await openPage(browser, t);
    const by = new Keyboard(page);
    await page.goto(`${t.baseUrl}/login`);
    await by.type('#key', key);
    await by.press('#sign-in');
    await page.waitForSelector('#desk main h1');
    const former = await page.evaluate(STORED);
    await page.evaluate("location.hash = '#/keys'");
    await by.press('button:has-text("Replace the active key")');
    await by.press('dialog button:has-text("Replace the key")');
    await page.waitForSelector('dialog :text("signet_live_")');
    const shown = await page.textContent('dialog :text("signet_live_")');
    assert.equal((await t.api(key).get('/v1/account/me')).status, 401);
    const current = await page.evaluate<string>(STORED);
    assert.notEqual(current, former);
    assert.equal((await t.api(current).get('/v1/account/me')).status, 200);
    assert.equal((await t.api(shown?.trim()).get('/v1/account/me')).status, 200);
    assert.deepEqual(faults, []);
  });

  it('D: looks with a named key, whose calls are its own', async () => {
    const { api } = await t.createAccount();
    const made = await api.post('/v1/account/keys', { name: 'look', scopes: ['account:read', 'mail:read'] });
    const { page } = await openPage(browser, t);
    const by = new Keyboard(page);
    await page.goto(`${t.baseUrl}/login`);
    await by.type('#key', made.body.api_key);
    await by.press('#sign-in');
    await page.waitForSelector('#desk main h1');
    assert.equal(await page.evaluate(STORED), made.body.api_key);
  });
});
