import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { createAgent, type TestAgent } from '../support/agents.ts';
import {
  axeFaults,
  closePages,
  launchChromium,
  openConsole,
  openPage,
  sharedApp,
  skipWithoutChromium,
  type WatchedPage,
} from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { itInAll } from '../support/full-run.ts';
import type { TestApp } from '../support/harness.ts';

/** What this browser keeps, whatever it is about. */
const KEPT =
  "Object.entries(localStorage).filter(([name]) => name.startsWith('signet.typed.')).map(([, text]) => text).join()";

/** Nothing that was typed into a mail is lost. */
describe('D: what is typed into a mail, in Chromium', { skip: skipWithoutChromium }, () => {
  let t: TestApp;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;
  let agent: TestAgent;
  let mail: string;

  before(async () => {
    t = await sharedApp();
    browser = await launchChromium();
    agent = await createAgent(t);
    const ada = await createAgent(t);
    const letter = { from: ada.address, to: agent.address, subject: 'Lunch', text: 'Do you come?' };
    assert.equal((await ada.api.post('/v1/email/send', letter)).status, 201);
    mail = `#/mail/${encodeURIComponent(agent.address)}`;
    watched = await openPage(browser, t);
    page = watched.page;
    await openConsole(watched, t, agent.key, `${mail}/inbox`);
  });
  after(async () => {
    await closePages(browser);
    assert.deepEqual(watched.faults, []);
  });

  const textNow = (at = page): Promise<string> => at.inputValue('#text');
  const type = async (text: string): Promise<void> => {
    await page.focus('#text');
    await page.keyboard.insertText(text);
  };
  const drafts = async (): Promise<{ draft_id: string; subject: string }[]> =>
    (await agent.api.get('/v1/email/drafts')).body.drafts;
  const draftWith = (text: string) =>
    eventually(async () => {
      for (const { draft_id: id } of await drafts())
        if ((await agent.api.get(`/v1/email/drafts/${id}`)).body.text.includes(text)) return id;
      return null;
    }, `a draft with ${text}`);

  it('D: stays after Back: it is a draft, and the folder opens it', async () => {
    await page.click('#write');
    await page.waitForSelector('#compose');
    await type('Went back.');
    await page.goBack();
    await page.waitForSelector('.letters');
    await draftWith('Went back.');
    await page.click('.folders a:has-text("Drafts")');
    await page.click('.entry a:has-text("Edit")');
    await page.waitForSelector('#compose');
    assert.equal(await textNow(), 'Went back.');
    const [{ autosaved }] = (await agent.api.get('/v1/email/drafts')).body.drafts;
    assert.equal(autosaved, true);
  });

  it('D: stays after a reload, before any draft is saved', async () => {
    await page.goto(`${t.baseUrl}/dashboard${mail}/new`);
    await page.waitForSelector('#compose');
    await page.fill('#to', 'bob@example.org');
    await type('Loaded again.');
    await page.reload();
    await page.waitForSelector('#compose');
    assert.deepEqual([await page.inputValue('#to'), await textNow()], ['bob@example.org', 'Loaded again.']);
  });

  it('D: takes no place of what was written elsewhere meanwhile: both are drafts', async () => {
    await page.route('**/v1/email/drafts*/**', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    );
    await page.goto(`${t.baseUrl}/dashboard${mail}/drafts`);
    const { draft_id: id } = (await agent.api.post('/v1/email/drafts', { subject: 'Two', text: 'First.' })).body;
    await page.goto(`${t.baseUrl}/dashboard${mail}/drafts/${id}`);
    await page.waitForSelector('#compose');
    await page.fill('#text', 'Older, here.');
    await page.waitForSelector('#compose-status.kept');
    const at = new Date(t.clock.now() + 3_600_000).toISOString();
    t.clock.advance(1000);
    const elsewhere = { to: 'bob@example.org', text: 'Newer, elsewhere.', send_at: at };
    assert.equal((await agent.api.patch(`/v1/email/drafts/${id}`, elsewhere)).status, 200);
    await page.reload();
    await page.waitForSelector('.toast.shown:has-text("This draft was changed elsewhere")');
    assert.equal(await textNow(), 'Newer, elsewhere.');
    await page.unroute('**/v1/email/drafts*/**');
    assert.match(await page.evaluate(KEPT), /Older, here\./);
    // The text of the last ten seconds may be that of another tab.
    await page.evaluate(
      "for (const [name, text] of Object.entries(localStorage)) if (name.startsWith('signet.typed.')) localStorage.setItem(name, JSON.stringify({ ...JSON.parse(text), at: JSON.parse(text).at - 60000 }))",
    );
    await page.click('.folders a:has-text("Drafts")');
    await draftWith('Older, here.');
    const { status, text } = (await agent.api.get(`/v1/email/drafts/${id}`)).body;
    assert.deepEqual([status, text], ['scheduled', 'Newer, elsewhere.']);
  });

  it('D: stays after a click elsewhere: the answer of the conversation opens with it', async () => {
    await page.goto(`${t.baseUrl}/dashboard${mail}/inbox`);
    await page.click('.letters a:has-text("Lunch")');
    await page.click('.message a:has-text("Reply")');
    await page.waitForSelector('#compose');
    await type('Clicked elsewhere.');
    await page.click('#sections a:has-text("Money")');
    await page.waitForSelector('h1:has-text("Money")');
    const id = await draftWith('Clicked elsewhere.');
    await page.click('#sections a:has-text("Mail")');
    await page.click('.letters a:has-text("Lunch")');
    await page.click('.message a:has-text("Reply")');
    await page.waitForSelector('#compose');
    assert.match(await textNow(), /^Clicked elsewhere\.\n\nOn .*wrote:\n> Do you come\?/);
    const draft = (await agent.api.get(`/v1/email/drafts/${id}`)).body;
    assert.deepEqual([draft.subject, draft.in_reply_to?.slice(0, 4)], ['Re: Lunch', 'msg_']);
  });

  itInAll('D: stays after the tab was closed, and is a draft as soon as the folder is opened', async () => {
    await page.goto(`${t.baseUrl}/dashboard${mail}/new`);
    await page.waitForSelector('#compose');
    // The service is away meanwhile: only this browser has it.
    await page.route('**/v1/email/drafts*', (route) => route.abort());
    await type('Closed the tab.');
    await page.waitForSelector('#compose-status:not(:empty)');
    const other = await page.context().newPage();
    await page.close();
    page = other;
    watched = { ...watched, page };
    await openConsole(watched, t, agent.key, `${mail}/new`);
    await page.waitForSelector('#compose');
    assert.equal(await textNow(), 'Closed the tab.');
    await draftWith('Closed the tab.');
    await page.waitForSelector('#compose-status.saved');
    assert.match(page.url(), /\/drafts\/drf_/, 'from now on it is a draft, and another new mail is empty');
    assert.deepEqual(await axeFaults(page, 'mail-compose'), []);
    // However long the mail is, Send and its time are in sight.
    await type('One more line.\n'.repeat(200));
    for (const size of [
      { width: 1440, height: 900 },
      { width: 390, height: 700 },
    ]) {
      await page.setViewportSize(size);
      for (const button of ['#compose button.primary', '#send-later']) {
        const box = await page.locator(button).boundingBox();
        assert.ok(box && box.y > 0 && box.y + box.height <= size.height, `${button} at ${JSON.stringify(size)}`);
      }
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  itInAll('D: stays when the session has ended: who logs in again goes on', async () => {
    await page.goto(`${t.baseUrl}/dashboard${mail}/new`);
    await page.waitForSelector('#compose');
    for (const { id } of (await agent.api.get('/v1/account/sessions')).body.sessions)
      await agent.api.delete(`/v1/account/sessions/${id}`);
    await type('Session ended.');
    await page.waitForSelector('.problem:has-text("Your session has ended")');
    assert.match(await page.evaluate(KEPT), /Session ended\./);
    await page.fill('#key', agent.key);
    await page.click('#sign-in');
    await page.waitForSelector('#compose');
    assert.equal(await textNow(), 'Session ended.');
    await draftWith('Session ended.');
  });

  itInAll('D: stays while the service is away, which the form says, and is saved when it is back', async () => {
    await page.goto(`${t.baseUrl}/dashboard${mail}/new`);
    await page.waitForSelector('#compose');
    await page.route('**/v1/**', (route) => route.abort());
    await type('Away for a minute.');
    await page.waitForSelector('#compose-status.problem:has-text("out of reach")');
    await page.fill('#to', 'bob@example.org');
    await page.click('#compose button.primary');
    await page.waitForSelector('#compose .problem:has-text("Could not reach")');
    assert.equal(await textNow(), 'Away for a minute.');
    await page.unroute('**/v1/**');
    await page.waitForSelector('#compose-status.saved');
    await draftWith('Away for a minute.');
  });

  itInAll('D: full drafts say so, the text stays here, and it can be sent at once', async () => {
    const full = await createAgent(t);
    for (let i = 0; i < 20; i++)
      assert.equal((await full.api.post('/v1/email/drafts', { subject: `${i}`, text: 'x' })).status, 201);
    const other = await openPage(browser, t);
    await openConsole(other, t, full.key, `#/mail/${encodeURIComponent(full.address)}/new`);
    await other.page.waitForSelector('#compose');
    await other.page.fill('#to', agent.address);
    await other.page.fill('#text', 'No room.');
    await other.page.waitForSelector('#compose-status.problem:has-text("Your drafts are full (20 of 20)")');
    assert.match(await other.page.evaluate(KEPT), /No room\./);
    await other.page.click('#compose button.primary');
    await other.page.click('dialog button.primary');
    await other.page.waitForSelector('.toast.shown:has-text("Sent.")');
    assert.equal(await other.page.evaluate(KEPT), '');
    assert.deepEqual(other.faults, []);
    await other.page.context().close();
  });

  itInAll('D: signing out forgets it, and a setting keeps nothing in the browser', async () => {
    await page.goto(`${t.baseUrl}/dashboard#/settings/sessions`);
    await page.uncheck('#keep-text');
    assert.equal(await page.evaluate(KEPT), '');
    await page.goto(`${t.baseUrl}/dashboard${mail}/new`);
    await page.waitForSelector('#compose');
    await type('Kept nowhere.');
    await page.waitForSelector('#compose-status.saved');
    assert.equal(await page.evaluate(KEPT), '');
    await page.goto(`${t.baseUrl}/dashboard#/settings/sessions`);
    await page.check('#keep-text');
    await page.goBack();
    await page.waitForSelector('#compose');
    await type('Kept. ');
    await page.waitForSelector('#compose-status.kept');
    assert.match(await page.evaluate(KEPT), /Kept\. Kept nowhere\./);
    await page.click('#sign-out');
    await page.waitForSelector('#key-form');
    assert.equal(await page.evaluate(KEPT), '');
    await draftWith('Kept. ');
    assert.deepEqual(watched.faults, []);
  });

  it('D: signing out in another tab forgets it in this one too', async () => {
    const first = await openPage(browser, t);
    await openConsole(first, t, agent.key, `${mail}/new`);
    await first.page.waitForSelector('#compose');
    const second = await first.page.context().newPage();
    await second.goto(`${t.baseUrl}/dashboard${mail}/inbox`);
    await second.waitForSelector('#sign-out');
    await first.page.fill('#text', 'Typed beside.');
    await second.click('#sign-out');
    await second.waitForSelector('#key-form, dialog button.primary');
    if (await second.isVisible('dialog button.primary')) await second.click('dialog button.primary');
    await first.page.waitForSelector('#key-form');
    await eventually(async () => (await first.page.evaluate(KEPT)) === '');
    await first.page.context().close();
  });
});
