import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after } from 'node:test';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { unreadableIn } from './forbidden-words.ts';
import { IS_FULL_RUN } from './full-run.ts';
import { startTestApp, type TestApp } from './harness.ts';

/** Debian's Chromium. A machine without it skips these tests with a message. CI has it. */
export const CHROMIUM = '/usr/bin/chromium';

export const skipWithoutChromium = existsSync(CHROMIUM)
  ? false
  : `SKIPPED: there is no ${CHROMIUM}, so nothing is shown about what this file tests`;

const SHOTS = 'coverage/console';

let launched: Browser | undefined;
let app: Promise<TestApp> | undefined;
after(async () => {
  await launched?.close();
  await (await app)?.stop();
});

/**
 * The service that the test files of this process share, for those that make their own accounts and people in it. What
 * changes what others see, such as its settings or a day that passes, needs its own.
 */
export function sharedApp(): Promise<TestApp> {
  app ??= startTestApp('sqlite');
  return app;
}

/** The browser of this process. Its test files use it one after the other. */
export async function launchChromium(): Promise<Browser> {
  if (!launched?.isConnected()) launched = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  return launched;
}

/** Ends what a test file opened, and leaves the browser to the next. */
export async function closePages(browser: Browser | undefined): Promise<void> {
  for (const context of browser?.contexts() ?? []) await context.close();
}

/** A page with its own storage, in which nothing may go wrong. */
export interface WatchedPage {
  page: Page;
  /** Exceptions, violations of the content security policy, and requests to other hosts. */
  faults: string[];
}

export async function openPage(
  browser: Browser,
  t: Pick<TestApp, 'baseUrl'>,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ timezoneId: 'UTC', viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  // A test that waits for what never comes must say so before the runner loses patience.
  page.setDefaultTimeout(30_000);
  const faults: string[] = [];
  page.on('pageerror', (err) => faults.push(String(err)));
  page.on('console', (message) => {
    if (/content security policy|trusted ?type/i.test(message.text())) faults.push(message.text());
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(t.baseUrl) && !/^(data|blob|about):/.test(url)) faults.push(`request to ${url}`);
  });
  return { page, faults };
}

/** Opens the console with a credential, as a person who had signed in before. */
export async function openConsole(
  watched: WatchedPage,
  t: Pick<TestApp, 'baseUrl'>,
  credential: string,
  fragment = '',
): Promise<void> {
  const { page } = watched;
  await page.goto(`${t.baseUrl}/assets/seal.svg`);
  await page.evaluate(`sessionStorage.setItem('signet.credential', ${JSON.stringify(credential)})`);
  await page.goto(`${t.baseUrl}/dashboard${fragment}`);
  await page.waitForSelector('#desk main h1');
}

/** Keeps a picture of the page in a full run, for people to look at. */
export async function shot(page: Page, name: string): Promise<void> {
  if (!IS_FULL_RUN) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * In a full run every rule runs in both themes and in both widths, and what depends on both at once in all four looks. Else
 * every rule runs in one look, and what depends on how a page is seen also in the one that differs most.
 */
const LOOKS = [
  { colorScheme: 'light', width: 1280, isWhole: true, isAlways: true },
  { colorScheme: 'dark', width: 1280, isWhole: false, isAlways: false },
  { colorScheme: 'dark', width: 390, isWhole: IS_FULL_RUN, isAlways: true },
  { colorScheme: 'light', width: 390, isWhole: false, isAlways: false },
].filter(({ isAlways }) => isAlways || IS_FULL_RUN) as {
  colorScheme: 'light' | 'dark';
  width: number;
  isWhole: boolean;
}[];

/** The rules about what is seen: a narrow window shows other elements, and each theme has its colours. */
const SEEN = ['color-contrast', 'link-in-text-block', 'target-size'];

/**
 * What axe-core finds on the page as it is now, in both themes and both widths. Keeps a picture of both themes in a full run.
 * @param within a selector of the part to check, such as an open dialog
 */
export async function axeFaults(page: Page, name: string, within?: string): Promise<string[]> {
  const faults: string[] = [];
  for (const { colorScheme, width, isWhole } of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    if (isWhole) await shot(page, `${name}-${colorScheme}-${width}`);
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    if (wide > 0) faults.push(`${name} ${width}: ${wide} px too wide`);
    const unreadable = (await textsOf(page, within)).map(unreadableIn).filter((text) => text !== null);
    faults.push(...unreadable.map((text) => `${name} ${width}: says “${text}”`));
    faults.push(...(await roomFaults(page, within)).map((fault) => `${name} ${width}: ${fault}`));
    const found = await violations(page, isWhole, within);
    faults.push(...found.map((fault) => `${name} ${colorScheme} ${width}: ${fault}`));
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 900 });
  return faults;
}

const ofApp = (within: string): string => JSON.stringify(`:root:not(:has(body.docs)) ${within}`);

/** The texts that are seen, without what is shown as code, and the documentation: what came from outside, and what programs take. */
const textsOf = (page: Page, within = 'body'): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll(${ofApp(within)})].flatMap((root) => {
    const found = [];
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { parentElement: of, data } = texts.currentNode;
      if (of.checkVisibility() && !of.closest('code, pre, .mono, .own-words, script, style, textarea')) found.push(data);
    }
    return found;
  })`);

/**
 * Below 900 px, what is touched and not 44 px high: links and buttons in a sentence stand in it. Above, forms of more than 520 px;
 * a line of fields that searches is none.
 */
const roomFaults = (page: Page, within = 'body'): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll(${ofApp(within)})].flatMap((root) => {
    const named = (one, size) => one.outerHTML.slice(0, 120) + ' is ' + Math.round(size) + ' px';
    const boxes = (selector) => [...root.querySelectorAll(selector)]
      .filter((one) => one.checkVisibility())
      .map((one) => [one, one.getBoundingClientRect()]);
    if (innerWidth >= 900)
      return boxes('main form:not(.filters, .list-tools, .full)').filter(([, { width }]) => width > 520.5).map(([one, { width }]) => named(one, width));
    return boxes('a, button:not(.link), select, textarea, summary, .check, input:not([type="checkbox"], [type="radio"], .visually-hidden)')
      .filter(([one, { right, height }]) => right > 0 && height < 43.5 && getComputedStyle(one).display !== 'inline')
      .map(([one, { height }]) => named(one, height));
  })`);

/** Of the rules of WCAG 2.2, the size of what is touched is not among those that axe-core checks by default. */
async function violations(page: Page, isWhole: boolean, within = 'html'): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(AXE);
  const rules = isWhole ? { rules: { 'target-size': { enabled: true } } } : { runOnly: { type: 'rule', values: SEEN } };
  const options = JSON.stringify({ iframes: false, resultTypes: ['violations'], ...rules });
  return page.evaluate<string[]>(
    `axe.run(${JSON.stringify(within)}, ${options}).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')))`,
  );
}
