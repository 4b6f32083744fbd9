import { rmSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';
import { startService } from '../test/process/service.ts';
import { CHROMIUM } from '../test/support/console.ts';
import { type Bench, median, milliseconds, type Row } from './rig/result.ts';
import { newDataDir } from './rig/with-service.ts';

/** How long a person waits until a page can be used: each time a new browser profile, with nothing in its cache. */

const ROUNDS = 7;
const READY_MAX_MS = 1000;

/** A page, and what is there once it takes clicks: the script of the page draws it. */
const PAGES = [
  { name: 'front page', path: '/', ready: '#create-agent' },
  { name: 'login', path: '/login', ready: '#key-form' },
  { name: 'console', path: '/dashboard', ready: '#desk main h1' },
] as const;

interface Visit {
  /** From the navigation until the page can be used. */
  readyMs: number;
  /** Processor time of scripts, and of all work of the page's main thread. */
  scriptMs: number;
  taskMs: number;
  requests: number;
  /** Bytes of all replies as sent, with their headers. */
  bytes: number;
}

async function visit(browser: Browser, url: string, ready: string, key: string): Promise<Visit> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await Promise.all([cdp.send('Performance.enable'), cdp.send('Network.enable')]);
    let [requests, bytes] = [0, 0];
    cdp.on('Network.requestWillBeSent', () => {
      requests += 1;
    });
    cdp.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await page.addInitScript(`
      if (!sessionStorage.getItem('signet.credential')) sessionStorage.setItem('signet.credential', ${JSON.stringify(key)});
      new MutationObserver((_, observer) => {
        if (!document.querySelector(${JSON.stringify(ready)})) return;
        observer.disconnect();
        globalThis.readyAt = performance.now();
      }).observe(document, { childList: true, subtree: true });`);
    await page.goto(url);
    await page.waitForSelector(ready);
    const readyMs = await page.evaluate<number>('globalThis.readyAt');
    const { metrics } = await cdp.send('Performance.getMetrics');
    const of = (name: string): number => (metrics.find((one) => one.name === name)?.value ?? 0) * 1000;
    return { readyMs, scriptMs: of('ScriptDuration'), taskMs: of('TaskDuration'), requests, bytes };
  } finally {
    await context.close();
  }
}

async function run(say: (line: string) => void): Promise<Row[]> {
  const dataDir = newDataDir();
  const service = await startService({ DATA_DIR: dataDir });
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const { api_key: key } = (await service.api().post('/v1/auth/keys', { name: 'Ada' })).body;
    const rows: Row[] = [];
    for (const { name, path, ready } of PAGES) {
      const held = path === '/dashboard' ? key : '';
      const one = (): Promise<Visit> => visit(browser, service.baseUrl + path, ready, held);
      const first = await one();
      const visits: Visit[] = [];
      for (let round = 0; round < ROUNDS; round++) visits.push(await one());
      const of = (field: keyof Visit): number => median(visits.map((each) => each[field]));
      say(
        `${name}: ${milliseconds(of('readyMs'))} (the first visit after a start ${milliseconds(first.readyMs)}), scripts ${milliseconds(of('scriptMs'))}, main thread ${milliseconds(of('taskMs'))}, ${of('requests')} requests, ${(of('bytes') / 1000).toFixed(0)} KB`,
      );
      rows.push({
        what: `${name}: until it can be used, empty cache`,
        ours: milliseconds(of('readyMs')),
        peer: milliseconds(READY_MAX_MS),
        ratio: of('readyMs') / READY_MAX_MS,
        aim: `at most ${milliseconds(READY_MAX_MS)}`,
      });
    }
    return rows;
  } finally {
    await browser.close();
    await service.kill('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  }
}

export const bench: Bench = { question: 'How soon can a page be used?', run };
