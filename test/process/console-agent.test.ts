import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { createAgent } from '../support/agents.ts';
import {
  axeFaults,
  launchChromium,
  openConsole,
  openPage,
  shot,
  skipWithoutChromium,
  type WatchedPage,
} from '../support/console.ts';
import { startTestApp, type TestApp } from '../support/harness.ts';
import { untilReaders } from '../support/stream-client.ts';

/** A picture of one pixel. */
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** One story of one agent's owner, step by step: from the landing page to a mail that is answered. */
describe('the console of an agent, in Chromium', { skip: skipWithoutChromium }, () => {
  let t: TestApp;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;
  let key = '';
  let address = '';

  before(async () => {
    t = await startTestApp('sqlite');
    // The first mail starts the parser of mail. Beside a browser that starts too, it could miss its deadline.
    const first = await createAgent(t);
    await t.sendSmtp({ to: first.address, text: 'Hello' });
    await first.api.get(`/v1/email/inbox?address=${first.address}&wait=30`);
    browser = await launchChromium();
    watched = await openPage(browser, t);
    page = watched.page;
  });
  after(async () => {
    await browser?.close();
    await t?.stop();
  });

  const unreadable: string[] = [];
  const look = async (at: Page, name: string): Promise<void> => void unreadable.push(...(await axeFaults(at, name)));
  const click = (selector: string): Promise<void> => page.click(selector);
  const seen = (selector: string) => page.waitForSelector(selector);

  it('the landing page makes an agent with one press, and shows its key once', async () => {
    await page.goto(t.baseUrl);
    await page.fill('#name', 'Ada');
    await look(page, 'landing');
    await click('#create-agent');
    await seen('#new-key');
    key = (await page.textContent('#new-key')) ?? '';
    address = (await page.textContent('#new-address')) ?? '';
    assert.match(key, /^signet_live_/);
    assert.deepEqual((await t.api(key).get('/v1/account/me')).body.addresses, [address]);
    await look(page, 'landing-key');
  });

  it('then the console opens, and a mail appears as it arrives over SMTP', async () => {
    await click('#kept');
    await seen('#arrival .waiting');
    await look(page, 'overview');
    const html =
      '<p>Your code is <b>482913</b>. <img src="cid:dot%40here" alt="a dot"><img src="https://tracker.example/a.png"><script>alert(1)</script></p><p><a href="https://example.org/verify?id=1">Verify</a></p>';
    const text = 'Your verification code is 482913.\nhttps://example.org/verify?id=1';
    const attachments = [{ filename: 'dot.png', contentType: 'image/png', cid: 'dot@here', content: DOT }];
    await untilReaders(t.baseUrl, 1);
    await t.sendSmtp({ to: address, subject: 'Your code', text, html, attachments });
    await seen('#arrival .letter');
    await shot(page, 'overview-arrived');
  });

  it('the code of a mail is a chip, its HTML is safe, and its links name their host first', async () => {
    await click('#arrival .letter a');
    await seen('.message');
    assert.equal(await page.textContent('#code'), '482913');
    await click('button:has-text("Show the HTML part")');
    await seen('iframe.mail-frame');
    const pictures = page.frameLocator('iframe.mail-frame').locator('img');
    // What came with the mail shows; what lies elsewhere is not asked for.
    await pictures.first().waitFor({ state: 'attached' });
    assert.equal(await pictures.count(), 1);
    assert.match((await pictures.getAttribute('src')) ?? '', /^data:image\/png;base64,/);
    await look(page, 'mail-message');
    await click('.message-links button');
    assert.match((await page.textContent('dialog')) ?? '', /Open example\.org\?[\s\S]*https:\/\/example\.org\/verify/);
    await page.keyboard.press('Escape');
  });

  it('a reply to all goes out with a quote and an attachment, and the folder says that it stayed here', async () => {
    await click('a:has-text("Reply all")');
    await seen('#compose');
    assert.match(await page.inputValue('#text'), /> Your verification code is 482913\./);
    await page.setInputFiles('#files', { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') });
    await look(page, 'mail-reply');
    await click('#compose button.primary');
    await seen('.toast.shown:has-text("Kept on this machine")');
    const mail = (await t.outboxMails()).at(-1) ?? '';
    assert.match(mail, /^Subject: Re: Your code\r?$/m);
    assert.match(mail, /filename="?note\.txt/);
    await click('.folders a:has-text("Sent")');
    await seen('.entry .badge:has-text("Kept on this machine")');
  });

  it('archiving a mail is taken back from its notice', async () => {
    await click('.folders a:has-text("Inbox")');
    await click('.letters a');
    await click('.message button:has-text("Archive")');
    await seen('.list-pane .empty');
    await click('.toast button:has-text("Undo")');
    await seen('.letters a');
    await seen('.toast.shown:has-text("Undone.")');
  });

  it('a sender is blocked with one press, and no longer after undo', async () => {
    const blocked = async () => (await t.api(key).get('/v1/email/policy')).body.inbound.block;
    await click('.letters a');
    await click('.message button:has-text("Block sender")');
    await seen('.toast.shown:has-text("ada@example.com is blocked")');
    assert.deepEqual(await blocked(), ['ada@example.com']);
    await click('.toast button:has-text("Undo")');
    await seen('.toast.shown:has-text("Undone.")');
    assert.deepEqual(await blocked(), []);
  });

  it('a mail taken out of the trash goes back to it from the notice', async () => {
    await click('.letters a');
    await click('.message button:has-text("Delete")');
    await seen('.list-pane .empty');
    await click('.folders a:has-text("Trash")');
    await click('.letters a');
    await click('.message button:has-text("Move to inbox")');
    await seen('.list-pane .empty');
    await click('.toast button:has-text("Undo")');
    await click('.letters a');
    await click('.message button:has-text("Move to inbox")');
    await seen('.list-pane .empty');
  });

  it('the policy blocks a sender, and every folder has a state of its own', async () => {
    await click('.folders a:has-text("Policy")');
    await page.fill('#in-block', 'spam.example');
    await look(page, 'mail-policy');
    await click('form.compose button.primary');
    await seen('.toast.shown:has-text("Saved")');
    assert.deepEqual((await t.api(key).get('/v1/email/policy')).body.inbound.block, ['spam.example']);
    for (const folder of ['Quarantine', 'Spam', 'Drafts', 'Trash']) {
      await click(`.folders a:has-text("${folder}")`);
      await seen(`.folders a[aria-current]:has-text("${folder}")`);
      await seen('.list-pane .empty');
    }
  });

  it('a cap is set, and a charge appears in the chart and the ledger as it is made', async () => {
    await click('#sections a:has-text("Money")');
    await page.fill('#cap-daily', '10');
    await click('#save-caps');
    await seen('.toast.shown:has-text("The caps are set")');
    // The page reads itself anew after a change, and shows what comes after that.
    await seen('#save-caps:not([aria-disabled])');
    const charged = await t.api(key).post('/v1/charge', { amount: '2.50', category: 'tools', description: '=1+1' });
    assert.equal(charged.status, 200, charged.text);
    await seen('tbody tr:has-text("2.50 USDC")');
    await seen('.usage:has-text("7.50 USDC left")');
    assert.equal(await page.locator('.chart rect').count(), 1);
    await look(page, 'money');
    const [download] = await Promise.all([page.waitForEvent('download'), click('#csv')]);
    assert.match(readFileSync(await download.path(), 'utf8'), /"2\.5","tools","'=1\+1",""\r\n$/);
  });

  it('the palette leads to a page by keyboard alone, and the events are there', async () => {
    await page.keyboard.press('Control+k');
    await seen('dialog.palette [role="option"]');
    await page.keyboard.type('activ');
    await look(page, 'palette');
    await page.keyboard.press('Enter');
    await seen('.entries .entry:has-text("Mail received")');
    await look(page, 'activity');
    await page.keyboard.press('Tab');
    assert.notEqual(await page.evaluate('document.activeElement?.id'), 'skip', 'the focus went into the page');
  });

  it('a wrong key stays in the field; the right one is remembered only if asked', async () => {
    const other = await openPage(browser, t);
    await other.page.goto(`${t.baseUrl}/login`);
    await other.page.fill('#key', `${key}x`);
    await other.page.click('#sign-in');
    await other.page.waitForSelector('#key-form .problem:not(:empty)');
    assert.equal(await other.page.inputValue('#key'), `${key}x`);
    await look(other.page, 'login');
    await other.page.fill('#key', key);
    await other.page.check('input[name="remember"]');
    await other.page.click('#sign-in');
    await other.page.waitForSelector('#desk main h1');
    const again = await other.page.context().newPage();
    await again.goto(`${t.baseUrl}/dashboard`);
    await again.waitForSelector('#desk main h1');
    await again.click('#sign-out');
    await again.waitForSelector('#key-form');
    assert.equal(await again.evaluate("localStorage.getItem('signet.credential')"), null);
    assert.deepEqual(other.faults, []);
    await other.page.context().close();
  });

  it('the landing page waits for a code with the new agent, and its examples have the agent’s own key', async () => {
    const other = await openPage(browser, t);
    await other.page.goto(t.baseUrl);
    await other.page.click('#create-agent');
    await other.page.waitForSelector('#new-key');
    const made = (await other.page.textContent('#new-key')) ?? '';
    for (const language of ['curl', 'TypeScript', 'Python', 'MCP']) {
      await other.page.click(`#tab-${language}`);
      await other.page.waitForSelector(`#example[aria-labelledby="tab-${language}"]:has-text("${made}")`);
    }
    await other.page.click('#try-code');
    await other.page.waitForSelector('#demo-code');
    assert.match((await other.page.textContent('#demo-code')) ?? '', /^\d{6}$/);
    await look(other.page, 'landing-demo');
    assert.deepEqual(other.faults, []);
    await other.page.context().close();
  });

  it('without a connection the page says so, and keeps what it shows', async () => {
    await openConsole(watched, t, key, '#/activity');
    await page.context().setOffline(true);
    await seen('.banner');
    await click('#sections a:has-text("Keys")');
    await seen('.failed:has-text("You are offline")');
    await page.context().setOffline(false);
    await seen('#desk table');
    await look(page, 'keys');
  });

  it('axe-core found nothing on any of these pages', () => assert.deepEqual(unreadable, []));

  it('nothing ran that should not, and nothing was asked of another host', () => assert.deepEqual(watched.faults, []));
});
