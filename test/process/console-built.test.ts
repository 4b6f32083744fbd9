import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page, Request } from 'playwright-core';
import {
  closePages,
  launchChromium,
  openConsole,
  openPage,
  sharedApp,
  skipWithoutChromium,
} from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { IS_FULL_RUN } from '../support/full-run.ts';
import { freshDatabase } from '../support/harness.ts';
import { type OperatedAgent, operate, type Place, placeOf, placeOfProcess } from '../support/operated.ts';
import { type Service, startService } from './service.ts';

const BUILT = ['sh', 'bin/node', '--disable-warning=ExperimentalWarning', 'dist/service/main.js', 'serve'];

/** Of the first view of Home: scripts and styles, and all bytes with headers. */
const FILES_MAX = 6;
const BYTES_MAX = 150_000;

interface Walker {
  place: Place;
  agents: OperatedAgent[];
  page: Page;
  faults: string[];
  requests: Request[];
}

/** Marks when the first agent of Home is drawn. The other pages are loaded when it is idle. */
const MARK_HOME = `new MutationObserver((_, observer) => {
  if (!document.querySelector('.agent-card')) return;
  observer.disconnect();
  globalThis.drawnAt = performance.now();
}).observe(document, { childList: true, subtree: true });`;

const NAMES_BEFORE = `performance.getEntriesByType('resource').filter((one) => one.startTime < drawnAt).map(({ name }) => name)`;

/** Where the list of pages says something else than the module of a page, which is loaded later. */
const unlike = (
  tree: string,
): string => `import('/assets/${tree}/console/page-list.js').then(({ pages }) => Promise.all(
  pages.filter(({ load }) => load).map(async ({ load, open, forget, ...about }) => {
    const own = await load();
    const names = [...new Set([...Object.keys(about), ...Object.keys(own)])];
    return names.filter((name) => typeof own[name] !== 'function' && own[name] !== about[name]).map((name) => about.name + ' ' + name);
  }))).then((found) => [found.length, found.flat()])`;

/** Opens the console, as a person who is logged in, on the way that both kinds of service are walked. */
async function arrive(browser: Browser, place: Place): Promise<Walker> {
  const { agents, session } = await operate(place, ['walker', 'letter-writer']);
  const [walker, writer] = agents as [OperatedAgent, OperatedAgent];
  const mail = { from: writer.address, to: walker.address, subject: 'Hello', text: 'A word from afar.' };
  assert.equal((await place.api(writer.key).post('/v1/email/send', mail)).status, 201);
  const { page, faults } = await openPage(browser, place);
  const requests: Request[] = [];
  page.on('request', (request) => requests.push(request));
  await page.addInitScript(MARK_HOME);
  await page.goto(`${place.baseUrl}/assets/seal.svg`);
  await page.evaluate(`sessionStorage.setItem('signet.credential', ${JSON.stringify(session)})`);
  requests.length = 0;
  await page.goto(`${place.baseUrl}/dashboard`);
  await page.waitForSelector('.agent-card');
  return { place, agents, page, faults, requests };
}

/** What a person sees on the way. `npm test` goes to the pages that have files of their own, `npm run test:all` to all. */
async function walk({ place, agents: [walker], page }: Walker): Promise<string[]> {
  const seen: string[] = [];
  const note = async (): Promise<void> => {
    seen.push(`${await page.title()}: ${(await page.locator('h1').allTextContents()).join()}`);
  };
  const to = async (name: string, title: string): Promise<void> => {
    await page.evaluate(`location.hash = '#/${walker?.id}/${name}'`);
    // The navigation may say it in fewer words.
    await eventually(async () => (await page.title()).startsWith(title));
    await page.waitForSelector('main:not([aria-busy]) h1');
    await note();
  };
  await note();
  await to('mail', 'Mail');
  await page.click('.letters a');
  await page.waitForSelector('.reading-pane :text("A word from afar.")');
  await to('vault', 'Vault');
  await to('calendar', 'Calendar');
  if (!IS_FULL_RUN) return seen;
  const entries = await page
    .locator('#sections a')
    .evaluateAll((links) =>
      links.map((link) => [link.getAttribute('href')?.split('/').at(-1) ?? '', link.textContent?.trim() ?? '']),
    );
  for (const [name = '', title = ''] of entries.filter(([at]) => at !== 'home')) await to(name, title);
  for (const path of ['/', '/login', '/approve', '/review', '/confirm', '/credentials', '/recover', '/device']) {
    await page.evaluate('sessionStorage.clear()');
    await page.goto(place.baseUrl + path);
    await page.waitForSelector('h1');
    await note();
  }
  return seen;
}

