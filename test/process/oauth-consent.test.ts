import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import * as oauth from 'openid-client';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { confirmOperator } from '../support/agents.ts';
import { startTestApp, type TestAccount, type TestApp, tokenIn } from '../support/harness.ts';
import { documentServer } from '../support/oauth-client.ts';

/** Debian's Chromium. A machine without it skips these tests with a message. CI has it. */
const CHROMIUM = '/usr/bin/chromium';
const skip = existsSync(CHROMIUM) ? false : `SKIPPED: there is no ${CHROMIUM}, so nothing is shown about consent`;

const EMAIL = 'olga@example.org';

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a person lets a client in, in Chromium', { skip }, () => {
  let t: TestApp;
  let browser: Browser;
  let context: BrowserContext;
  let documents: Awaited<ReturnType<typeof documentServer>>;
  let agents: TestAccount[];
  let callback = '';
  let client: oauth.Configuration;
  const faults: string[] = [];
  const servers: Server[] = [];

  before(async () => {
    t = await startTestApp('sqlite');
    agents = [await t.createAccount({ name: 'one' }), await t.createAccount({ name: 'two' })];
    for (const agent of agents) await confirmOperator(t, agent, EMAIL);
    // What the client listens on, and a stand-in for /mcp that only says where to ask.
    const local = createServer((_request, response) => response.end('<h1>Back in the client</h1>'));
    const resource = createServer((_request, response) => {
      const metadata = `${t.baseUrl}/.well-known/oauth-protected-resource/mcp`;
      response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` }).end();
    });
    servers.push(local, resource);
    callback = `${await listen(local)}/callback`;
    documents = await documentServer();
    documents.document.redirect_uris = ['http://127.0.0.1/callback'];
    client = await discoverFrom(await listen(resource));
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    context = await browser.newContext();
  });
  after(async () => {
    await browser?.close();
    await documents?.close();
    for (const server of servers) server.close();
    await t?.stop();
  });

  /** Everything that a client knows comes from the refusal of its first call (RFC 9728 5). */
  async function discoverFrom(url: string): Promise<oauth.Configuration> {
    const challenge = (await fetch(url)).headers.get('www-authenticate') ?? '';
    const metadata = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] as string;
    const { authorization_servers: issuers } = (await (await fetch(metadata)).json()) as {
      authorization_servers: string[];
    };
    const options = { execute: [oauth.allowInsecureRequests], algorithm: 'oauth2' as const };
    return oauth.discovery(new URL(issuers[0] as string), documents.url, undefined, oauth.None(), options);
  }

  async function newPage(): Promise<Page> {
    const page = await context.newPage();
    page.on('pageerror', (err) => faults.push(String(err)));
    return page;
  }

  async function ask(scope: string): Promise<{ url: string; verifier: string }> {
    const verifier = oauth.randomPKCECodeVerifier();
    const url = oauth.buildAuthorizationUrl(client, {
      ...{ redirect_uri: callback, scope, state: 's1', resource: `${t.baseUrl}/mcp` },
      ...{ code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
    });
    return { url: url.href, verifier };
  }

  it('logs in by mail, comes back, picks the agent, takes a scope away, and the client gets what is left', async () => {
    const { url, verifier } = await ask('mail:read mail:send');
    const page = await newPage();
    await page.goto(url);
    await page.waitForSelector('#login:not([hidden])');
    assert.equal(await page.textContent('#client'), 'Documented');
    assert.equal(await page.textContent('#redirect-host'), new URL(callback).host);
    assert.ok(await page.isVisible('#own-machine'));
    const before = new Set(await t.outboxMails());
    await page.fill('#email', EMAIL);
    await page.click('#send');
    await page.waitForSelector('#sent:not([hidden])');
    const mail = (await t.outboxMails()).find((text) => !before.has(text) && text.includes('/login#')) ?? '';
    const other = await newPage();
    await other.goto(`${t.baseUrl}/login#token=${tokenIn(mail)}`);
    await other.click('#continue');
    await other.waitForSelector('#form:not([hidden])');
    assert.equal(other.url(), url);
    await other.selectOption('#account', agents[1]?.accountId as string);
    await other.uncheck('input[value="mail:send"]');
    await other.click('#allow');
    await other.waitForURL(`${callback}**`);
    const answer = new URL(other.url());
    assert.equal(answer.searchParams.get('iss'), t.baseUrl);
    const checks = { pkceCodeVerifier: verifier, expectedState: 's1' };
    const tokens = await oauth.authorizationCodeGrant(client, answer, checks);
    assert.equal(tokens.scope, 'mail:read');
    const shown = await agents[1]?.api.post('/v1/tokens/introspect', { token: tokens.access_token });
    assert.equal(shown?.body.sub, agents[1]?.accountId);
    // Another service cannot pass its answer off as ours (RFC 9207).
    const mixed = new URL(answer);
    mixed.searchParams.set('iss', 'https://evil.example');
    await assert.rejects(oauth.authorizationCodeGrant(client, mixed, checks));
  });

  it('denies, chooses nothing, and shows no page in a frame of another site', async () => {
    const page = (await context.pages().at(-1)) as Page;
    const { url } = await ask('mail:read');
    await page.goto(url);
    await page.waitForSelector('#form:not([hidden])');
    await page.uncheck('input[value="mail:read"]');
    await page.click('#allow');
    await page.waitForSelector('#problem:not(:empty)');
    await page.click('#deny');
    await page.waitForURL(`${callback}**`);
    assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied');
    const refusal = page.waitForEvent('console', (message) => message.text().includes("frame-ancestors 'none'"));
    await page.setContent(`<iframe src="${url.replaceAll('&', '&amp;')}"></iframe>`);
    await refusal;
    assert.deepEqual(faults, []);
  });
});
