import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { axeFaults, closePages, launchChromium, sharedApp, skipWithoutChromium } from '../support/console.ts';
import { type TestApp, tokenIn } from '../support/harness.ts';
import { Keyboard } from '../support/keyboard.ts';

const STORED = "sessionStorage.getItem('signet.credential')";

describe('a login link in a tab that is logged in, in Chromium', { skip: skipWithoutChromium }, () => {
  let t: TestApp;
  let browser: Browser;
  const faults: string[] = [];
  let opened = 0;
  const people = { ada: { email: 'ada@example.com', id: '' }, eve: { email: 'eve@example.com', id: '' } };

  before(async () => {
    t = await sharedApp();
    for (const [name, person] of Object.entries(people)) {
      const { body } = await t.api().post('/v1/auth/keys', { name, email: person.email });
      person.id = body.account_id;
    }
    browser = await launchChromium();
  });
  after(async () => {
    await closePages(browser);
  });

  /** A link as it arrives by mail. */
  async function linkOf({ email }: { email: string }): Promise<string> {
    const before = new Set(await t.outboxMails());
    await t.api().post('/v1/auth/login', { email });
    const [mail = ''] = (await t.outboxMails()).filter((text) => !before.has(text) && text.includes('/login#'));
    return `${t.baseUrl}/login#token=${tokenIn(mail)}`;
  }

  /** Opens a link in the tab, as a click on it would. */
  async function follow(page: Page, link: string): Promise<void> {
    await page.goto('about:blank');
    await page.goto(link);
    if (opened++ === 0) faults.push(...(await axeFaults(page, 'login-opening')));
    await new Keyboard(page).press('#continue');
  }

  /** A tab in which Ada is logged in. */
  async function adasTab(): Promise<{ page: Page; session: string }> {
    const page = await (await browser.newContext()).newPage();
    page.on('pageerror', (err) => faults.push(String(err)));
    await follow(page, await linkOf(people.ada));
    await page.waitForSelector('#desk:not([hidden])');
    return { page, session: await page.evaluate<string>(STORED) };
  }

  const accountOf = async (credential: string) => (await t.api(credential).get('/v1/account/me')).body.id;

  it('L7: Eve sends Ada a link to her own account: the page names both accounts, and Ada stays in hers', async () => {
    const { page, session } = await adasTab();
    await follow(page, await linkOf(people.eve));
    const question = await page.textContent('dialog');
    for (const part of [`ada (${people.ada.id})`, `eve (${people.eve.id})`])
      assert.ok(question?.includes(part), `${question}`);
    assert.equal(await page.evaluate(STORED), session, 'nothing is replaced before the answer');
    assert.doesNotMatch(page.url(), /session_/);
    assert.deepEqual(await axeFaults(page, 'dialog-login-replace', 'dialog'), []);
    const ended = page.waitForResponse((response) => response.url().endsWith('/v1/auth/logout'));
    await new Keyboard(page).press('dialog button:has-text("Cancel")');
    await page.waitForSelector('#desk:not([hidden])');
    assert.equal(await page.evaluate(STORED), session);
    assert.equal(await accountOf(session), people.ada.id);
    const refused = (await (await ended).request().allHeaders()).authorization?.replace('Bearer ', '') ?? '';
    assert.notEqual(refused, session);
    assert.equal((await t.api(refused).get('/v1/account/me')).status, 401, 'the session of the link ended');
  });

  it('asked for: the page changes to the other account', async () => {
    const { page } = await adasTab();
    await follow(page, await linkOf(people.eve));
    await new Keyboard(page).press('dialog button.primary');
    await page.waitForSelector('#desk:not([hidden])');
    assert.equal(await accountOf(await page.evaluate<string>(STORED)), people.eve.id);
  });

  it('a link to the same account asks too; one with an invalid session does not log out', async () => {
    const { page, session } = await adasTab();
    await follow(page, await linkOf(people.ada));
    await page.waitForSelector('dialog');
    assert.equal(await page.evaluate(STORED), session);
    await page.goto('about:blank');
    await page.goto(`${t.baseUrl}/dashboard#session=session_${'x'.repeat(32)}`);
    await page.waitForSelector('#desk:not([hidden])');
    assert.equal(await page.evaluate(STORED), session);
  });

  it('an open dashboard asks too, and a session that has ended is replaced without a question', async () => {
    const { page, session } = await adasTab();
    const token = (await linkOf(people.eve)).split('#token=')[1];
    const opened = await t.api().get(`/v1/auth/verify?token=${token}`);
    const eves = opened.headers.get('location')?.split('#session=')[1] ?? '';
    await page.evaluate(`location.hash = 'session=${eves}'`);
    await page.waitForSelector('dialog');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { state: 'detached' });
    assert.equal(await page.evaluate(STORED), session);
    await t.api(session).post('/v1/auth/logout');
    await follow(page, await linkOf(people.eve));
    await page.waitForSelector('#desk:not([hidden])');
    assert.equal(await page.locator('dialog').count(), 0);
    assert.equal(await accountOf(await page.evaluate<string>(STORED)), people.eve.id);
    assert.deepEqual(faults, []);
  });
});
