import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { confirmOperator, createAgent, type TestAgent } from '../support/agents.ts';
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
import type { TestApp } from '../support/harness.ts';
import { Keyboard } from '../support/keyboard.ts';
import { followLink, loginLinks, newPerson } from '../support/operators.ts';

/** What a hostile agent may call itself, and write to its operator. */
const HOSTILE = '<img src=x onerror=alert(1)>"\'--></script><a href=https://evil.example>';

/** One story of an operator of three agents, step by step. */
describe('the console of an operator, in Chromium', { skip: skipWithoutChromium }, () => {
  let t: TestApp;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;
  let keys: Keyboard;
  let agent: TestAgent;
  let newcomer: TestAgent;

  before(async () => {
    t = await sharedApp();
    const email = newPerson(t);
    agent = await createAgent(t, {}, await t.createAccount({ name: 'buyer' }));
    await confirmOperator(t, agent, email);
    await confirmOperator(t, await createAgent(t, {}, await t.createAccount({ name: HOSTILE })), email);
    newcomer = await createAgent(t, {}, await t.createAccount({ name: 'newcomer' }));
    await newcomer.api.post('/v1/account/operator-email', { email });
    await agent.api.put('/v1/budget', { daily: '2.00', on_limit: 'approve' });
    await agent.api.post('/v1/charge', { amount: '5.00', category: 'tools', description: HOSTILE });
    await agent.api.put('/v1/email/policy', { outbound: { hold: 'always' } });
    await agent.api.post('/v1/credentials/request', { description: HOSTILE, vault_key: 'stripe' });
    await agent.api.put('/v1/email/policy', { inbound: { unauthenticated: 'quarantine' } });
    await t.sendSmtp({ from: 'eve@stranger.example', to: agent.address, subject: HOSTILE, text: 'Release me.' });
    // Waits until the mail has been read.
    assert.equal((await agent.api.get(`/v1/email/inbox?address=${agent.address}`)).body.messages.length, 0);
    const held = { from: agent.address, to: 'ada@example.com', subject: HOSTILE, text: 'Please buy.' };
    assert.equal((await agent.api.post('/v1/email/send', held)).status, 202);
    browser = await launchChromium();
    watched = await openPage(browser, t);
    page = watched.page;
    keys = new Keyboard(page);
    const [link] = await loginLinks(t, email);
    await openConsole(watched, t, await followLink(t, link as string));
  });
  after(async () => {
    await closePages(browser);
  });

  const one = (text: string): string => `.need:has-text("${text}")`;
  const need = (text: string) => page.locator(one(text));

  it('sees what waits and every agent, whatever they call themselves', async () => {
    await page.waitForSelector('.need');
    assert.deepEqual((await page.locator('.agent-card h3').allTextContents()).sort(), ['buyer', HOSTILE].sort());
    assert.equal(await page.locator('.need').count(), 5);
    assert.equal(await page.textContent('#sections .count'), '5', 'the number beside Home is that of its list');
    const waits = await page.textContent('.agent-card:has-text("buyer") .waits');
    assert.equal(waits, '1 charge waits · 1 mail waits · 2 alerts');
    assert.match((await need('buyer wants to spend').textContent()) ?? '', /3\.00 USDC over the daily cap after this/);
    assert.match((await page.textContent('.agent-card:has-text("buyer") .seen')) ?? '', /^Active today/);
    assert.deepEqual(await axeFaults(page, 'home'), []);
  });

  it('moves through what waits and the agents with j and k; Enter opens an agent, and decides nothing', async () => {
    const focused = '.need:focus';
    await page.keyboard.press('j');
    await page.waitForSelector(focused);
    assert.equal(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'), 'solid');
    assert.deepEqual(await axeFaults(page, 'home-entry'), []);
    await page.keyboard.press('Enter');
    for (let moves = 0; moves < 5; moves++) await page.keyboard.press('j');
    await page.waitForSelector('.agent-card:first-child h3 a:focus');
    assert.equal(await page.locator('.need').count(), 5);
    await page.keyboard.press('k');
    await page.waitForSelector('.need:last-child:focus');
    await page.keyboard.press('Tab');
    await page.waitForSelector('.need:last-child :focus');
    assert.equal(await page.locator('.need[tabindex]').count(), 0, 'Tab passes over the entries again');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForSelector('h1:not(:has-text("Home"))');
    await page.goBack();
    await page.waitForSelector('.need');
  });

  it('approves a charge, and the charge is recorded', async () => {
    await keys.press(`${one('buyer wants to spend')} button:has-text("Approve")`);
    await need('buyer wants to spend').waitFor({ state: 'detached' });
    const { entries } = (await agent.api.get('/v1/budget/history')).body;
    assert.deepEqual(
      entries.map(({ amount_usdc: amount }: { amount_usdc: number }) => amount),
      [5_000_000],
    );
  });

  it('sees what happens to any of his agents while it happens', async () => {
    const live = await agent.api.post('/v1/charge', {
      amount: '6.00',
      category: 'tools',
      description: 'It just happened.',
    });
    assert.equal(live.status, 202);
    await keys.press(`${one('It just happened.')} button:has-text("Reject")`);
    await need('It just happened.').waitFor({ state: 'detached' });
    assert.equal((await agent.api.get(`/v1/approvals/${live.body.approval_id}`)).body.status, 'rejected');
  });

  it('D: a key whose operator decides reads who sees the quarantine, and finds on the overview what waits', async () => {
    const guarded = await createAgent(t);
    await guarded.api.put('/v1/budget', { daily: '2.00', on_limit: 'approve' });
    await guarded.api.post('/v1/charge', { amount: '5.00' });
    await confirmOperator(t, guarded, newPerson(t), 'operator');
    const other = await openPage(browser, t);
    await openConsole(other, t, guarded.key, `#/mail/${encodeURIComponent(guarded.address)}/quarantine`);
    await other.page.waitForSelector('.list-pane .empty:has-text("Only an operator sees what is in quarantine")');
    assert.deepEqual(await axeFaults(other.page, 'quarantine-of-a-key'), []);
    await other.page.click('.folders a:has-text("Inbox")');
    await other.page.waitForSelector('.list-pane .empty:has-text("No messages yet")');
    await other.page.click('#sections a:has-text("Overview")');
    await other.page.click('.need a:has-text("waits for a decision")');
    await other.page.waitForSelector('h1:text-is("Money")');
    assert.deepEqual(other.faults, []);
    await other.page.context().close();
  });

  it('releases a quarantined mail, and the agent gets it', async () => {
    await keys.press(`${one(`A mail to ${agent.address} is held`)} button:has-text("Release")`);
    await need(`A mail to ${agent.address} is held`).waitFor({ state: 'detached' });
    const { messages } = (await agent.api.get(`/v1/email/inbox?address=${agent.address}`)).body;
    assert.deepEqual(
      messages.map(({ subject }: { subject: string }) => subject),
      [HOSTILE],
    );
  });

  it('comes from a credential request to its page, which asks for the code, and back', async () => {
    await keys.press(`${one('buyer asks for a credential')} a:has-text("Enter its code")`);
    await page.waitForSelector('#code-form:has-text("Code shown by the agent")');
    assert.match((await page.textContent('#asking')) ?? '', /Five wrong codes end the request/);
    assert.deepEqual(await axeFaults(page, 'link-credentials'), []);
    await page.goBack();
    await page.waitForSelector('.need');
  });

  it('reads a held mail and rejects it; it is not sent', async () => {
    await keys.press(`${one('wants to send a mail')} button:has-text("Read it")`);
    await page.waitForSelector('.need pre:has-text("Please buy.")');
    await keys.press(`${one('wants to send a mail')} button:has-text("Reject")`);
    await need('wants to send a mail').waitFor({ state: 'detached' });
    assert.equal((await agent.api.get('/v1/email/outbox')).body.messages[0].status, 'failed');
  });

  it('B: lets a held mail go and remembers its domain; the next mail there does not wait', async () => {
    await agent.api.put('/v1/email/policy', { outbound: { to: 'list', otherwise: 'review', hold: 'never' } });
    const send = (to: string) =>
      agent.api.post('/v1/email/send', { from: agent.address, to, subject: 'Order', text: 'Two, please.' });
    assert.equal((await send('ada@shop.example')).status, 202);
    await need('A recipient is not on the list.').waitFor();
    await keys.to(`${one('wants to send a mail')} select[name="remember"]`);
    await page.selectOption(`${one('wants to send a mail')} select[name="remember"]`, 'domain');
    assert.deepEqual(await axeFaults(page, 'home-remember'), []);
    await keys.press(`${one('wants to send a mail')} button:has-text("Send")`);
    await need('wants to send a mail').waitFor({ state: 'detached' });
    assert.deepEqual((await agent.api.get('/v1/email/policy')).body.outbound.allow, ['shop.example']);
    assert.equal((await send('bob@shop.example')).status, 201);
  });

  it('confirms an agent that names him, and it joins the others', async () => {
    await keys.press(`${one('newcomer names you')} button:has-text("Confirm")`);
    await page.waitForSelector('.agent-card:has-text("newcomer")');
    const { people } = (await newcomer.api.get('/v1/account/me')).body;
    assert.equal(people[0].confirmed, true);
  });

  it('suspends an agent with one press, and takes it back from the notice', async () => {
    const card = page.locator('.agent-card', { hasText: 'buyer' });
    await keys.press('.agent-card:has-text("buyer") button:has-text("Suspend")');
    await card.locator('.badge:has-text("Suspended")').waitFor();
    await page.waitForSelector('.toast.shown button:has-text("Undo")');
    await page.keyboard.press('z');
    await card.locator('.badge:has-text("Active")').waitFor();
    assert.equal((await agent.api.post('/v1/email/claim', { address: 'still-works' })).status, 201);
  });

  it('sees what was decided, by whom; chooses how often news is mailed', async () => {
    await page.waitForSelector('#decided ~ * .entry:has-text("Suspended the account"):has-text("by person-")');
    assert.ok((await page.locator('#decided ~ * .entry').count()) > 2);
    await page.selectOption('#news-mails', 'daily');
    await page.waitForSelector('.toast.shown:has-text("once a day")');
    await page.reload();
    await page.waitForSelector('#news-mails');
    assert.equal(await page.inputValue('#news-mails'), 'daily');
  });

  it('creates an agent from Home by keyboard, keeps its key, and is its operator', async () => {
    await keys.press('#add-agent');
    await keys.type('#new-name', 'scout-of-boss');
    assert.deepEqual(await axeFaults(page, 'home-create', 'dialog'), []);
    const { promise: replies, resolve: reply } = Promise.withResolvers<void>();
    await page.route('**/v1/register', (route) => replies.then(() => route.continue()));
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog[closedby="none"]');
    for (const _ of [1, 2]) await page.keyboard.press('Escape');
    await page.click('dialog button:has-text("Cancel")');
    reply();
    const key = await page.textContent('dialog .secret');
    await page.unroute('**/v1/register');
    await keys.press('dialog button:has-text("I saved it")');
    await page.waitForSelector('.agent-card:has-text("scout-of-boss")');
    const { people } = (await t.api(String(key)).get('/v1/account/me')).body;
    assert.deepEqual([people[0].role, people[0].confirmed], ['operator', true]);
  });

  it('Ctrl-K finds pages by other words, then things of any agent, then the documentation', async () => {
    await agent.api.put('/v1/vault/heron-token', { ciphertext: 'c2VhbGVkLXNlYWxlZC1zZWFsZWQtc2VhbGVk' });
    await page.keyboard.press('Control+k');
    const first = '#palette-0';
    for (const [typed, title] of [
      ['inbox', 'Go to Mail'],
      ['budget', 'Go to Money'],
      ['usage', 'Go to Overview'],
      ['api key', 'New named key'],
    ] as const) {
      await page.fill('dialog.palette input', typed);
      await page.waitForSelector(`${first}:has-text("${title}")`);
    }
    await page.fill('dialog.palette input', 'limits');
    await page.waitForSelector('dialog.palette [role="option"]:has-text("Go to Settings")');
    await page.waitForSelector('dialog.palette [aria-label="Documentation"] [role="option"]');
    await page.route('**/docs/search*', (route) => route.abort());
    await page.fill('dialog.palette input', 'heron');
    await page.waitForSelector('dialog.palette:has-text("Documentation: The search did not answer. Try again.")');
    await page.unroute('**/docs/search*');
    await page.fill('dialog.palette input', 'heron-');
    await page.waitForSelector('dialog.palette [aria-label="Found"] [role="option"]:has-text("heron-token")');
    assert.deepEqual(await axeFaults(page, 'palette-found', 'dialog'), []);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.hash === `#/${agent.accountId}/vault/heron-token`);
    await page.waitForSelector('main:not([aria-busy]) h1:not(:has-text("Home"))');
    await page.goBack();
    await page.waitForSelector('.agent-card');
  });

  it('opens one agent, and none of its requests were spent', async () => {
    const used = async (): Promise<number> => (await newcomer.api.get('/v1/usage')).body.requests.used;
    const before = await used();
    await keys.press('.agent-card:has-text("newcomer") a.button');
    await page.waitForSelector('h1:has-text("newcomer")');
    await keys.press('#sections a:has-text("Mail")');
    await page.waitForSelector('.list-pane');
    assert.match(page.url(), new RegExp(`#/${newcomer.accountId}/mail`));
    assert.equal((await used()) - before, 1, 'only the question itself');
  });

  it('another agent, chosen by keyboard, gets a form of its own, without what was typed for the first', async () => {
    await keys.press('#sections a:has-text("Money")');
    await keys.type('#cap-daily', '7');
    await keys.press('#agent');
    await page.waitForSelector('dialog.palette [role="option"]');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.insertText('buyer');
    await page.waitForSelector('dialog.palette [role="option"]:has-text("buyer")[aria-selected="true"]');
    assert.match(page.url(), new RegExp(newcomer.accountId), 'the arrow keys lead nowhere');
    assert.deepEqual(await axeFaults(page, 'dialog-agents', 'dialog'), []);
    await page.keyboard.press('Enter');
    await page.waitForSelector('#cap-daily[value="2"]');
    assert.equal(await page.inputValue('#cap-daily'), '2');
  });

  it('B: sees in Sent that a mail is held, and withdraws it; the policy page says what happens to others', async () => {
    const mail = { from: agent.address, to: 'eve@other.example', subject: 'Held up', text: 'Please.' };
    const { id } = (await agent.api.post('/v1/email/send', mail)).body;
    await keys.press('#sections a:has-text("Mail")');
    await keys.press('.folders a:has-text("Sent")');
    await page.waitForSelector('.entry:has-text("Held up") .badge:has-text("Held")');
    await keys.press('.entry a:has-text("Held up")');
    await page.waitForSelector('.message:has-text("A recipient is not on the list.")');
    assert.deepEqual(await axeFaults(page, 'mail-held'), []);
    await keys.press('.message button:has-text("Withdraw")');
    await keys.press('dialog .primary');
    await page.waitForSelector('.message button:has-text("Withdraw")', { state: 'detached' });
    const { status, error } = (await agent.api.get(`/v1/email/outbox/${id}`)).body;
    assert.deepEqual([status, error], ['failed', 'withdrawn']);
    await keys.press('.folders a:has-text("Policy")');
    await page.waitForSelector('#policy-otherwise');
    assert.equal(await page.inputValue('#policy-otherwise'), 'review');
    await page.selectOption('#policy-otherwise', 'refuse');
    await keys.press('form.compose button.primary');
    await page.waitForSelector('.toast.shown:has-text("Saved")');
    assert.equal((await agent.api.get('/v1/email/policy')).body.outbound.otherwise, 'refuse');
  });

  it('4: in a wide window a row is 32 px high, and the theme that was chosen stays, in the next page too', async () => {
    const heights = (selector: string) =>
      page.locator(selector).evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().height)));
    assert.deepEqual([...new Set(await heights('#sections a'))], [32]);
    const dark = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await dark();
    await keys.to('input[name="theme"]:checked');
    await page.keyboard.press('ArrowLeft');
    assert.notEqual(await dark(), light);
    await page.reload();
    await page.waitForSelector('#desk main h1');
    assert.notEqual(await dark(), light, 'before and after the script of the page');
    assert.ok(await page.isChecked('input[name="theme"][value="dark"]'));
    await keys.to('input[name="theme"]:checked');
    await page.keyboard.press('ArrowRight');
    assert.equal(await dark(), light, 'as the system has it');
  });

  it('D: an address without a page, and an account that cannot be seen, mark no page in the navigation', async () => {
    const before = await page.evaluate<string>('location.hash');
    for (const place of ['#/nowhere', `#/acc_${'0'.repeat(26)}/mail`]) {
      await page.evaluate(`location.hash = '${place}'`);
      await page.waitForSelector('h1:has-text("Nothing here")');
      assert.equal(await page.locator('#sections [aria-current]').count(), 0, place);
    }
    await page.evaluate(`location.hash = '${before}'`);
    await page.waitForSelector('#sections [aria-current]');
  });

  it('on a phone the pages are behind one button, by keyboard too', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    const menu = page.locator('#menu');
    await menu.waitFor();
    const ends =
      "[...document.querySelector('.rail').children].filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect())";
    const [top, bottom] = await page.evaluate<[number, number]>(
      `[Math.max(...${ends}.map((at) => at.top)), Math.min(...${ends}.map((at) => at.bottom))]`,
    );
    assert.ok(top < bottom, 'all of it is in one row');
    await menu.focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('#sections a:has-text("Mail")');
    assert.deepEqual(await axeFaults(page, 'menu'), []);
    await page.setViewportSize({ width: 390, height: 800 });
    // In the wide window, the button was not there.
    await menu.focus();
    await page.keyboard.press('Escape');
    await page.waitForSelector('#sections', { state: 'hidden' });
    assert.equal(await page.evaluate('document.activeElement?.id'), 'menu', 'the focus is on its button again');
    await page.keyboard.press('Enter');
    await page.locator('#sections a:has-text("Settings")').focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('h1:has-text("Settings")');
    await page.waitForSelector('#sections', { state: 'hidden' });
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('G3: deletes an agent; its key has no button that cancels, and reads why; the operator keeps the agent', async () => {
    await keys.press('#sections a:has-text("Settings")');
    await keys.press('.folders a:has-text("Export and delete")');
    await keys.press('button:has-text("Delete the account")');
    await keys.type('dialog #typed', agent.accountId);
    await keys.press('dialog .primary');
    await page.waitForSelector('#deletion:has-text(", an operator.") button');
    assert.deepEqual(await axeFaults(page, 'deletion-by-operator'), []);
    const other = await openPage(browser, t);
    await openConsole(other, t, agent.key, '#/settings');
    await other.page.waitForSelector('#deletion:has-text("Only this operator")');
    assert.equal(await other.page.locator('#deletion button').count(), 0);
    assert.equal((await agent.api.post('/v1/account/delete/cancel')).body.error, 'operator_required');
    assert.deepEqual(other.faults, []);
    await other.page.context().close();
    await keys.press('#deletion button');
    await page.waitForSelector('#deletion', { state: 'detached' });
    assert.equal((await agent.api.get('/v1/account/me')).body.deletion, null);
  });

  it('secures an agent, and stays logged in with the session', async () => {
    await keys.press('#sections a:has-text("Settings")');
    await keys.press('.folders a:has-text("Export and delete")');
    await keys.press('button:has-text("Secure the account")');
    await page.waitForSelector('dialog .primary');
    assert.deepEqual(await axeFaults(page, 'dialog-secure', 'dialog'), []);
    await keys.press('dialog .primary');
    await page.waitForSelector('dialog .secret');
    assert.deepEqual(await axeFaults(page, 'dialog-new-key', 'dialog'), []);
    assert.match((await page.textContent('dialog')) ?? '', /What changed in 30 days/);
    await keys.press('dialog button:has-text("I saved it")');
    assert.match(await page.evaluate("sessionStorage.getItem('signet.credential')"), /^session_/);
  });

  it('nothing ran that should not, and nothing was asked of another host', () => assert.deepEqual(watched.faults, []));
});
