import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { HOUR_MS } from '../../src/base/period.ts';
import { createAgent } from '../support/agents.ts';
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
import { Keyboard } from '../support/keyboard.ts';

const HOSTILE = '<img src=x onerror=alert(1)>"\'</script>';

/** The desk of an agent that runs others: calendar, keys, pods, requests, profile. */
describe('the desk of the console, in Chromium', { skip: skipWithoutChromium }, () => {
  let t: TestApp;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;
  let keys: Keyboard;
  let admin: WatchedPage;
  let owner: TestAccount;
  let address = '';

  before(async () => {
    t = await startTestApp('sqlite', { env: { ADMIN_PORT: '0' } });
    owner = await t.createAccount({ name: HOSTILE });
    address = (await owner.api.post('/v1/email/claim', { address: 'planner' })).body.address;
    browser = await launchChromium();
    watched = await openPage(browser, t);
    page = watched.page;
    keys = new Keyboard(page);
    // The browser has the time of the service, so that no step depends on the day of the run.
    await page.clock.setFixedTime(t.clock.now());
    await openConsole(watched, t, owner.key);
  });
  after(async () => {
    await closePages(browser).finally(async () => {
      await t?.stop();
    });
  });

  const unreadable: string[] = [];
  const lookAt = async (at: Page, name: string): Promise<void> => void unreadable.push(...(await axeFaults(at, name)));
  const look = (name: string): Promise<void> => lookAt(page, name);
  const seen = (selector: string) => page.waitForSelector(selector);
  const room = (title: string, heading = title): Promise<void> => keys.room(title, heading);
  const kept = () => keys.press('dialog button:has-text("I saved it")');
  const yes = () => keys.press('dialog .primary');

  it('an event is made with an attendee, moved to a whole day, and deleted', async () => {
    await room('Calendar');
    await keys.press('a:has-text("New event")');
    await keys.type('#summary', HOSTILE);
    await keys.type('#location', HOSTILE);
    await keys.type('#attendees', 'ada@example.com, bob@example.com');
    await look('calendar-form');
    await keys.press('#event .primary');
    await seen('.badge:has-text("No answer yet")');
    await look('calendar-event');
    const [event] = (await owner.api.get('/v1/calendar/events')).body.events;
    assert.deepEqual([event.summary, event.attendees], [HOSTILE, ['ada@example.com', 'bob@example.com']]);
    await keys.press('a:has-text("Edit")');
    await keys.check('#all-day');
    await seen('#end[type="date"]');
    await keys.press('#event .primary');
    await seen('h1:has-text("onerror")');
    const [moved] = (await owner.api.get('/v1/calendar/events')).body.events;
    assert.equal(moved.all_day, true);
    assert.equal(Date.parse(moved.end) - Date.parse(moved.start), 86_400_000, 'one day, though its end is the next');
    await room('Calendar');
    await seen('.slot:has-text("All day")');
    await look('calendar-week');
    await keys.press('.folders a:has-text("Agenda")');
    await seen('.entries a:has-text("onerror")');
    await look('calendar-agenda');
    await keys.press('.entries a');
    await keys.press('.actions button:has-text("Delete")');
    await seen('dialog:has-text("cancellation by mail")');
    await yes();
    await seen('.week');
    assert.equal((await owner.api.get('/v1/calendar/events')).body.total, 0);
  });

  it('an invitation of another agent is answered, and its organizer sees it', async () => {
    const other = await createAgent(t);
    const [start, end] = [HOUR_MS, 2 * HOUR_MS].map((ms) => new Date(t.clock.now() + ms).toISOString());
    const asked = { summary: HOSTILE, start, end, attendees: [address] };
    const { id } = (await other.api.post('/v1/calendar/events', asked)).body;
    await t.app.worker.runDue();
    await keys.press('.folders a:has-text("Agenda")');
    await keys.press('.folders a:has-text("Week")');
    await keys.press('.slot.pending');
    await look('calendar-invitation');
    await keys.press('button:text-is("Accept")');
    await seen('.badge.good:has-text("Accepted")');
    await t.app.worker.runDue();
    const { attendee_status: answers } = (await other.api.get(`/v1/calendar/events/${id}`)).body;
    assert.deepEqual(answers, [{ address, status: 'accepted' }]);
    await keys.press('.view a:has-text("Calendar")');
  });

  it('the link for calendar apps is shown when asked for, and replaced', async () => {
    await keys.press('button:has-text("Show the link")');
    const first = await page.textContent('#feed-link');
    await keys.press('button:has-text("Replace the link")');
    await yes();
    await seen('.toast.shown:has-text("Replaced")');
    assert.notEqual(await page.textContent('#feed-link'), first);
    assert.equal((await fetch(first ?? '')).status, 404);
  });

  it('a named key may do what was chosen, is rotated with a grace period, and deleted', async () => {
    await room('Keys');
    await keys.press('a:has-text("New named key")');
    await keys.type('#key-name', HOSTILE);
    await keys.press('#named-key .primary');
    await seen('.problem:has-text("Choose at least one permission")');
    await keys.check('input[value="mail:read"]');
    await keys.check('input[value="calendar:read"]');
    await keys.check(`input[name="address"][value="${address}"]`);
    await keys.choose('#expiry', '604800');
    await look('key-form');
    await keys.press('#named-key .primary');
    const key = (await page.textContent('dialog .secret')) ?? '';
    // Closing the dialog reads the page again, with these calls.
    const me = (await t.api(key).get('/v1/email/addresses')).body;
    assert.deepEqual(me.addresses, [address]);
    assert.equal((await t.api(key).get('/v1/budget')).status, 403);
    await kept();
    await seen('summary:has-text("2 permissions")');
    await seen('tr:has-text("2 permissions"):has-text("2 calls"):has-text("from 127.0.0.0/24")');
    await look('keys-named');
    await keys.press('td a:has-text("Change")');
    await seen('#key-calls + .figures:has-text("2 in all")');
    await keys.check('#named-key input[value="money:read"]');
    await keys.press('#named-key input[value="calendar:read"]', 'Space');
    await keys.choose('#expiry', 'never');
    await look('key-change');
    await keys.press('#named-key .primary');
    await seen('tr:has-text("2 permissions") td[data-label="Expires"]:has-text("Never")');
    assert.equal((await t.api(key).get('/v1/budget')).status, 200);
    assert.equal((await t.api(key).get('/v1/calendar/events')).status, 403);
    await keys.press('button:text-is("Rotate")');
    await keys.choose('#grace', '3600');
    await yes();
    await seen('dialog:has-text("The former key works until")');
    const next = (await page.textContent('dialog .secret')) ?? '';
    await kept();
    for (const each of [key, next]) assert.equal((await t.api(each).get('/v1/email/addresses')).status, 200);
    await keys.press('td button:text-is("Delete")');
    await yes();
    await seen('.empty:has-text("No named key yet")');
    for (const each of [key, next]) assert.equal((await t.api(each).get('/v1/email/addresses')).status, 401);
  });

  it('a pod is made, limited, suspended, resumed, and gets another key', async () => {
    await room('Pods');
    await keys.type('#name', HOSTILE);
    await keys.press('#add-pod .primary');
    const key = (await page.textContent('dialog .secret')) ?? '';
    await kept();
    await seen('#pod-limits');
    await keys.type('#rate-day', '50');
    await keys.type('#cap-daily', '2.5');
    await keys.press('#pod-limits .primary');
    await seen('.toast.shown:has-text("The limits are set")');
    await t.api(key).post('/v1/charge', { amount: '1.00', category: 'tools' });
    await keys.type('#recovery', 'tenant@example.com');
    await keys.press('button:has-text("Save the address")');
    await seen('.details:has-text("tenant@example.com (not confirmed)")');
    await seen('.usage-label:has-text("Spent today 1.00 USDC")');
    await look('pod');
    const [pod] = (await owner.api.get('/v1/pods')).body.pods;
    assert.deepEqual([pod.rate_limits, pod.spending_caps], [{ requests_per_day: 50 }, { daily: 2_500_000 }]);
    await keys.press('.actions button:text-is("Suspend")');
    await yes();
    await seen('.badge:has-text("Suspended")');
    assert.equal((await t.api(key).get('/v1/account/me')).status, 403);
    await keys.press('.actions button:has-text("Resume")');
    await seen('.badge:has-text("Active")');
    await keys.press('button:has-text("Replace its key")');
    await yes();
    const next = (await page.textContent('dialog .secret')) ?? '';
    await kept();
    assert.equal((await t.api(key).get('/v1/account/me')).status, 401);
    assert.equal((await t.api(next).get('/v1/account/me')).status, 200);
    await keys.press('a:has-text("All pods")');
    await seen('td:has-text("50 a day")');
    await look('pods');
  });

  it('the profile is edited and unlisted; a signing key is made in the browser', async () => {
    await owner.api.post('/v1/tokens/issue', { audience: 'https://shop.example', scopes: ['buy'] });
    await room('Identity');
    await keys.press('nav[aria-label="Identity"] a:has-text("Tokens and keys")');
    await keys.press('button:text-is("Revoke")');
    await yes();
    await seen('.badge:has-text("Revoked")');
    await keys.press('nav[aria-label="Identity"] a:has-text("Profile")');
    await keys.type('#description', `${HOSTILE}\nI plan.`);
    await keys.type('#capabilities', 'planning, <b>bold</b>');
    await keys.check('input[name="unlisted"]');
    await keys.press('#profile .primary');
    await seen('.toast.shown:has-text("Saved")');
    assert.equal((await t.api().get('/agents/planner')).status, 404);
    const { body } = await t.api().get(`/agents/${owner.accountId}`);
    assert.deepEqual([body.email, body.capabilities], [null, ['planning', '<b>bold</b>']]);
    await look('identity-profile');
    await keys.press('nav[aria-label="Identity"] a:has-text("Tokens and keys")');
    await keys.type('#label', HOSTILE);
    await keys.press('#publish-key .button');
    const { d, x } = JSON.parse((await page.textContent('dialog .secret')) ?? '');
    assert.ok(d);
    await kept();
    await seen('.entries:has-text("onerror")');
    await look('identity-signatures');
    const { keys: published } = (await t.api().get(`/agents/${owner.accountId}/.well-known/jwks.json`)).body;
    assert.deepEqual([published.length, published[0].x], [1, x]);
  });

  it('the requests are listed by their pattern, and the failed ones alone', async () => {
    await owner.api.get('/v1/pods/pod_nothing?secret=hunter2');
    await room('Requests');
    await seen('th:has-text("/v1/pods/{pod_id}")');
    await look('requests');
    await page.keyboard.press('j');
    await seen('tbody tr:first-child a:focus');
    await page.keyboard.press('j');
    await seen('tbody tr:nth-child(2) a:focus');
    await page.keyboard.press('k');
    await seen('tbody tr:first-child a:focus');
    assert.doesNotMatch((await page.textContent('main')) ?? '', /hunter2|pod_nothing/);
    await keys.choose('#filter-status', '4xx');
    await page.waitForSelector('tbody tr .badge.good', { state: 'detached' });
    assert.equal(await page.locator('tbody tr .badge.good').count(), 0);
    await seen('tbody tr:has-text("404")');
    await keys.press('tbody tr:has-text("404") th a');
    await seen('h1:has-text("GET /v1/pods/{pod_id}")');
    await look('request');
    await page.evaluate("location.hash = '#/requests/req_00000000000000000000000000'");
    await seen('h1:text-is("No longer kept")');
    await look('no-longer-kept');
    await keys.press('.forgotten a');
    await seen('tbody tr:has-text("404")');
    assert.match(page.url(), /\?status=4xx#\/requests$/);
    await room('Keys');
    assert.doesNotMatch(page.url(), /status/, 'a filter is of its own page');
  });

  it('the overview shows what was used by day', async () => {
    await room('Overview', HOSTILE.slice(0, 4));
    await seen('#usage-days');
    // An agent that the API made accepts dangerous mail; the list of what to set up offers the quarantine.
    await keys.press('.checklist summary:has-text("Quarantine dangerous mail")');
    await keys.press('.checklist button:has-text("Quarantine dangerous mail")');
    await seen('.checklist .done:has-text("Quarantine dangerous mail")');
    assert.equal((await owner.api.get('/v1/email/policy')).body.inbound.dangerous, 'quarantine');
  });

  it('the operator of the service finds an account, changes its tier, suspends it and resumes it', async () => {
    const home = `http://127.0.0.1:${t.app.provided.adminPort()}`;
    admin = await openPage(browser, { baseUrl: home });
    const { page: at } = admin;
    await at.clock.setFixedTime(t.clock.now());
    const by = new Keyboard(at);
    const shown = (selector: string) => at.waitForSelector(selector);
    await at.goto(home);
    await by.type('#token', 'signet_admin_wrong');
    await by.press('button:has-text("Log in")');
    await shown('.problem:has-text("not the token of this service")');
    await lookAt(at, 'admin-login');
    await by.type('#token', readFileSync(join(t.config.dataDir, 'admin.token'), 'utf8').trim());
    await by.press('button:has-text("Log in")');
    await shown('tbody tr');
    await lookAt(at, 'admin-accounts');
    await by.type('#search', 'nobody has this name');
    await by.press('form button');
    await shown('.empty:has-text("No account matches")');
    await by.type('#search', address);
    await by.press('form button');
    await by.press('tbody a:has-text("onerror")');
    await by.choose('#tier', 'paid');
    await by.press('button:has-text("Set the tier")');
    await shown('.toast.shown:has-text("The tier is set")');
    assert.equal((await owner.api.get('/v1/account/me')).body.tier, 'paid');
    await by.press('button:text-is("Suspend")');
    await by.press('dialog .primary');
    await shown('.badge:has-text("Suspended")');
    await lookAt(at, 'admin-account');
    assert.equal((await owner.api.get('/v1/account/me')).status, 403);
    await by.press('button:text-is("Resume")');
    await shown('.badge.good:has-text("Active")');
    assert.equal((await owner.api.get('/v1/account/me')).status, 200);
    await by.press('button:text-is("Delete")');
    await by.type('dialog #typed', owner.accountId);
    await by.press('dialog .primary');
    await shown('p:has-text("It will be deleted on")');
    await room('Settings');
    await seen('#deletion:has-text("The administrator of this service decided it")');
    assert.equal(await page.locator('#deletion button').count(), 0, 'only the administrator can cancel it');
    await by.press('button:has-text("Cancel the deletion")');
    await shown('button:text-is("Delete")');
  });

  it('the operator of the service closes sign-up to invites, and sees work and limits', async () => {
    const { page: at } = admin;
    const by = new Keyboard(at);
    const visit = async (name: string, title: string): Promise<void> => {
      await by.press(`#sections a[href="#/${name}"]`);
      await at.waitForSelector(`h1:has-text("${title}")`);
    };
    await visit('sign-up', 'Sign-up');
    await by.pick('#sign-up input', 'invite');
    await by.press('#sign-up .primary');
    await at.waitForSelector('.toast.shown:has-text("needs an invite now")');
    assert.equal((await t.api().post('/v1/auth/keys', {})).body.error, 'invite_required');
    await by.press('#invite');
    const invite = await at.textContent('dialog .secret');
    await by.press('dialog button:has-text("I saved it")');
    assert.equal((await t.api().post('/v1/auth/keys', { invite })).status, 201);
    await lookAt(at, 'admin-sign-up');
    await visit('work', 'Jobs');
    const later = t.clock.now() + HOUR_MS;
    const job = { kind: 'account.delete', payload: { accountId: 'acc_z' }, runAt: later } as const;
    await t.app.database.transaction((tx) => t.app.provided.jobs.enqueue(tx, job));
    await t.sql('update jobs set attempts = 3, last_error = ? where run_at = ?', HOSTILE, later);
    await by.press('button:has-text("Reload")');
    await at.waitForSelector('td:has-text("onerror")');
    await lookAt(at, 'admin-work');
    await by.press('td button:text-is("Run now")');
    await at.waitForSelector('.toast.shown:has-text("The job runs now.")');
    assert.deepEqual(await t.sql('select id from jobs where run_at = ?', later), []);
    await visit('limits', 'Limits hit');
    await lookAt(at, 'admin-limits');
    await by.press('#sign-out');
    await at.waitForSelector('#token');
    assert.deepEqual(admin.faults, []);
  });

  it('nothing ran, left the page or could not be read', () => {
    assert.deepEqual([watched.faults, unreadable], [[], []]);
  });
});
