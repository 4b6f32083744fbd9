import assert from 'node:assert/strict';
import { createDecipheriv, createPublicKey, diffieHellman, generateKeyPairSync, hkdfSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { credentialFingerprint } from '../../src/client/client.ts';
import { axeFaults, closePages, launchChromium, shot, skipWithoutChromium } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { type Api, freshDatabase, tokenIn } from '../support/harness.ts';
import { Keyboard } from '../support/keyboard.ts';
import { ROOMY_LIMITS, type Service, startService } from './service.ts';

const SEALED = 'sk_live_heliotrope-sealed-in-the-page';
const HELD = 'sk_live_wintergreen-held-for-the-agent';
const OPERATOR = 'olga@example.org';

/** How the field of the value shows what is typed. */
const MASK = "getComputedStyle(document.getElementById('value')).webkitTextSecurity";

/** Opens a sealed value as docs/credentials.md describes it for agents. */
function open(agent: ReturnType<typeof generateKeyPairSync>, requestId: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const x = bytes.subarray(0, 32).toString('base64url');
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' });
  const secret = diffieHellman({ privateKey: agent.privateKey, publicKey });
  const key = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(32), 'signet:credential:v1', 32));
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(32, 44));
  decipher.setAAD(Buffer.from(requestId)).setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(44, -16)), decipher.final()]).toString('utf8');
}

/** A valid code that differs from this one. */
const otherThan = (code: string): string => `${code[0] === 'B' ? 'C' : 'B'}${code.slice(1)}`;

