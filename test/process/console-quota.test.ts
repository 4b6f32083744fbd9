import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { closePages, launchChromium, openPage, skipWithoutChromium } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { startTestApp, type TestApp } from '../support/harness.ts';
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
  before(async () => {
    t = await startTestApp('sqlite', { defaultLimits: true });
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