describe('the console of a built service, in Chromium', { skip: skipWithoutChromium }, () => {
  let browser: Browser;
  let service: Service;
  let drop: () => Promise<void>;
  let built: Walker;
  let adminPort: number;

  before(async () => {
    const fresh = await freshDatabase('sqlite');
    drop = fresh.drop;
    adminPort = await freePort();
    service = await startService({ ...fresh.env, ADMIN_PORT: String(adminPort) }, BUILT);
    browser = await launchChromium();
    built = await arrive(browser, placeOfProcess(service, fresh.env.DATA_DIR as string));
  });
  after(async () => {
    await closePages(browser).finally(async () => {
      await service?.kill('SIGKILL');
      await drop?.();
    });
  });

  it(`needs at most ${FILES_MAX} scripts and styles, and ${BYTES_MAX / 1000} KB, for the first view of Home`, async (test) => {
    const { page, requests } = built;
    const names = new Set([page.url().split('#')[0], ...(await page.evaluate<string[]>(NAMES_BEFORE))]);
    const loaded = requests.filter((request) => names.has(request.url()));
    const files = loaded.filter((request) => /\.(js|css)$/.test(request.url()));
    assert.ok(files.length >= 3 && files.length <= FILES_MAX, files.map((one) => one.url()).join('\n'));
    let bytes = 0;
    for (const request of loaded.filter((one) => !one.url().includes('/v1/'))) {
      const sizes = await request.sizes();
      bytes += sizes.responseBodySize + sizes.responseHeadersSize;
    }
    assert.ok(bytes > 20_000 && bytes <= BYTES_MAX, `${bytes} bytes`);
    test.diagnostic(`${files.length} scripts and styles, ${bytes} bytes`);
  });

  it('gets each file compressed, to keep for good, from an address with the hash of all', async () => {
    const files = built.requests.map((one) => one.url()).filter((url) => url.includes('/console/'));
    assert.ok(files.length >= 3);
    for (const url of files) {
      assert.match(url, /\/assets\/[0-9a-f]{16}\/console\/[\w.-]+$/);
      for (const coding of ['br', 'gzip']) {
        const reply = await service.api().get(new URL(url).pathname, { 'accept-encoding': coding });
        assert.equal(reply.headers.get('content-encoding'), coding, url);
        assert.equal(reply.headers.get('cache-control'), 'public, max-age=31536000, immutable', url);
      }
    }
  });

  it('shows the same on the same walk as the console from its sources', async () => {
    const fromSources = await arrive(browser, placeOf(await sharedApp()));
    assert.deepEqual(await walk(built), await walk(fromSources));
    for (const { faults } of [built, fromSources]) assert.deepEqual(faults, []);
    const scripts = ({ requests }: Walker): number => requests.filter((one) => one.url().endsWith('.js')).length;
    assert.ok(scripts(built) < scripts(fromSources) / 2, 'one is built, and the other is not');
    const [, tree = ''] = /\/assets\/([0-9a-f]{16})\//.exec(fromSources.requests.map((one) => one.url()).join()) ?? [];
    const [pages, found] = await fromSources.page.evaluate<[number, string[]]>(unlike(tree));
    assert.ok(pages >= 13);
    assert.deepEqual(found, []);
  });

  it('shows the frame of a page while no script has come', async () => {
    const { page } = await openPage(browser, service);
    await page.route(/\/console\/[^/]+\.js$/, () => {});
    for (const [path, frame] of [
      ['/dashboard', '.rail .brand'],
      ['/login', '.card .brand'],
      ['/approve', '.card .brand'],
    ] as const) {
      await page.goto(service.baseUrl + path, { waitUntil: 'commit' });
      await page.locator(frame).waitFor();
      await page.locator('.skeleton').waitFor();
    }
  });

  it('says so where the code of a page does not come, and opens the page when it does', async () => {
    const { page, faults } = await openPage(browser, service);
    let isGone = true;
    await page.route(/mail-page/, (route) => (isGone ? route.fulfill({ status: 404 }) : route.continue()));
    const { agents } = built;
    await openConsole({ page, faults }, service, agents[0]?.key ?? '', '#/overview');
    await page.evaluate("location.hash = '#/mail'");
    await page.waitForSelector('.failed:has-text("it may have been upgraded")');
    isGone = false;
    await page.click('.failed button');
    await page.waitForSelector('h1:has-text("Mail")');
    assert.deepEqual(faults, []);
  });

  it('has the page of the administrator too', async () => {
    const { page, faults } = await openPage(browser, { baseUrl: `http://127.0.0.1:${adminPort}` });
    await page.goto(`http://127.0.0.1:${adminPort}`);
    await page.waitForSelector('h1:has-text("Operate this service")');
    assert.deepEqual(faults, []);
  });
});
