import { rmSync } from 'node:fs';
import type { Browser, CDPSession } from 'playwright-core';
import { chromium } from 'playwright-core';
import { ROOMY_LIMITS, startService } from '../test/process/service.ts';
import { buildService } from '../test/support/built.ts';
import { CHROMIUM } from '../test/support/console.ts';
import { operate, type Place, placeOfProcess } from '../test/support/operated.ts';
import { type Bench, median, milliseconds, type Row } from './rig/result.ts';
import { newDataDir } from './rig/with-service.ts';

/**
 * How long a person waits until a page of a built service can be used, on a phone's line and processor: each time a new
 * browser profile, with nothing in its cache.
 */

const ROUNDS = 5;

const NETWORK = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const SLOWER = 4;
const LINE = '1.6 / 0.75 Mbit/s, 150 ms, processor x 4';

/** What Home and Mail show. */
const AGENTS = ['ada', 'bob', 'carol', 'dave'];
const MAILS = 20;

interface Visited {
  name: string;
  path: string;
  /** What is there once the page shows something of its own: a row, or that there is none. */
  row: string;
  /** Its primary button, which answers by a change of the page. The first that is there. */
  buttons: readonly string[];
  maxMs: number;
}

const pagesFor = (agent: string): Visited[] => [
  { name: 'front page', path: '/', row: '#create-agent', buttons: ['#create-agent'], maxMs: 2500 },
  { name: 'login', path: '/login', row: '#key-form', buttons: ['main summary'], maxMs: 2500 },
  {
    name: 'Home',
    path: '/dashboard',
    row: '.agent-card',
    buttons: ['main .view > .heading .primary', 'main .button.primary', '#search'],
    maxMs: 2500,
  },
  { name: 'Mail', path: `/dashboard#/${agent}/mail`, row: '.letters > li', buttons: ['#write'], maxMs: 3000 },
];

const PAINT_MAX_MS = 1000;
const FILES_MAX = 6;
const BYTES_MAX = 150_000;

interface Visit {
  /** From the navigation: until anything is painted, and until the page shows its rows and its button has answered. */
  paintMs: number;
  usableMs: number;
  /** Processor time of scripts, and of all work of the page's main thread, which is slowed down as well. */
  scriptMs: number;
  taskMs: number;
  /** Scripts and styles, and all requests. Bytes as sent, with headers. */
  files: number;
  requests: number;
  bytes: number;
}

/** Runs in the page: waits for the row, lets it be painted, presses the button and waits for what that changes. */
const measure = (row: string, buttons: readonly string[]): string => `
  globalThis.usable = new Promise((resolve) => {
    new MutationObserver((_, rows) => {
      const button = ${JSON.stringify(buttons)}.map((one) => document.querySelector(one)).find(Boolean);
      if (!document.querySelector(${JSON.stringify(row)}) || !button) return;
      rows.disconnect();
      requestAnimationFrame(() => setTimeout(() => {
        new MutationObserver((_, answer) => {
          answer.disconnect();
          resolve(performance.now());
        }).observe(document, { childList: true, subtree: true, attributes: true });
        button.click();
      }));
    }).observe(document, { childList: true, subtree: true });
  });`;

function count(cdp: CDPSession): Pick<Visit, 'files' | 'requests' | 'bytes'> {
  const counted = { files: 0, requests: 0, bytes: 0 };
  cdp.on('Network.requestWillBeSent', ({ request: { url } }) => {
    counted.requests += 1;
    if (/\.(js|css)$/.test(url)) counted.files += 1;
  });
  cdp.on('Network.loadingFinished', ({ encodedDataLength }) => {
    counted.bytes += encodedDataLength;
  });
  return counted;
}

