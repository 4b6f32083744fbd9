import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page, Route } from 'playwright-core';
import {
  axeFaults,
  closePages,
  launchChromium,
  openConsole,
  openPage,
  skipWithoutChromium,
  type WatchedPage,
} from '../support/console.ts';
import { startTestApp, type TestAccount, type TestApp } from '../support/harness.ts';
import { manyAgents } from '../support/operators.ts';

const AGENTS = 50;
/** Agents with an announced removal and a charge that waits. */
const WAITING = 30;
/** Two lists of 50 agents, what waits, what was decided, the settings, the account, whose session it is, and the streams. */
const REQUESTS_MAX = 9;

const fails = {
  /** What the service says when a limit is used up. */
  rate: (route: Route) =>
    route.fulfill({
      status: 429,
      headers: { 'retry-after': '14400' },
      json: {
        error: 'rate_limited',
        message: 'The 10000 requests of this UTC day that your address has are used up.',
        limit: 10_000,
        quota: { name: 'requests_per_person_per_day', used: 10_000, max: 10_000 },
      },
    }),
  broken: (route: Route) => route.fulfill({ status: 500, json: { error: 'internal', message: 'Out of order.' } }),
  barred: (route: Route) => route.fulfill({ status: 403, json: { error: 'operator_required', message: 'Not you.' } }),
  network: (route: Route) => route.abort(),
};

