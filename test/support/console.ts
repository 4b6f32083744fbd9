import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { TestApp } from './harness.ts';

/** Debian's Chromium. A machine without it skips these tests with a message. CI has it. */
const CHROMIUM = '/usr/bin/chromium';

export const skipWithoutChromium = existsSync(CHROMIUM)
  ? false
  : `SKIPPED: there is no ${CHROMIUM}, so nothing is shown about the console`;

const SHOTS = 'coverage/console';

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });

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
export async function openConsole(watched: WatchedPage, t: TestApp, credential: string, fragment = ''): Promise<void> {
  const { page } = watched;
  await page.goto(`${t.baseUrl}/assets/seal.svg`);
  await page.evaluate(`sessionStorage.setItem('signet.credential', ${JSON.stringify(credential)})`);
  await page.goto(`${t.baseUrl}/dashboard${fragment}`);
  await page.waitForSelector('#desk main h1');
}

/** Keeps a picture of the page, for people to look at. */
export async function shot(page: Page, name: string): Promise<void> {
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const LOOKS = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 390 },
] as const;

/**
 * What axe-core finds on the page as it is now. Colours do not depend on the width, so two runs show both themes and both
 * widths. Also keeps a picture of each.
 */
export async function axeFaults(page: Page, name: string): Promise<string[]> {
  const faults: string[] = [];
  for (const { colorScheme, width } of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    await shot(page, `${name}-${colorScheme}-${width}`);
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    if (wide > 0) faults.push(`${name} ${width}: ${wide} px too wide`);
    faults.push(...(await violations(page)).map((found) => `${name} ${colorScheme} ${width}: ${found}`));
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 900 });
  return faults;
}

async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(AXE);
  return page.evaluate<string[]>(
    `axe.run({ iframes: false, resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')))`,
  );
}
