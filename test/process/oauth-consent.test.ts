import assert from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
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
import { type TestAccount, type TestApp, tokenIn } from '../support/harness.ts';
import { Keyboard } from '../support/keyboard.ts';
import { documentServer } from '../support/oauth-client.ts';

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
    const { url, verifier } = await ask('mail:read mail:codes mail:send');
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
      /Read mail mail:read\s+See codes [^:]+ mail:codes\s+Send mail mail:send/,
    );
    assert.equal(await other.isChecked('input[value="mail:codes"]'), false, 'what opens other accounts is not ticked');
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
});