describe('D: the console where readings fail, in Chromium', { skip: skipWithoutChromium }, () => {
  let t: TestApp;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;
  let agents: TestAccount[];
  let token: string;
  /** Requests to the API since the last look. */
  let asked: string[] = [];

  before(async () => {
    t = await startTestApp('sqlite', { limits: { requests_per_person_per_day: 10_000, inspections_per_hour: 120 } });
    ({ agents, token } = await manyAgents(t, AGENTS));
    for (const { api } of agents.slice(0, WAITING)) {
      await api.delete('/v1/auth/keys/backup');
      await api.put('/v1/budget', { caps: { daily: 5 }, on_limit: 'approve' });
      await api.post('/v1/charge', { amount: 10 });
    }
    browser = await launchChromium();
    watched = await openPage(browser, t);
    page = watched.page;
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/v1/')) asked.push(pathname);
    });
    await openConsole(watched, t, token);
    await page.waitForSelector('.need');
  });
  after(async () => {
    await closePages(browser).finally(async () => {
      await t?.stop();
    });
  });

  const seen = (selector: string) => page.waitForSelector(selector);
  const failure = (text: string): string => `main .failed[role="alert"]:has-text("${text}")`;
  const again = async (text: string): Promise<void> => {
    await page.click(`${failure(text)} button:has-text("Try again")`);
    await page.waitForSelector(failure(text), { state: 'detached' });
  };
  /** Opens a page of an agent while one of its readings fails. */
  async function openFailing(name: string, path: string, fail: (route: Route) => Promise<void>, text: string) {
    const [section, tab] = name.split('/');
    const from = tab === undefined ? 'activity' : section;
    await page.goto(`${t.baseUrl}/dashboard#/${agents[0]?.accountId}/${from}`);
    await seen('main .entries');
    await page.route(`**${path}`, fail);
    await page.click(`#desk a[href$="/${name}"]`);
    await seen(failure(text));
    await page.unroute(`**${path}`);
  }

  it('D: the home of 50 agents asks for one list of what waits, and shows every agent', async () => {
    assert.equal(await page.locator('.agent-card').count(), AGENTS);
    assert.equal(await page.locator('.need').count(), 2 * WAITING);
    assert.equal(asked.filter((path) => path === '/v1/operator/waiting').length, 1);
    assert.ok(asked.length <= REQUESTS_MAX, `${asked.length}: ${asked.join(' ')}`);
    asked = [];
    await page.goto(`${t.baseUrl}/dashboard`);
    await seen('.need');
    assert.ok(asked.length <= REQUESTS_MAX, `${asked.length}: ${asked.join(' ')}`);
  });

  it('D: a list of the home that fails is named, and hides nothing else; what was shown stays', async () => {
    await page.route('**/v1/operator/waiting?*', fails.broken);
    await page.reload();
    await seen(failure('Waiting for you'));
    assert.equal(await page.locator('.agent-card').count(), AGENTS);
    assert.equal(await page.locator('.calm').count(), 0, 'nobody takes it for peace');
    assert.deepEqual(await axeFaults(page, 'home-part', '#needs ~ .failed'), []);
    await page.unroute('**/v1/operator/waiting?*');
    await again('Waiting for you');
    assert.equal(await page.locator('.need').count(), 2 * WAITING);
    await page.route('**/v1/operator/waiting?*', fails.rate);
    await page.route('**/v1/operator/agents?*', fails.rate);
    await page.click('.agent-card:last-child button:has-text("Suspend")');
    await seen(
      failure('“Your agents” did not load. Your requests today are used up (10,000 of 10,000). There is more'),
    );
    await seen(failure('(in 4 h). Close tabs of the console that you do not use.'));
    await seen(failure('What you see may be out of date.'));
    assert.equal(await page.locator('.agent-card').count(), AGENTS);
    assert.equal(await page.locator('.need').count(), 2 * WAITING);
    await page.unroute('**/v1/operator/agents?*');
    await page.unroute('**/v1/operator/waiting?*');
    await again('Your agents');
    await seen('.agent-card:last-child:has-text("Suspended")');
  });

  it('D: the overview shows all but what did not load', async () => {
    await openFailing(
      'overview',
      '/v1/usage',
      fails.rate,
      '“Used today” did not load. Your requests today are used up',
    );
    for (const shown of ['.identity', '#set-up', '#account', '#latest']) await seen(shown);
    assert.equal(await page.locator('#usage').count(), 0);
    assert.deepEqual(await axeFaults(page, 'overview-part'), []);
    await again('Used today');
    await seen('#usage');
  });

  it('D: so do the keys and the settings, for a failed network and a refusal too', async () => {
    await openFailing('keys', '/v1/account/grants*', fails.network, '“Applications” did not load.');
    await seen('main table');
    await again('Applications');
    await openFailing('keys', '/v1/account/keys', fails.broken, '“Keys” did not load.');
    assert.equal(await page.locator('button:has-text("backup")').count(), 0, 'whether there is one is not known');
    await again('Keys');
    await seen('main table');
    await openFailing(
      'settings/sessions',
      '/v1/account/sessions*',
      fails.barred,
      '“Sessions” did not load. Only an operator of this account',
    );
    await seen('#keep-text');
    await again('Sessions');
    await seen('.entry:has-text("This browser")');
  });

  it('D: a page of which nothing loads says so once', async () => {
    for (const path of ['email/addresses', 'events?*']) await page.route(`**/v1/${path}`, fails.broken);
    await page.goto(`${t.baseUrl}/dashboard#/${agents[1]?.accountId}/settings`);
    await seen('main .failed h1');
    assert.equal(await page.locator('main .failed').count(), 1);
    await page.unrouteAll();
    await page.click('main .failed button:has-text("Try again")');
    await seen('#own-addresses');
  });

  it('an operator sees what the agent can do, and sets what may leave the account', async () => {
    const [agent] = agents;
    await page.goto(`${t.baseUrl}/dashboard#/${agent?.accountId}/settings/ways`);
    // Only another part of the address is no new page, and the form of the agent before would do.
    await page.reload();
    await seen('section[aria-labelledby=power] summary:has-text("operations now")');
    await page.selectOption('#way-share', 'off');
    await page.selectOption('#way-webhook', 'list');
    await page.click('.way:has(#way-webhook) summary');
    await page.fill('#list-webhook', 'hooks.example.com\nother.example.com');
    await page.click('button:has-text("Save the ways")');
    await seen('.toast.shown:has-text("Saved.")');
    const policy = await t.api(token).get('/v1/account/policy', { 'signet-account': agent?.accountId as string });
    assert.equal(policy.status, 200, policy.text);
    const { ways } = policy.body;
    assert.deepEqual([ways.share.rule, ways.webhook.rule, ways.webhook.allow.length], ['off', 'list', 2]);
    assert.deepEqual(await axeFaults(page, 'settings-power'), []);
  });

  it('the reference opens a call in the console, which tries it first and runs it on a press', async () => {
    const { api } = agents[0] as TestAccount;
    const events = async (): Promise<unknown[]> => (await api.get('/v1/calendar/events')).body.events;
    await page.goto(`${t.baseUrl}/docs/api/createCalendarEvent`);
    asked = [];
    await page.click('a:has-text("Try it in the console")');
    await seen('main h1:has-text("event")');
    assert.ok(
      asked.every((path) => !path.startsWith('/v1/calendar')),
      'opening it calls nothing',
    );
    await page.click('#agent');
    await page.waitForSelector('dialog.palette [role="option"]');
    await page.keyboard.insertText(agents[0]?.accountId.slice(-4) ?? '');
    await page.keyboard.press('Enter');
    await seen('#try #body');
    assert.equal(new URL(page.url()).hash, `#/${agents[0]?.accountId}/try/createCalendarEvent`);
    assert.deepEqual(await axeFaults(page, 'try'), []);
    await page.fill('#body', '{"summary": "Review", "start": "2099-01-14T09:00:00Z", "end": "2099-01-14T10:00:00Z"}');
    assert.ok(await page.isDisabled('#for-real'));
    await page.click('#try button:has-text("Try it")');
    await seen('#reply:has-text("Reply of the dry run")');
    await seen('main [role="status"]:has-text("201"):has-text("Nothing was changed.")');
    assert.deepEqual(await events(), []);
    assert.deepEqual(await axeFaults(page, 'try-tried'), []);
    await page.fill('#body', '{"summary": "Review", "start": "2099-01-14T09:00:00Z"}');
    assert.ok(await page.isDisabled('#for-real'), 'what changed is tried again');
    await page.click('#try button:has-text("Try it")');
    await seen('main [role="status"]:has-text("400")');
    assert.ok(await page.isDisabled('#for-real'));
    await page.fill('#body', '{"summary": "Review", "start": "2099-01-14T09:00:00Z", "end": "2099-01-14T10:00:00Z"}');
    await page.click('#try button:has-text("Try it")');
    await seen('main [role="status"]:has-text("201")');
    await page.click('#for-real');
    await page.click('dialog button:has-text("Run it for real")');
    await seen('main [role="status"]:has-text("Done.")');
    assert.equal((await events()).length, 1);
  });

  it('a link to a call names the operation and nothing else', async () => {
    await page.goto(`${t.baseUrl}/console/try?operation=deleteAccount&body=x&dry_run=true`);
    await seen('#try');
    assert.equal(new URL(page.url()).hash, '#/try/deleteAccount');
    await page.goto(`${t.baseUrl}/console/try?operation=nothing`);
    await seen('#pick:has-text("Operation")');
    await page.fill('#operation', 'listAddresses');
    await page.click('#pick button');
    await page.click('#try button:has-text("Run it")');
    await seen('main [role="status"]:has-text("200")');
  });

  it('D: nothing ran that should not', () => assert.deepEqual(watched.faults, []));
});