async function visit(browser: Browser, url: string, { row, buttons }: Visited, session: string): Promise<Visit> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await Promise.all([cdp.send('Performance.enable'), cdp.send('Network.enable')]);
    await cdp.send('Network.emulateNetworkConditions', NETWORK);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    const kept = session === '' ? '' : `sessionStorage.setItem('signet.credential', ${JSON.stringify(session)});`;
    await page.addInitScript(kept + measure(row, buttons));
    const counted = count(cdp);
    await page.goto(url, { waitUntil: 'commit' });
    const usableMs = await page.evaluate<number>('usable');
    const known = { ...counted };
    const { metrics } = await cdp.send('Performance.getMetrics');
    const of = (name: string): number => (metrics.find((one) => one.name === name)?.value ?? 0) * 1000;
    const paintMs = await page.evaluate<number>(`performance.getEntriesByName('first-contentful-paint')[0].startTime`);
    return { paintMs, usableMs, scriptMs: of('ScriptDuration'), taskMs: of('TaskDuration'), ...known };
  } finally {
    await context.close();
  }
}

/** The rows of a page. */
function rowsOf({ name, maxMs }: Visited, visits: readonly Visit[]): Row[] {
  const of = (field: keyof Visit): number => median(visits.map((each) => each[field]));
  const within = (what: string, ours: string, value: number, max: number, goal: string): Row => ({
    what: `${name}, first visit: ${what}`,
    ours,
    peer: goal,
    ratio: value / max,
    aim: `at most ${goal}`,
  });
  const spent = `scripts ${milliseconds(of('scriptMs'))}, main thread ${milliseconds(of('taskMs'))}`;
  const sent = `${of('files')} files of ${of('requests')} requests, ${(of('bytes') / 1000).toFixed(0)} KB in all`;
  return [
    within('first paint', milliseconds(of('paintMs')), of('paintMs'), PAINT_MAX_MS, milliseconds(PAINT_MAX_MS)),
    within('usable', `${milliseconds(of('usableMs'))}, ${spent}`, of('usableMs'), maxMs, milliseconds(maxMs)),
    within('scripts and styles', sent, of('bytes'), BYTES_MAX, `${FILES_MAX} files, ${BYTES_MAX / 1000} KB`),
  ];
}

/** @returns the agent that has mails, and a session of its operator */
async function fill(place: Place): Promise<{ agent: string; session: string }> {
  const { agents, session } = await operate(place, AGENTS);
  const [to, from] = agents as [(typeof agents)[0], (typeof agents)[0]];
  const api = place.api(from.key);
  for (let n = 1; n <= MAILS; n++) {
    const mail = { from: from.address, to: to.address, subject: `Report ${n}`, text: 'All is well.\n'.repeat(20) };
    const { status, text } = await api.post('/v1/email/send', mail);
    if (status !== 201) throw new Error(text);
  }
  return { agent: to.id, session };
}

async function run(say: (line: string) => void): Promise<Row[]> {
  buildService(process.cwd());
  const dataDir = newDataDir();
  const service = await startService({ DATA_DIR: dataDir, LIMITS: ROOMY_LIMITS });
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const { agent, session } = await fill(placeOfProcess(service, dataDir));
    const rows: Row[] = [];
    for (const visited of pagesFor(agent)) {
      const held = visited.path.startsWith('/dashboard') ? session : '';
      const one = (): Promise<Visit> => visit(browser, service.baseUrl + visited.path, visited, held);
      // The service makes a page ready at its first request.
      await one();
      const visits: Visit[] = [];
      for (let round = 0; round < ROUNDS; round++) visits.push(await one());
      const all = (field: 'paintMs' | 'usableMs'): string => visits.map((each) => each[field].toFixed(0)).join(' ');
      say(`${visited.name} at ${LINE}: first paint ${all('paintMs')}, usable ${all('usableMs')} ms`);
      rows.push(...rowsOf(visited, visits));
    }
    return rows;
  } finally {
    await browser.close();
    await service.kill('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  }
}

export const bench: Bench = { question: 'How soon can a page be used on a slow line?', run };
