import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { SignetClient } from '../../src/client/signet-client.ts';
import { Vault } from '../../src/client/vault.ts';
import { backUpSeed, randomSeed, writeSeed } from '../../src/client/vault-seed.ts';
import { confirmOperator, createAgent, mailsTo, type TestAgent } from '../support/agents.ts';
import {
  axeFaults,
  closePages,
  launchChromium,
  openPage,
  sharedApp,
  skipWithoutChromium,
  type WatchedPage,
} from '../support/console.ts';
import type { TestApp } from '../support/harness.ts';
import { Keyboard } from '../support/keyboard.ts';
import { followLink, loginLinks, newPerson } from '../support/operators.ts';

/** What a hostile agent may call itself, and write to its operator. */
const HOSTILE = '<img src=x onerror=alert(1)>"\'--></script><a href=https://evil.example>';
const MARKUP =
  '<h1>Pay now</h1><img src="https://evil.example/x.png"><script>alert(1)</script><a href="https://evil.example">go</a>';
const PASSPHRASE = 'correct horse battery';

/** The pages that mailed links open, one story each. */
describe('the pages of mailed links, in Chromium', { skip: skipWithoutChromium }, () => {
  let t: TestApp;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;
  let keys: Keyboard;
  let agent: TestAgent;
  let email: string;
  const unreadable: string[] = [];

  before(async () => {
    t = await sharedApp();
    email = newPerson(t);
    agent = await createAgent(t, {}, await t.createAccount({ name: HOSTILE }));
    await confirmOperator(t, agent, email);
    browser = await launchChromium();
    watched = await openPage(browser, t, { acceptDownloads: true });
    page = watched.page;
    keys = new Keyboard(page);
  });
  after(async () => {
    await closePages(browser);
  });

  const look = async (name: string): Promise<void> => void unreadable.push(...(await axeFaults(page, name)));

  /** Opens the link to a page in the newest mail to an address. */
  async function follow(path: string, to: string): Promise<void> {
    const mail = (await mailsTo(t, to)).findLast((text) => text.includes(`/${path}#`)) ?? '';
    const link = new RegExp(`${t.baseUrl}/${path}#[\\w=&]+`).exec(mail)?.[0];
    assert.ok(link, `a mail with a link to /${path}`);
    await page.goto('about:blank');
    await page.goto(link);
  }

  it('a charge: who asks, the amount against the cap, and what is left; decided once', async () => {
    await agent.api.put('/v1/budget', { daily: '2.00', on_limit: 'approve' });
    const asked = await agent.api.post('/v1/charge', { amount: '5.00', category: 'tools', description: HOSTILE });
    await follow('approve', email);
    await page.waitForSelector('#asking-title:focus');
    const shown = (await page.textContent('#asking')) ?? '';
    for (const part of [HOSTILE, agent.address, agent.accountId, '5.00 USDC', '0.00 USDC of 2.00 USDC spent'])
      assert.ok(shown.includes(part), part);
    assert.match(shown, /3\.00 USDC over the daily cap after this/);
    await look('link-approve');
    // By keyboard alone; Enter in the field decides nothing.
    await page.focus('#reason');
    await page.keyboard.type('It is needed.');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#done-title:focus');
    assert.equal(await page.textContent('#done-title'), 'Approved');
    assert.match((await page.textContent('#done-why')) ?? '', /^\d+\.\d\d USDC for .+\. The charge is recorded\./);
    assert.equal(await page.locator('#done time').count(), 1);
    const approval = (await agent.api.get(`/v1/approvals/${asked.body.approval_id}`)).body;
    assert.deepEqual([approval.status, approval.reason], ['approved', 'It is needed.']);
    await page.reload();
    await page.waitForSelector('#done-title:has-text("Approved")');
    await look('link-approved');
  });

  it('a held mail: its whole text, its HTML without script or image, its files; rejected', async () => {
    const [link] = await loginLinks(t, email);
    const operator = t.api(await followLink(t, link as string));
    await operator.put('/v1/email/policy', { outbound: { hold: 'always' } });
    const attachments = [{ filename: 'plan.txt', content: Buffer.from('the plan').toString('base64') }];
    const mail = { from: agent.address, to: 'ada@example.com', subject: HOSTILE, text: 'Please buy.', html: MARKUP };
    assert.equal((await agent.api.post('/v1/email/send', { ...mail, attachments })).status, 202);
    await follow('review', email);
    await page.waitForSelector('#text:has-text("Please buy.")');
    const frame = page.frameLocator('iframe.mail-frame');
    await frame.locator('h1:has-text("Pay now")').waitFor();
    assert.equal(await frame.locator('script, img').count(), 0);
    const saved = page.waitForEvent('download');
    await keys.press('button:has-text("Download")');
    assert.equal((await saved).suggestedFilename(), 'plan.txt');
    await look('link-review');
    await keys.press('#reject');
    await page.waitForSelector('#done-title:has-text("Rejected")');
    assert.equal((await agent.api.get('/v1/email/outbox')).body.messages[0].status, 'failed');
  });

  it('B: a held mail: approving can remember the recipient, and no domain', async () => {
    await agent.api.put('/v1/email/policy', { outbound: { hold: 'never', to: 'list', otherwise: 'review' } });
    // Mails of the same moment have no order.
    t.clock.advance(1000);
    const send = () =>
      agent.api.post('/v1/email/send', { from: agent.address, to: 'bob@other.example', subject: 'Hi', text: 'Hi.' });
    assert.equal((await send()).status, 202);
    await follow('review', email);
    await page.waitForSelector('#remember');
    assert.deepEqual(
      await page.locator('#remember option').evaluateAll((all) => all.map((one) => one.getAttribute('value'))),
      ['none', 'recipient'],
    );
    await keys.to('#remember');
    await page.selectOption('#remember', 'recipient');
    await keys.press('#approve');
    await page.waitForSelector('#done-title:has-text("Approved")');
    assert.equal((await send()).status, 201);
  });

  it('an address: who named it, and the question of authority; confirmed once', async () => {
    const other = newPerson(t);
    const named = await createAgent(t, {}, await t.createAccount({ name: 'newcomer' }));
    await named.api.post('/v1/account/operator-email', { email: other, authority: 'account' });
    await follow('confirm', other);
    await page.waitForSelector('#asking-title:has-text("Are you the operator of this agent?")');
    assert.ok(((await page.textContent('#asking')) ?? '').includes(named.address));
    assert.ok(await page.isChecked('#authority-operator'), 'D: not what the agent proposes');
    await look('link-confirm');
    await keys.press('#confirm');
    await page.waitForSelector('#done-title:has-text("Confirmed")');
    await page.waitForSelector('#done a[href="/login"]');
    const { people } = (await named.api.get('/v1/account/me')).body;
    assert.equal(people[0].confirmed, true);
    await page.reload();
    await page.waitForSelector('#done-title:has-text("This link is not valid")');
  });

  it('an operator who is named after the first hour reads that the key can remove him for 7 days; in the first hour it does not say so', async () => {
    const shownTo = async (isYoung: boolean): Promise<number> => {
      const [named, other] = [await t.createAccount(), newPerson(t)];
      const hour = 3_600_000;
      if (isYoung) await t.sql('update accounts set created_at = created_at - ? where id = ?', hour, named.accountId);
      await named.api.post('/v1/account/operator-email', { email: other });
      await follow('confirm', other);
      await page.waitForSelector('#asking-title:has-text("Are you the operator of this agent?")');
      return page
        .locator('#young:has-text("For 7 days after you confirm, the agent’s key can remove you at once")')
        .count();
    };
    assert.deepEqual([await shownTo(true), await shownTo(false)], [1, 0]);
  });

  it('a link that was cut off says so, and asks nothing', async () => {
    for (const path of ['approve', 'review', 'confirm']) {
      await page.goto('about:blank');
      await page.goto(`${t.baseUrl}/${path}#id=apr_1`);
      await page.waitForSelector('#done-title:has-text("This link is incomplete")');
    }
    await look('link-incomplete');
  });

  it('a lost seed: recovered by mail, opened in the page with the passphrase, its entries masked until asked', async () => {
    const owner = await t.createAccount();
    const address = newPerson(t);
    const seed = randomSeed();
    const vault = new Vault(new SignetClient({ baseUrl: t.baseUrl, key: owner.key }), seed);
    await vault.put('db-password', 'hunter2\nsecond line');
    const sealed = await backUpSeed(seed, PASSPHRASE);
    await owner.api.post('/v1/vault/recovery-email', { email: address, encrypted_seed: sealed });
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
    await page.goto('about:blank');
    await page.goto(`${t.baseUrl}/recover`);
    await keys.type('#email', address);
    await look('link-recover-ask');
    await keys.press('#send');
    await page.waitForSelector('#sent-title:focus');
    await look('link-recover-sent');
    await follow('recover', address);
    await keys.press('#open');
    await page.waitForSelector('#found-title:focus');
    await keys.type('#passphrase-0', 'wrong');
    await keys.press('.sealed-seed .decide');
    await page.waitForSelector('.problem:has-text("This passphrase does not open the seed.")');
    await look('link-recover-wrong');
    await keys.type('#passphrase-0', PASSPHRASE);
    await keys.press('.sealed-seed .decide');
    await page.waitForSelector('#entry-0-0');
    assert.equal(await page.textContent('#entry-0-0'), 'hunter2\nsecond line');
    assert.equal(await page.textContent('#seed-0'), writeSeed(seed));
    const mask = "getComputedStyle(document.getElementById('entry-0-0')).webkitTextSecurity";
    assert.equal(await page.evaluate(mask), 'disc');
    await look('link-recovered');
    await keys.check('.revealed:has(#entry-0-0) input');
    assert.equal(await page.evaluate(mask), 'none');
    const saved = page.waitForEvent('download');
    await keys.press('#save');
    assert.equal((await saved).suggestedFilename(), 'signet-recovery.json');
    assert.ok(sent.every((one) => !one.includes(PASSPHRASE) && !one.includes(writeSeed(seed))));
    await page.reload();
    await page.waitForSelector('#asking-title:has-text("This link no longer works")');
  });

  it('every page is readable, nothing ran that should not, and nothing was asked of another host', () => {
    assert.deepEqual(unreadable, []);
    assert.deepEqual(watched.faults, []);
  });
});