describe('an agent asks its operator for a credential, in Chromium', { skip: skipWithoutChromium }, () => {
  let service: Service;
  let dataDir: string;
  let drop: () => Promise<void>;
  let browser: Browser;
  let agent: Api;
  const sent: string[] = [];
  const faults: string[] = [];

  before(async () => {
    const database = await freshDatabase('sqlite');
    dataDir = database.env.DATA_DIR as string;
    drop = database.drop;
    service = await startService({ ...database.env, LIMITS: ROOMY_LIMITS, LOG_LEVEL: 'trace' });
    const { api_key: key } = (await service.api().post('/v1/auth/keys', { name: 'Ledger <b>bot</b>' })).body;
    agent = service.api(key);
    await agent.post('/v1/account/operator-email', { email: OPERATOR });
    const token = tokenIn(await mailWith('/confirm#', 1));
    await service.api().post('/v1/people/confirm', { token, decision: 'confirm' });
    browser = await launchChromium();
  });
  after(async () => {
    await closePages(browser);
    await service?.kill('SIGKILL');
    await drop?.();
  });

  async function newPage(): Promise<Page> {
    const page = await browser.newPage();
    page.on('pageerror', (err) => faults.push(String(err)));
    page.on('request', (request) => sent.push(request.postData() ?? ''));
    return page;
  }

  /** Waits for `count` mails with a link to a page and returns the newest one. */
  const mailWith = (page: string, count: number): Promise<string> =>
    eventually(() => {
      const dir = join(dataDir, 'outbox');
      const files = readdirSync(dir).filter((name) => name.endsWith('.eml'));
      const texts = files.sort().map((name) => readFileSync(join(dir, name), 'utf8'));
      const mails = texts.filter((text) => text.includes(page));
      return mails.length >= count && mails.at(-1);
    });

  /** Waits for `count` mails and returns the link of the newest one to the page. */
  const mailedLink = async (count: number): Promise<string> =>
    `${service.baseUrl}/credentials#token=${tokenIn(await mailWith('/credentials#', count))}`;

  /** Takes the operator from the agent's code to the request: code, mail, link, code. */
  async function followToRequest(request: { verification_url_complete: string; user_code: string }, mails: number) {
    const page = await newPage();
    await page.goto(request.verification_url_complete);
    assert.equal(await page.inputValue('#code'), request.user_code);
    await new Keyboard(page).press('#code-send');
    await page.waitForSelector('#sent:not([hidden])');
    await page.goto('about:blank');
    await page.goto(await mailedLink(mails));
    return page;
  }

  async function enterCode(page: Page, code: string): Promise<void> {
    const by = new Keyboard(page);
    await by.type('#code', code);
    const answered = page.waitForResponse((response) => response.url().endsWith('/v1/credentials/view'));
    await by.press('#code-send');
    await (await answered).finished();
  }

  /** Checks the database files with the write-ahead log, and all output of the service. */
  function searched(): string {
    const files = readdirSync(dataDir).filter((name) => name.startsWith('signet.db'));
    assert.ok(files.includes('signet.db-wal'), 'the write-ahead log is searched too');
    const texts = files.map((name) => readFileSync(join(dataDir, name), 'latin1'));
    return [...texts, service.stdout(), service.stderr()].join('\n');
  }

  function assertUnseen(value: string): void {
    const text = searched();
    for (const form of [value, Buffer.from(value).toString('base64').slice(0, -4), Buffer.from(value).toString('hex')])
      assert.ok(!text.includes(form), 'the value is in the database or the logs');
  }

  it('L8: with an agent key, whose fingerprint the page shows: the page seals the value, the service never gets it and delivers it once; slow_down on the way', async () => {
    const keys = generateKeyPairSync('x25519');
    const publicKey = keys.publicKey.export({ format: 'jwk' }).x;
    const wish = { description: 'Stripe key, to reconcile', vault_key: 'stripe', public_key: publicKey };
    const request = (await agent.post('/v1/credentials/request', wish)).body;
    const poll = async () => (await agent.post('/v1/credentials/poll', { device_code: request.device_code })).body;
    assert.equal((await poll()).status, 'authorization_pending');
    const hasty = await poll();
    assert.deepEqual([hasty.status, hasty.interval], ['slow_down', 10]);

    const page = await followToRequest(request, 1);
    assert.ok(!(await page.content()).includes('to reconcile'), 'shown only after code and proof');
    await enterCode(page, request.user_code.toLowerCase());
    const details = await page.textContent('#details');
    for (const detail of ['Ledger <b>bot</b>', 'Stripe key, to reconcile', 'stripe'])
      assert.ok(details?.includes(detail), detail);
    assert.equal(await page.textContent('#fingerprint'), await credentialFingerprint(publicKey as string));
    assert.ok(await page.isVisible('#compare'));
    assert.equal(await page.evaluate(MASK), 'disc', 'what is typed is masked until a person asks');
    const by = new Keyboard(page);
    await by.check('#reveal');
    assert.equal(await page.evaluate(MASK), 'none');
    await by.type('#value', SEALED);
    assert.deepEqual(await axeFaults(page, 'credentials-request'), []);
    await by.press('#give');
    await page.waitForSelector('#done:not([hidden])');
    assert.equal(await page.textContent('#done-title'), 'Credential given');
    await shot(page, 'credentials-given');
    assert.equal(await page.locator('#value').count(), 0, 'the field is gone, with what was typed');
    assert.ok(sent.some((body) => body.includes('sealed_value')));
    assert.ok(!sent.some((body) => body.includes(SEALED)));
    assertUnseen(SEALED);

    const given = await poll();
    assert.deepEqual([given.status, given.vault_key], ['approved', 'stripe']);
    assert.equal(open(keys, request.request_id, given.sealed_value), SEALED);
    const again = await poll();
    assert.deepEqual([again.status, again.sealed_value], ['expired', undefined]);
    assertUnseen(SEALED);
  });

  it('without an agent key: stored unreadably in the database, delivered once', async () => {
    const request = (await agent.post('/v1/credentials/request', { description: 'A token' })).body;
    const page = await followToRequest(request, 2);
    await enterCode(page, request.user_code);
    const by = new Keyboard(page);
    await by.type('#value', HELD);
    assert.equal(await page.locator('#fingerprint').count(), 0);
    assert.ok(await page.isHidden('#compare'));
    await by.press('#give');
    await page.waitForSelector('#done:not([hidden])');
    assertUnseen(HELD);
    const poll = async () => (await agent.post('/v1/credentials/poll', { device_code: request.device_code })).body;
    assert.equal((await poll()).credential_value, HELD);
    assert.equal((await poll()).status, 'expired');
    assertUnseen(HELD);
  });

  it('five wrong codes end the request', async () => {
    const request = (await agent.post('/v1/credentials/request', { description: 'A token' })).body;
    const page = await followToRequest(request, 3);
    for (let i = 0; i < 5; i++) {
      await enterCode(page, otherThan(request.user_code));
      await page.waitForFunction("document.getElementById('code-problem').textContent !== ''");
    }
    await enterCode(page, request.user_code);
    await page.waitForSelector('#done:not([hidden])');
    assert.equal(await page.textContent('#done-title'), 'Already decided');
    const { status, reason } = (await agent.post('/v1/credentials/poll', { device_code: request.device_code })).body;
    assert.deepEqual([status, reason], ['denied', 'wrong_codes']);
  });

  it('an operator session in the tab is sufficient proof, and a denial delivers nothing', async () => {
    await service.api().post('/v1/auth/login', { email: OPERATOR });
    const token = tokenIn(await mailWith('/login#', 1));
    const opened = await service.api().get(`/v1/auth/verify?token=${token}`);
    const session = opened.headers.get('location')?.split('#session=')[1];
    const request = (await agent.post('/v1/credentials/request', { description: 'A token' })).body;
    const page = await newPage();
    await page.goto(`${service.baseUrl}/login`);
    await page.evaluate(`sessionStorage.setItem('signet.credential', '${session}')`);
    await page.goto(request.verification_url_complete);
    const by = new Keyboard(page);
    await by.press('#code-send');
    await page.waitForSelector('#deciding:not([hidden])');
    await by.press('#deny');
    await page.waitForSelector('#done:not([hidden])');
    assert.equal(await page.textContent('#done-title'), 'Refused');
    const { status, reason } = (await agent.post('/v1/credentials/poll', { device_code: request.device_code })).body;
    assert.deepEqual([status, reason], ['denied', 'operator']);
    assert.deepEqual(faults, []);
  });
});
