import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as oauth from 'openid-client';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { confirmOperator } from '../support/agents.ts';
import {
  axeFaults,
  closePages,
  launchChromium,
  openConsole,
  sharedApp,
  skipWithoutChromium,
} from '../support/console.ts';
import { itInAll } from '../support/full-run.ts';
import { type TestAccount, type TestApp, tokenIn } from '../support/harness.ts';
import { Keyboard } from '../support/keyboard.ts';
import { documentServer } from '../support/oauth-client.ts';
import { type Env, type Running, signet, startSignet, succeeds } from './command-line.ts';

const HOSTILE = '<img src=x onerror=alert(1)>"\'</script> $& {host}';
const EMAIL = 'olga@example.org';

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a person lets a client in, in Chromium', { skip: skipWithoutChromium }, () => {
  let t: TestApp;
  let browser: Browser;
  let context: BrowserContext;
  let documents: Awaited<ReturnType<typeof documentServer>>;
  let agents: TestAccount[];
  let callback = '';
  let client: oauth.Configuration;
  const faults: string[] = [];
  /** A token of the client. */
  let granted = '';
  /** How the client answers the browser. */
  let answer = (response: ServerResponse): unknown => response.end('<h1>Back in the client</h1>');
  /** What the client listens on. */
  let local: Server | undefined;

  const folder = mkdtempSync(join(tmpdir(), 'signet-login-'));
  const env: Env = { XDG_CONFIG_HOME: folder };
  const fileOf = (profile = '') => join(folder, 'signet', `login${profile}.json`);

  before(async () => {
    t = await sharedApp();
    agents = [await t.createAccount({ name: 'one' }), await t.createAccount({ name: 'two' })];
    for (const agent of agents) await confirmOperator(t, agent, EMAIL);
    local = createServer((_request, response) => void answer(response));
    callback = `${await listen(local)}/callback`;
    documents = await documentServer();
    Object.assign(documents.document, { redirect_uris: ['http://127.0.0.1/callback'], client_name: HOSTILE });
    client = await discoverFrom(`${t.baseUrl}/mcp`);
    browser = await launchChromium();
    context = await browser.newContext({ timezoneId: 'UTC' });
  });
  after(async () => {
    await closePages(browser);
    await documents?.close();
    local?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Everything that a client knows comes from the refusal of its first call (RFC 9728 5). */
  async function discoverFrom(url: string): Promise<oauth.Configuration> {
    const challenge = (await fetch(url, { method: 'POST' })).headers.get('www-authenticate') ?? '';
    const metadata = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] as string;
    const { authorization_servers: issuers } = (await (await fetch(metadata)).json()) as {
      authorization_servers: string[];
    };
    const options = { execute: [oauth.allowInsecureRequests], algorithm: 'oauth2' as const };
    return oauth.discovery(new URL(issuers[0] as string), documents.url, undefined, oauth.None(), options);
  }

  async function newPage(): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    page.on('pageerror', (err) => faults.push(String(err)));
    page.on('console', (message) => {
      // The frame of another site is refused on purpose.
      const text = message.text();
      if (/trusted ?type|content security policy/i.test(text) && !text.includes('frame-ancestors')) faults.push(text);
    });
    return page;
  }

  async function ask(scope: string): Promise<{ url: string; verifier: string }> {
    const verifier = oauth.randomPKCECodeVerifier();
    const url = oauth.buildAuthorizationUrl(client, {
      redirect_uri: callback,
      scope,
      state: 's1',
      resource: `${t.baseUrl}/mcp`,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, verifier };
  }

  function listTools() {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    return t.api(granted).post('/mcp', message, { accept: 'application/json, text/event-stream' });
  }

  it('logs in by mail, comes back, picks the agent, takes a scope away, and the client gets what is left', async () => {
    const { url, verifier } = await ask('mail:read mail:codes mail:send money:approve');
    const page = await newPage();
    await page.goto(url);
    await page.waitForSelector('#login:not([hidden])');
    assert.equal(await page.textContent('#client'), HOSTILE);
    assert.equal(await page.locator('#app img').count(), 1, 'the seal alone');
    faults.push(...(await axeFaults(page, 'consent-login')));
    assert.equal(await page.textContent('#redirect-host'), new URL(callback).host);
    assert.ok(await page.isVisible('#own-machine'));
    const before = new Set(await t.outboxMails());
    const keys = new Keyboard(page);
    await keys.type('#email', EMAIL);
    await keys.press('#send');
    await page.waitForSelector('#sent:not([hidden])');
    const mail = (await t.outboxMails()).find((text) => !before.has(text) && text.includes('/login#')) ?? '';
    const other = await newPage();
    await other.goto(`${t.baseUrl}/login#token=${tokenIn(mail)}`);
    const by = new Keyboard(other);
    await by.press('#continue');
    await other.waitForSelector('#form:not([hidden])');
    assert.equal(other.url(), url);
    assert.match(
      (await other.textContent('#form')) ?? '',
      /Read mail mail:read\s+See codes [^:]+ mail:codes\s+Send mail mail:send\s+Approve and reject charges money:approve/,
    );
    assert.equal(await other.isChecked('input[value="mail:codes"]'), false, 'what opens other accounts is not ticked');
    assert.equal(await other.isChecked('input[value="money:approve"]'), false, 'A8 nor what a person decides');
    faults.push(...(await axeFaults(other, 'consent-asking')));
    await by.choose('#account', agents[1]?.accountId as string);
    await by.press('input[value="mail:send"]', 'Space');
    await by.press('#allow');
    await other.waitForURL(`${callback}**`);
    const answer = new URL(other.url());
    assert.equal(answer.searchParams.get('iss'), t.baseUrl);
    const checks = { pkceCodeVerifier: verifier, expectedState: 's1' };
    const tokens = await oauth.authorizationCodeGrant(client, answer, checks);
    assert.equal(tokens.scope, 'mail:read');
    const shown = await agents[1]?.api.post('/v1/tokens/introspect', { token: tokens.access_token });
    assert.equal(shown?.body.sub, agents[1]?.accountId);
    granted = tokens.access_token;
    const listed = await listTools();
    assert.match(listed.text, /"list_mail"/);
    assert.doesNotMatch(listed.text, /"send_mail"/);
    // Another service cannot pass its answer off as ours (RFC 9207).
    const mixed = new URL(answer);
    mixed.searchParams.set('iss', 'https://evil.example');
    await assert.rejects(oauth.authorizationCodeGrant(client, mixed, checks));
  });

  it('the page of keys lists the client, and ends its access', async () => {
    const page = await newPage();
    await openConsole({ page, faults }, t, agents[1]?.key as string, '#/keys');
    await page.waitForSelector('section[aria-labelledby="grants"]');
    faults.push(...(await axeFaults(page, 'keys-grants')));
    assert.equal((await listTools()).status, 200);
    const keys = new Keyboard(page);
    await keys.press('section[aria-labelledby="grants"] button');
    assert.ok(((await page.textContent('dialog')) ?? '').includes(HOSTILE));
    await keys.press('dialog .primary');
    await page.waitForSelector('section[aria-labelledby="grants"]', { state: 'detached' });
    assert.equal((await listTools()).status, 401);
    await page.close();
  });

  it('denies, chooses nothing, and shows no page in a frame of another site', async () => {
    const page = (await context.pages().at(-1)) as Page;
    const { url } = await ask('mail:read');
    await page.goto(url);
    await page.waitForSelector('#form:not([hidden])');
    const keys = new Keyboard(page);
    await keys.press('input[value="mail:read"]', 'Space');
    await keys.press('#allow');
    await page.waitForSelector('#problem:not(:empty)');
    // A client that answers with no page leaves the result on the screen.
    answer = (response) => response.writeHead(204).end();
    await keys.press('#deny');
    await page.waitForSelector('#done-title:focus');
    assert.equal(await page.textContent('#done-title'), 'Denied');
    assert.ok(((await page.textContent('#done')) ?? '').includes(`${HOSTILE} learns that you refused.`));
    assert.equal(await page.locator('#done time').count(), 1);
    faults.push(...(await axeFaults(page, 'consent-denied')));
    answer = (response) => response.end('<h1>Back in the client</h1>');
    await keys.press('#back');
    await page.waitForURL(`${callback}**`);
    assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied');
    const refusal = page.waitForEvent('console', (message) => message.text().includes("frame-ancestors 'none'"));
    await page.setContent(`<iframe src="${url.replaceAll('&', '&amp;')}"></iframe>`);
    await refusal;
    assert.deepEqual(faults, []);
  });

  const startLogin = (...args: string[]): Running => startSignet(env, 'login', '--url', t.baseUrl, ...args);
  const loggedInPage = (): Page => context.pages().at(-1) as Page;
  const storedKey = (profile?: string): string => JSON.parse(readFileSync(fileOf(profile), 'utf8')).key;

  it('lets the command line on this machine in: signet login gets a named key, and logout ends it', async () => {
    const login = startLogin('--no-browser');
    const url = new URL(await login.said(/log in at (\S+)\n/));
    const redirect = url.searchParams.get('redirect_uri') as string;
    assert.match(redirect, /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    const state = url.searchParams.get('state') as string;
    // Other programs on the machine reach the port too.
    for (const answer of [
      { code: 'x', state: 'guessed', iss: t.baseUrl },
      { code: 'x', state, iss: 'https://evil.example' },
    ])
      assert.equal((await fetch(`${redirect}?${new URLSearchParams(answer)}`)).status, 400);
    const page = loggedInPage();
    await page.goto(url.href);
    await page.waitForSelector('#form:not([hidden])');
    assert.equal(await page.textContent('#asking-title'), 'Allow the command line on this machine?');
    assert.ok(await page.isVisible('#own-machine'));
    assert.equal(await page.isChecked('input[value="mail:codes"]'), false);
    assert.equal(await page.locator('input[value="account:manage"], input[value="money:approve"]').count(), 0);
    faults.push(...(await axeFaults(page, 'consent-command-line')));
    const keys = new Keyboard(page);
    await keys.choose('#account', agents[1]?.accountId as string);
    await keys.press('input[value="mail:send"]', 'Space');
    await keys.press('#allow');
    await page.waitForURL(`${redirect}**`);
    const { code, stdout, stderr } = await login.ended;
    assert.equal(code, 0, stderr);
    assert.ok(stdout.startsWith(`logged in as ${agents[1]?.accountId};`), stdout);
    const key = storedKey();
    assert.match(key, /^signet_key_/);
    assert.ok(!(stdout + stderr).includes(key));
    assert.equal(statSync(fileOf()).mode & 0o777, 0o600);
    const status = (await succeeds(env, 'auth', 'status', '--json')).json();
    assert.deepEqual(
      [status.profile, status.url, status.account_id, status.key],
      ['default', t.baseUrl, agents[1]?.accountId, 'named'],
    );
    assert.equal(Date.parse(status.expires_at), t.clock.now() + 90 * 86_400_000);
    assert.ok(status.scopes.includes('mail:read') && !status.scopes.includes('mail:send'), status.scopes);
    assert.equal((await t.api(key).get('/v1/account/me')).status, 200);
    await succeeds(env, 'logout');
    assert.equal((await t.api(key).get('/v1/account/me')).status, 401);
    assert.equal(existsSync(fileOf()), false);
    assert.equal((await signet(env, 'auth', 'status')).code, 3);
    assert.deepEqual(faults, []);
  });

  itInAll(
    'a person types the code of signet login --device; profiles stand beside each other; a denied login keeps nothing',
    async () => {
      const page = loggedInPage();
      const keys = new Keyboard(page);
      const typeCode = async (code: string): Promise<void> => {
        await page.goto(`${t.baseUrl}/device`);
        await page.waitForSelector('#code-form');
        await keys.type('#code', code.toLowerCase());
        await keys.press('#use-code');
      };
      const says = /type the code (\S+)\n/;
      const asked = ['account:read', 'mail:read', 'money:approve'].flatMap((scope) => ['--scope', scope]);
      const work = startLogin('--device', '--profile', 'work', ...asked);
      const code = await work.said(says);
      await typeCode('BBBB-BBBB');
      await page.waitForSelector('#problem:not(:empty)');
      faults.push(...(await axeFaults(page, 'device-code')));
      await typeCode(code);
      await page.waitForSelector('#form:not([hidden])');
      assert.ok(await page.isVisible('#other-machine'));
      assert.equal(await page.isChecked('input[value="money:approve"]'), false);
      faults.push(...(await axeFaults(page, 'consent-device')));
      await keys.choose('#account', agents[0]?.accountId as string);
      await keys.press('#allow');
      await page.waitForSelector('#done-title:focus');
      assert.match((await page.textContent('#done')) ?? '', /Go back to your terminal\./);
      const done = await work.ended;
      assert.equal(done.code, 0, done.stderr);
      const [account] = agents;
      await succeeds(env, 'login', '--url', t.baseUrl, '--key', account?.key as string);
      const { profiles } = (await succeeds(env, 'auth', 'list', '--json')).json();
      assert.deepEqual(
        profiles.map((each: { profile: string; current: boolean }) => [each.profile, each.current]),
        [
          ['default', true],
          ['work', false],
        ],
      );
      assert.equal(statSync(fileOf('-work')).mode & 0o777, 0o600);
      const scopes = async (...args: string[]) =>
        (await succeeds(env, 'auth', 'status', '--json', ...args)).json().scopes;
      assert.deepEqual(await scopes('--profile', 'work'), ['account:read', 'mail:read']);
      assert.ok((await scopes()).includes('account:manage'));
      await succeeds(env, 'auth', 'switch', 'work');
      assert.deepEqual(await scopes(), ['account:read', 'mail:read']);
      assert.equal(
        (await succeeds({ ...env, SIGNET_PROFILE: 'default' }, 'auth', 'status', '--json')).json().key,
        'primary',
      );
      assert.equal((await signet(env, 'auth', 'switch', '../login')).code, 2);
      assert.equal((await signet(env, '--profile', 'none', 'whoami')).code, 3);
      // The key of the default profile may be kept nowhere else.
      const kept = await signet(env, 'login', '--url', t.baseUrl, '--device', '--profile', 'default');
      assert.equal(kept.code, 2, kept.stderr);
      const denied = startLogin('--device', '--profile', 'other');
      await typeCode(await denied.said(says));
      await page.waitForSelector('#form:not([hidden])');
      await keys.press('#deny');
      await page.waitForSelector('#done-title:focus');
      const refused = await denied.ended;
      assert.equal(refused.code, 5, refused.stderr);
      assert.match(refused.stderr, /access_denied/);
      assert.equal(existsSync(fileOf('-other')), false);
      // Another login in a profile ends the key of the former one.
      const former = storedKey('-work');
      const again = startLogin('--device');
      await typeCode(await again.said(says));
      await page.waitForSelector('#form:not([hidden])');
      await keys.press('#allow');
      assert.equal((await again.ended).code, 0);
      assert.equal((await t.api(former).get('/v1/account/me')).status, 401);
      assert.equal((await t.api(storedKey('-work')).get('/v1/account/me')).status, 200);
      assert.deepEqual(faults, []);
    },
  );
});
