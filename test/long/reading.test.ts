import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { htmlToText } from '../../src/mail/mime/html-text.ts';
import { fallbackParse } from '../../src/mail/mime/mime-fallback.ts';
import { stripQuoted } from '../../src/mail/mime/reply-text.ts';
import { MimeParser } from '../../src/mail/reading/mime-parser.ts';
import { HEAD, HOSTILE_MIME, WORST_HEADS, WORST_HTML, WORST_QUOTES } from '../support/worst-mail.ts';
import { sizeOf } from './size.ts';

/** How often each is read. The best counts: a busy machine may stop any thread. */
const ROUNDS = sizeOf(5);

const parser = new MimeParser();
after(() => parser.close());

/** What this thread worked at most, in milliseconds: others may keep it waiting. */
const workMs = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.threadCpuUsage(since);
  return (user + system) / 1000;
};

/** How long the main thread was held while a mail was parsed: late, and only where it was busy as well. */
async function heldMs(bytes: Buffer): Promise<number> {
  await parser.parse(Buffer.from(HEAD));
  const delay = monitorEventLoopDelay({ resolution: 2 });
  delay.enable();
  const begun = process.threadCpuUsage();
  await parser.parse(bytes);
  await sleep(10);
  delay.disable();
  return Math.min(delay.max / 1e6, workMs(begun));
}

describe('the worst mail that is known', () => {
  for (const { name, raw } of HOSTILE_MIME)
    it(`${name}: the main thread is never blocked for 50 ms`, async (t) => {
      const bytes = Buffer.from(raw());
      const held: number[] = [];
      for (let n = 0; n < ROUNDS; n++) held.push(await heldMs(bytes));
      t.diagnostic(`held ${held.map(Math.round).join(', ')} ms`);
      assert.ok(Math.min(...held) < 50);
    });

  const reads: Record<string, [readonly string[], (text: string) => unknown]> = {
    headers: [WORST_HEADS, (text) => fallbackParse(Buffer.from(text))],
    HTML: [WORST_HTML, (html) => htmlToText(html, 1_000_000)],
    'quoted text': [WORST_QUOTES, stripQuoted],
  };
  for (const [name, [texts, read]] of Object.entries(reads))
    it(`${name}: read in less than 300 ms`, () => {
      for (const text of texts) {
        const took = Array.from({ length: ROUNDS }, () => {
          const begun = process.threadCpuUsage();
          read(text);
          return workMs(begun);
        });
        assert.ok(Math.min(...took) < 300, `${text.slice(0, 20)}: ${Math.min(...took)} ms`);
      }
    });
});
