import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { confirmOperator, createAgent, type TestAgent } from '../support/agents.ts';
import {
  axeFaults,
  launchChromium,
  openConsole,
  openPage,
  skipWithoutChromium,
  type WatchedPage,
} from '../support/console.ts';
import { startTestApp, type TestApp } from '../support/harness.ts';
import { followLink, loginLinks, newPerson } from '../support/operators.ts';

/** What a hostile agent may call itself, and write to its operator. */
const HOSTILE = '<img src=x onerror=alert(1)>"\'--></script><a href=https://evil.example>';

/** One story of an operator of three agents, step by step. */
describe('the console of an operator, in Chromium', { skip: skipWithoutChromium }, () => {
  let t: TestApp;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;
  let agent: TestAgent;
  let newcomer: TestAgent;

  before(async () => {
    t = await startTestApp('sqlite');
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
    const [link] = await loginLinks(t, email);
    await openConsole(watched, t, await followLink(t, link as string));
  });
  after(async () => {
    await browser?.close();
    await t?.stop();
  });

  const need = (text: string) => page.locator('.need', { hasText: text });

  it('sees what waits and every agent, whatever they call themselves', async () => {
    await page.waitForSelector('.need');
    assert.deepEqual((await page.locator('.agent-card h3').allTextContents()).sort(), ['buyer', HOSTILE].sort());
    assert.equal(await page.locator('.need').count(), 5);
    assert.match((await need('buyer wants to spend').textContent()) ?? '', /3\.00 USDC over the daily cap after this/);
    assert.deepEqual(await axeFaults(page, 'home'), []);
  });

  it('approves a charge, and the charge is recorded', async () => {
    await need('buyer wants to spend').getByRole('button', { name: 'Approve' }).click();
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
    await need('It just happened.').getByRole('button', { name: 'Reject' }).click();
    await need('It just happened.').waitFor({ state: 'detached' });
    assert.equal((await agent.api.get(`/v1/approvals/${live.body.approval_id}`)).body.status, 'rejected');
  });

  it('releases a quarantined mail, and the agent gets it', async () => {
    await need(`A mail to ${agent.address} is held`).getByRole('button', { name: 'Release' }).click();
    await need(`A mail to ${agent.address} is held`).waitFor({ state: 'detached' });
    const { messages } = (await agent.api.get(`/v1/email/inbox?address=${agent.address}`)).body;
    assert.deepEqual(
      messages.map(({ subject }: { subject: string }) => subject),
      [HOSTILE],
    );
  });

  it('comes from a credential request to its page, which asks for the code, and back', async () => {
    await need('buyer asks for a credential').getByRole('link', { name: 'Enter its code' }).click();
    await page.waitForSelector('#code-form:has-text("Code shown by the agent")');
    assert.match((await page.textContent('#asking')) ?? '', /Five wrong codes end the request/);
    await page.goBack();
    await page.waitForSelector('.need');
  });

  it('reads a held mail and rejects it; it is not sent', async () => {
    await need('wants to send a mail').getByRole('button', { name: 'Read it' }).click();
    await page.waitForSelector('.need pre:has-text("Please buy.")');
    await need('wants to send a mail').getByRole('button', { name: 'Reject' }).click();
    await need('wants to send a mail').waitFor({ state: 'detached' });
    assert.equal((await agent.api.get('/v1/email/outbox')).body.messages[0].status, 'failed');
  });

  it('confirms an agent that names him, and it joins the others', async () => {
    await need('newcomer names you').getByRole('button', { name: 'Confirm' }).click();
    await page.waitForSelector('.agent-card:has-text("newcomer")');
    const { people } = (await newcomer.api.get('/v1/account/me')).body;
    assert.equal(people[0].confirmed, true);
  });

  it('suspends an agent with one press, and takes it back from the notice', async () => {
    const card = page.locator('.agent-card', { hasText: 'buyer' });
    await card.getByRole('button', { name: 'Suspend' }).click();
    await card.locator('.badge:has-text("Suspended")').waitFor();
    await page.click('.toast button:has-text("Undo")');
    await card.locator('.badge:has-text("Active")').waitFor();
    assert.equal((await agent.api.post('/v1/email/claim', { address: 'still-works' })).status, 201);
  });

  it('opens one agent, and none of its requests were spent', async () => {
    const used = async (): Promise<number> => (await newcomer.api.get('/v1/usage')).body.requests.used;
    const before = await used();
    await page.click('.agent-card:has-text("newcomer") a.button');
    await page.waitForSelector('h1:has-text("newcomer")');
    await page.click('#sections a:has-text("Mail")');
    await page.waitForSelector('.list-pane');
    assert.match(page.url(), new RegExp(`#/${newcomer.accountId}/mail`));
    assert.equal((await used()) - before, 1, 'only the question itself');
  });

  it('another agent gets a form of its own, without what was typed for the first', async () => {
    await page.click('#sections a:has-text("Money")');
    await page.fill('#cap-daily', '7');
    await page.selectOption('.agent-choice select', agent.accountId);
    await page.waitForSelector('#cap-daily[value="2"]');
    assert.equal(await page.inputValue('#cap-daily'), '2');
  });

  it('secures an agent, and stays logged in with the session', async () => {
    await page.click('#sections a:has-text("Settings")');
    await page.click('button:has-text("Secure the account")');
    await page.click('dialog .primary');
    await page.waitForSelector('dialog .secret');
    assert.match((await page.textContent('dialog')) ?? '', /What changed in 30 days/);
    await page.click('dialog button:has-text("I kept it")');
    assert.match(await page.evaluate("sessionStorage.getItem('signet.credential')"), /^session_/);
  });

  it('nothing ran that should not, and nothing was asked of another host', () => assert.deepEqual(watched.faults, []));
});
