import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { HOUR_MS } from '../../src/kernel/period.ts';
import { createAgent } from '../support/agents.ts';
import {
  axeFaults,
  launchChromium,
  openConsole,
  openPage,
  skipWithoutChromium,
  type WatchedPage,
} from '../support/console.ts';
import { startTestApp, type TestAccount, type TestApp } from '../support/harness.ts';

const HOSTILE = '<img src=x onerror=alert(1)>"\'</script>';

/** The desk of an agent that runs others: calendar, keys, pods, requests, profile. */
describe('the desk of the console, in Chromium', { skip: skipWithoutChromium }, () => {
  let t: TestApp;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;
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
    // The browser has the time of the service, so that no step depends on the day of the run.
    await page.clock.setFixedTime(t.clock.now());
    await openConsole(watched, t, owner.key);
  });
  after(async () => {
    await browser?.close();
    await t?.stop();
  });

  const unreadable: string[] = [];
  const lookAt = async (at: Page, name: string): Promise<void> => void unreadable.push(...(await axeFaults(at, name)));
  const look = (name: string): Promise<void> => lookAt(page, name);
  const seen = (selector: string) => page.waitForSelector(selector);
  const room = async (name: string, title: string): Promise<void> => {
    await page.click(`#sections a[href$="/${name}"]`);
    await seen(`h1:has-text("${title}")`);
  };
  const kept = () => page.click('dialog button:has-text("I kept it")');

  it('an event is made with an attendee, moved to a whole day, and deleted', async () => {
    await room('calendar', 'Calendar');
    await page.click('a:has-text("New event")');
    await page.fill('#summary', HOSTILE);
    await page.fill('#location', HOSTILE);
    await page.fill('#attendees', 'ada@example.com, bob@example.com');
    await look('calendar-form');
    await page.click('#event .primary');
    await seen('.badge:has-text("No answer yet")');
    await look('calendar-event');
    const [event] = (await owner.api.get('/v1/calendar/events')).body.events;
    assert.deepEqual([event.summary, event.attendees], [HOSTILE, ['ada@example.com', 'bob@example.com']]);
    await page.click('a:has-text("Edit")');
    await page.check('#all-day');
    await seen('#end[type="date"]');
    await page.click('#event .primary');
    await seen('h1:has-text("onerror")');
    const [moved] = (await owner.api.get('/v1/calendar/events')).body.events;
    assert.equal(moved.all_day, true);
    assert.equal(Date.parse(moved.end) - Date.parse(moved.start), 86_400_000, 'one day, though its end is the next');
    await room('calendar', 'Calendar');
    await seen('.slot:has-text("All day")');
    await look('calendar-week');
    await page.click('.folders a:has-text("Upcoming")');
    await seen('.entries a:has-text("onerror")');
    await look('calendar-list');
    await page.click('.entries a');
    await page.click('.actions button:has-text("Delete")');
    await seen('dialog:has-text("cancellation by mail")');
    await page.click('dialog .primary');
    await seen('.week');
    assert.equal((await owner.api.get('/v1/calendar/events')).body.total, 0);
  });

  it('an invitation of another agent is answered, and its organizer sees it', async () => {
    const other = await createAgent(t);
    const [start, end] = [HOUR_MS, 2 * HOUR_MS].map((ms) => new Date(t.clock.now() + ms).toISOString());
    const asked = { summary: HOSTILE, start, end, attendees: [address] };
    const { id } = (await other.api.post('/v1/calendar/events', asked)).body;
    await t.app.worker.runDue();
    await page.click('.folders a:has-text("Upcoming")');
    await page.click('.folders a:has-text("Week")');
    await page.click('.slot.pending');
    await look('calendar-invitation');
    await page.click('button:text-is("Accept")');
    await seen('.badge.good:has-text("Accepted")');
    await t.app.worker.runDue();
    const { attendee_status: answers } = (await other.api.get(`/v1/calendar/events/${id}`)).body;
    assert.deepEqual(answers, [{ address, status: 'accepted' }]);
    await page.click('.view a:has-text("Calendar")');
  });

  it('the link for calendar apps is shown when asked for, and replaced', async () => {
    await page.click('button:has-text("Show the link")');
    const first = await page.textContent('#feed-link');
    await page.click('button:has-text("Replace the link")');
    await page.click('dialog .primary');
    await seen('.toast.shown:has-text("Replaced")');
    assert.notEqual(await page.textContent('#feed-link'), first);
    assert.equal((await fetch(first ?? '')).status, 404);
  });

  it('a named key may do what was chosen, is rotated with a grace period, and deleted', async () => {
    await room('keys', 'Keys');
    await page.click('a:has-text("New named key")');
    await page.fill('#key-name', HOSTILE);
    await page.click('#named-key .primary');
    await seen('.problem:has-text("Choose at least one permission")');
    await page.check('input[value="mail:read"]');
    await page.check('input[value="calendar:read"]');
    await page.check(`input[name="address"][value="${address}"]`);
    await page.selectOption('#expiry', '604800');
    await look('key-form');
    await page.click('#named-key .primary');
    const key = (await page.textContent('dialog .secret')) ?? '';
    await kept();
    const me = (await t.api(key).get('/v1/email/addresses')).body;
    assert.deepEqual(me.addresses, [address]);
    assert.equal((await t.api(key).get('/v1/budget')).status, 403);
    await seen('summary:has-text("2 permissions")');
    await look('keys-named');
    await page.click('button:text-is("Rotate")');
    await page.selectOption('#grace', '3600');
    await page.click('dialog .primary');
    await seen('dialog:has-text("The former key works until")');
    const next = (await page.textContent('dialog .secret')) ?? '';
    await kept();
    for (const each of [key, next]) assert.equal((await t.api(each).get('/v1/email/addresses')).status, 200);
    await page.click('td button:text-is("Delete")');
    await page.click('dialog .primary');
    await seen('.empty:has-text("No named key yet")');
    for (const each of [key, next]) assert.equal((await t.api(each).get('/v1/email/addresses')).status, 401);
  });

  it('a pod is made, limited, suspended, resumed, and gets another key', async () => {
    await room('pods', 'Pods');
    await page.fill('#name', HOSTILE);
    await page.click('#add-pod .primary');
    const key = (await page.textContent('dialog .secret')) ?? '';
    await kept();
    await seen('#pod-limits');
    await page.fill('#rate-day', '50');
    await page.fill('#cap-daily', '2.5');
    await page.click('#pod-limits .primary');
    await seen('.toast.shown:has-text("The limits are set")');
    await t.api(key).post('/v1/charge', { amount: '1.00', category: 'tools' });
    await page.fill('#recovery', 'tenant@example.com');
    await page.click('button:has-text("Save the address")');
    await seen('.details:has-text("tenant@example.com (not confirmed)")');
    await seen('.usage-label:has-text("Spent today 1.00 USDC")');
    await look('pod');
    const [pod] = (await owner.api.get('/v1/pods')).body.pods;
    assert.deepEqual([pod.rate_limits, pod.spending_caps], [{ requests_per_day: 50 }, { daily: 2_500_000 }]);
    await page.click('.actions button:text-is("Suspend")');
    await page.click('dialog .primary');
    await seen('.badge:has-text("Suspended")');
    assert.equal((await t.api(key).get('/v1/account/me')).status, 403);
    await page.click('.actions button:has-text("Resume")');
    await seen('.badge:has-text("Active")');
    await page.click('button:has-text("Replace its key")');
    await page.click('dialog .primary');
    const next = (await page.textContent('dialog .secret')) ?? '';
    await kept();
    assert.equal((await t.api(key).get('/v1/account/me')).status, 401);
    assert.equal((await t.api(next).get('/v1/account/me')).status, 200);
    await page.click('a:has-text("All pods")');
    await seen('td:has-text("50 a day")');
    await look('pods');
  });

  it('the profile is edited and unlisted; a signing key is made in the browser', async () => {
    await owner.api.post('/v1/tokens/issue', { audience: 'https://shop.example', scopes: ['buy'] });
    await room('identity', 'Identity');
    await page.click('button:text-is("Revoke")');
    await page.click('dialog .primary');
    await seen('.badge:has-text("Revoked")');
    await page.fill('#description', `${HOSTILE}\nI plan.`);
    await page.fill('#capabilities', 'planning, <b>bold</b>');
    await page.check('input[name="unlisted"]');
    await page.click('#profile .primary');
    await seen('.toast.shown:has-text("Saved")');
    assert.equal((await t.api().get('/agents/planner')).status, 404);
    const { body } = await t.api().get(`/agents/${owner.accountId}`);
    assert.deepEqual([body.email, body.capabilities], [null, ['planning', '<b>bold</b>']]);
    await page.fill('#label', HOSTILE);
    await page.click('#publish-key .button');
    const { d, x } = JSON.parse((await page.textContent('dialog .secret')) ?? '');
    assert.ok(d);
    await kept();
    await seen('.entries:has-text("onerror")');
    await look('identity-profile');
    const { keys } = (await t.api().get(`/agents/${owner.accountId}/.well-known/jwks.json`)).body;
    assert.deepEqual([keys.length, keys[0].x], [1, x]);
  });

  it('the requests are listed by their pattern, and the failed ones alone', async () => {
    await owner.api.get('/v1/pods/pod_nothing?secret=hunter2');
    await room('requests', 'Requests');
    await seen('th:has-text("/v1/pods/{pod_id}")');
    await look('requests');
    assert.doesNotMatch((await page.textContent('main')) ?? '', /hunter2|pod_nothing/);
    await page.click('button:text-is("Failed")');
    assert.equal(await page.locator('tbody tr .badge.good').count(), 0);
    await seen('tbody tr:has-text("404")');
  });

  it('the overview shows what was used by day', async () => {
    await room('overview', HOSTILE.slice(0, 4));
    await seen('#usage-days');
  });

  it('the operator of the service finds an account, changes its tier, suspends it and resumes it', async () => {
    const home = `http://127.0.0.1:${t.app.provided.adminPort()}`;
    admin = await openPage(browser, { baseUrl: home });
    const { page: at } = admin;
    const shown = (selector: string) => at.waitForSelector(selector);
    await at.goto(home);
    await at.fill('#token', 'signet_admin_wrong');
    await at.click('button:has-text("Sign in")');
    await shown('.problem:has-text("not the token of this service")');
    await lookAt(at, 'admin-login');
    await at.fill('#token', readFileSync(join(t.config.dataDir, 'admin.token'), 'utf8').trim());
    await at.click('button:has-text("Sign in")');
    await shown('tbody tr');
    await lookAt(at, 'admin-accounts');
    await at.fill('#search', 'nobody has this name');
    await at.click('form button');
    await shown('.empty:has-text("No account matches")');
    await at.fill('#search', address);
    await at.click('form button');
    await at.click('tbody a:has-text("onerror")');
    await at.selectOption('#tier', 'paid');
    await at.click('button:has-text("Set the tier")');
    await shown('.toast.shown:has-text("The tier is set")');
    assert.equal((await owner.api.get('/v1/account/me')).body.tier, 'paid');
    await at.click('button:text-is("Suspend")');
    await at.click('dialog .primary');
    await shown('.badge:has-text("Suspended")');
    await lookAt(at, 'admin-account');
    assert.equal((await owner.api.get('/v1/account/me')).status, 403);
    await at.click('button:text-is("Resume")');
    await shown('.badge.good:has-text("Active")');
    assert.equal((await owner.api.get('/v1/account/me')).status, 200);
  });

  it('the operator of the service closes sign-up to invites, and sees work and limits', async () => {
    const { page: at } = admin;
    const visit = async (name: string, title: string): Promise<void> => {
      await at.click(`#sections a[href="#/${name}"]`);
      await at.waitForSelector(`h1:has-text("${title}")`);
    };
    await visit('sign-up', 'Sign-up');
    await at.check('input[value="invite"]');
    await at.click('#sign-up .primary');
    await at.waitForSelector('.toast.shown:has-text("Set.")');
    assert.equal((await t.api().post('/v1/auth/keys', {})).body.error, 'invite_required');
    await at.click('#invite');
    const invite = await at.textContent('dialog .secret');
    await at.click('dialog button:has-text("I kept it")');
    assert.equal((await t.api().post('/v1/auth/keys', { invite })).status, 201);
    await lookAt(at, 'admin-sign-up');
    await visit('work', 'Work');
    await at.waitForSelector('h2:has-text("Failed jobs")');
    await lookAt(at, 'admin-work');
    await visit('limits', 'Limits hit');
    await at.click('#sign-out');
    await at.waitForSelector('#token');
    assert.deepEqual(admin.faults, []);
  });

  it('nothing ran, left the page or could not be read', () => {
    assert.deepEqual([watched.faults, unreadable], [[], []]);
  });
});
