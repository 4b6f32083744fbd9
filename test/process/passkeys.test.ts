import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { HOUR_MS } from '../../src/base/period.ts';
import { confirmOperator } from '../support/agents.ts';
import { axeFaults, closePages, launchChromium, skipWithoutChromium } from '../support/console.ts';
import { programsOf } from '../support/doc-programs.ts';
import { startTestApp, type TestAccount, type TestApp, tokenIn } from '../support/harness.ts';
import { Keyboard } from '../support/keyboard.ts';
import { documentServer } from '../support/oauth-client.ts';
import { NAMED_HOST } from '../support/passkeys.ts';
import { readableMail } from '../support/readable-mail.ts';

const EMAIL = 'olga@example.org';

/** One story of one operator, step by step, with the virtual authenticator of Chromium. */
describe('passkeys in Chromium', { skip: skipWithoutChromium }, () => {
  let t: TestApp;
  let browser: Browser;
  let page: Page;
  let keys: Keyboard;
  let cdp: CDPSession;
  let account: TestAccount;
  let authenticatorId = '';
  let codes: string[] = [];
  const faults: string[] = [];

  before(async () => {
    t = await startTestApp('sqlite', NAMED_HOST);
    account = await t.createAccount({ name: 'agent' });
    await confirmOperator(t, account, EMAIL);
    browser = await launchChromium();
    page = await (await browser.newContext()).newPage();
    keys = new Keyboard(page);
    page.on('pageerror', (err) => faults.push(String(err)));
    cdp = await page.context().newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    await newDevice();
  });
  after(async () => {
    await closePages(browser);
    await t?.stop();
  });

  /** Puts another authenticator in place of the one before, which is lost. */
  async function newDevice(): Promise<void> {
    if (authenticatorId !== '') await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
    const made = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    authenticatorId = made.authenticatorId;
  }

  /** The first mail of a subject that is newer than `before`. */
  async function newMail(before: ReadonlySet<string>, subject: string): Promise<string> {
    const mail = (await t.outboxMails()).find((text) => !before.has(text) && text.includes(`Subject: ${subject}`));
    assert.ok(mail, `no mail: ${subject}`);
    return readableMail(mail);
  }

  /** On a page without a script: one that is still starting would write its session again. */
  const forget = async (): Promise<void> => {
    await page.goto(`${t.baseUrl}/health`);
    await page.evaluate('sessionStorage.clear()');
  };
  /** The passkeys are on the page of keys. */
  async function inConsole(): Promise<void> {
    await keys.press('#sections a:has-text("Keys")');
    await page.waitForSelector('#add-passkey');
  }
  const entries = (): Promise<string[]> => page.locator('#passkey-list li').allTextContents();

  async function logInByMail(): Promise<void> {
    await forget();
    const before = new Set(await t.outboxMails());
    await t.api().post('/v1/auth/login', { email: EMAIL });
    await page.goto('about:blank');
    await page.goto(`${t.baseUrl}/login#token=${tokenIn(await newMail(before, 'Your login link'))}`);
    await keys.press('#continue');
    await inConsole();
  }

  async function logInByPasskey(): Promise<void> {
    await forget();
    await page.goto('about:blank');
    await page.goto(`${t.baseUrl}/login`);
    await keys.press('#passkey');
    await inConsole();
  }

  async function add(count: number): Promise<void> {
    await keys.press('#add-passkey');
    await page.waitForSelector(`#passkey-list li:nth-child(${count})`);
  }

  /** A charge that waits, and its link in the mail. */
  async function ask(): Promise<{ id: string; link: string }> {
    const before = new Set(await t.outboxMails());
    await account.api.put('/v1/budget', { daily: 1, on_limit: 'approve' });
    const asked = await account.api.post('/v1/charge', { amount: 5, description: 'A tool.' });
    assert.equal(asked.status, 202, asked.text);
    const mail = await newMail(before, 'Approve');
    const link = /http:\S+\/approve#id=\S+/.exec(mail)?.[0] ?? '';
    return { id: asked.body.approval_id, link };
  }

  const statusOf = async (id: string): Promise<string> => (await account.api.get(`/v1/approvals/${id}`)).body.status;

  it('registers the first passkey after a mailed login, and logs in with it', async () => {
    await logInByMail();
    await add(1);
    await logInByPasskey();
    assert.equal((await entries()).length, 1);
    assert.deepEqual(await axeFaults(page, 'keys-passkeys'), []);
  });

  it('lets an application in; the session opened for that alone ends when the person logs in as somebody else', async () => {
    const documents = await documentServer();
    try {
      const redirect = 'http://127.0.0.1/callback';
      Object.assign(documents.document, { redirect_uris: [redirect] });
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: documents.url,
        redirect_uri: redirect,
        scope: 'mail:read',
        state: 's1',
        resource: `${t.baseUrl}/mcp`,
        code_challenge: 'c'.repeat(43),
        code_challenge_method: 'S256',
      });
      await forget();
      await page.goto(`${t.baseUrl}/oauth/authorize?${query}`);
      const opening = page.waitForResponse((reply) => reply.url().endsWith('/v1/auth/passkey'));
      await keys.press('#passkey');
      const { session } = await (await opening).json();
      await page.waitForSelector('#form');
      assert.equal((await t.api(session).get('/v1/account/me')).status, 200);
      const ending = page.waitForResponse((reply) => reply.url().endsWith('/v1/auth/logout'));
      await keys.press('#other');
      await page.waitForSelector('#login');
      await ending;
      assert.equal((await t.api(session).get('/v1/account/me')).status, 401);
    } finally {
      await documents.close();
    }
    await logInByPasskey();
  });

  it('makes recovery codes, and then requires a passkey', async () => {
    await keys.press('#require-passkey');
    await page.waitForSelector('#passkey-problem:not(:empty)');
    await keys.press('#new-codes');
    codes = (await page.textContent('dialog .secret'))?.split(' ') ?? [];
    assert.equal(codes.length, 10);
    assert.deepEqual(await axeFaults(page, 'dialog-codes', 'dialog'), []);
    await keys.press('dialog button:has-text("I saved it")');
    await page.waitForSelector('text=10 recovery codes left.');
    await keys.press('#require-passkey');
    await page.waitForSelector('text=You require a passkey.');
  });

  it('the mailed link shows the charge, and the passkey approves it', async () => {
    const { id, link } = await ask();
    await page.goto('about:blank');
    await page.goto(link);
    await keys.press('#approve:has-text("Approve with passkey")');
    await page.waitForSelector('#done-title:has-text("Approved")');
    assert.equal(await statusOf(id), 'approved');
  });

  it('on Home too, the passkey approves for a person who logged in by mail', async () => {
    const { id } = await ask();
    await logInByMail();
    await keys.press('#sections a:has-text("Home")');
    await keys.press('.need:has-text("wants to spend") button:has-text("Approve")');
    await page.waitForSelector('.need:has-text("wants to spend")', { state: 'detached' });
    // The cap is used up now, and that is what is left to see.
    await page.waitForSelector('.need:has-text("daily")');
    assert.deepEqual(await axeFaults(page, 'home-approved'), []);
    assert.equal(await statusOf(id), 'approved');
  });

  it('a person whose authenticator verifies nobody does not get in', async () => {
    const { id, link } = await ask();
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await page.goto('about:blank');
    await page.goto(link);
    await keys.press('#approve');
    await page.waitForSelector('#problem:not(:empty)', { timeout: 60_000 });
    assert.equal(await statusOf(id), 'pending');
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
  });

  it('adds a second passkey with the first at once, and removes the first', async () => {
    await logInByPasskey();
    await newDevice();
    await add(2);
    assert.ok((await entries()).every((text) => text.includes('added')));
    await logInByPasskey();
    await keys.press('#passkey-list li:nth-child(2) button');
    await keys.press('dialog button.primary');
    await page.waitForSelector('#passkey-list li:nth-child(2)', { state: 'detached' });
    assert.equal((await entries()).length, 1);
  });

  /** Both programs of docs/passkeys.md, with a device of their own. */
  async function runThePage(): Promise<void> {
    await newDevice();
    const post = `const post = async (path, body = {}) => (await fetch(path, { method: 'POST', body: JSON.stringify(body),
      headers: { authorization: 'Bearer ' + sessionStorage.getItem('signet.credential'), 'content-type': 'application/json' } })).json();`;
    const [adding = '', entering = ''] = programsOf('docs/passkeys.md');
    const id = await page.evaluate<string>(`(async () => { ${post} ${adding} return passkey.id; })()`);
    const session = await page.evaluate<string>(`(async () => { ${post} ${entering} return session; })()`);
    assert.equal((await t.api(session).delete(`/v1/passkeys/${id}`)).status, 200);
  }

  it('a recovery code opens a session, once', async () => {
    const recover = async (): Promise<void> => {
      await forget();
      await page.goto(`${t.baseUrl}/login`);
      await keys.press('#recovery');
      await keys.type('#recovery-email', EMAIL);
      await keys.type('#recovery-code', codes[0] ?? '');
      await keys.press('#recovery-form .button');
    };
    await recover();
    await inConsole();
    await page.waitForSelector('text=9 recovery codes left.');
    await runThePage();
    await recover();
    await page.waitForSelector('#recovery-form .problem:has-text("not known, or was used")');
    faults.push(...(await axeFaults(page, 'login-recovery')));
  });

  it('a lost passkey: a new one, added after a mailed login, approves after 72 hours and not before', async () => {
    await newDevice();
    await logInByMail();
    await add(2);
    assert.equal((await entries()).filter((text) => text.includes('works from')).length, 1);
    const early = await ask();
    await page.goto('about:blank');
    await page.goto(early.link);
    await keys.press('#approve');
    await page.waitForSelector('#problem:has-text("72 hours after")');
    assert.equal(await statusOf(early.id), 'pending');
    t.clock.advance(72 * HOUR_MS);
    const { id, link } = await ask();
    await page.goto('about:blank');
    await page.goto(link);
    await keys.press('#approve');
    await page.waitForSelector('#done-title:has-text("Approved")');
    assert.equal(await statusOf(id), 'approved');
    assert.deepEqual(faults, []);
  });
});
