/**
 * Takes the picture of the console that the front page shows, in both themes:
 *
 *     npm run picture        writes src/web/site/assets/console-light.webp and console-dark.webp
 *
 * It shows a real console on a service of its own, with agents that were made for it.
 */
import { writeFileSync } from 'node:fs';
import type { CDPSession, Page } from 'playwright-core';
import { confirmOperator } from '../support/agents.ts';
import { launchChromium, openConsole, openPage } from '../support/console.ts';
import { startTestApp, type TestAccount, type TestApp } from '../support/harness.ts';
import { followLink, loginLinks } from '../support/operators.ts';

/** A front page loads it in the background of a slow line. */
const BYTES_MAX = 60_000;
const SIZE = { width: 1200, height: 750 };
const ASSETS = new URL('../../src/web/site/assets/', import.meta.url);
const PERSON = 'grace@example.com';

/** What each agent spends, by description. */
const AGENTS: readonly { name: string; daily: string; charges: readonly (readonly [string, string])[] }[] = [
  {
    name: 'Research',
    daily: '25.00',
    charges: [
      ['7.50', 'search API'],
      ['4.20', 'papers'],
    ],
  },
  { name: 'Bookkeeper', daily: '10.00', charges: [['1.75', 'bank feed']] },
  { name: 'Travel', daily: '400.00', charges: [['212.00', 'rail tickets']] },
  { name: 'Concierge', daily: '15.00', charges: [['13.90', 'translations']] },
];

async function must(reply: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await reply;
  if (status >= 300) throw new Error(`${status} ${text}`);
}

async function makeAgent(t: TestApp, { name, daily, charges }: (typeof AGENTS)[number]): Promise<TestAccount> {
  const agent = await t.createAccount({ name });
  await must(agent.api.post('/v1/email/claim', { address: name.toLowerCase() }));
  await confirmOperator(t, agent, PERSON);
  await must(agent.api.put('/v1/budget', { daily, on_limit: 'approve' }));
  for (const [amount, description] of charges) await must(agent.api.post('/v1/charge', { amount, description }));
  t.clock.advance(60_000);
  return agent;
}

/** What waits for the person. */
async function ask([research, , travel, concierge]: readonly TestAccount[]): Promise<void> {
  await must(
    (research as TestAccount).api.post('/v1/charge', { amount: '40.00', description: 'Market report, one licence' }),
  );
  await must(
    (travel as TestAccount).api.post('/v1/charge', { amount: '260.00', description: 'Hotel in Lisbon, two nights' }),
  );
  const policy = { outbound: { to: 'list', allow: ['example.com'], otherwise: 'review' } };
  await must((concierge as TestAccount).api.put('/v1/email/policy', policy));
  await must(
    (concierge as TestAccount).api.post('/v1/email/send', {
      from: 'concierge',
      to: 'mara@customers.example',
      subject: 'Your refund',
      text: 'Hello Mara, we have refunded 24.00 EUR. It arrives within three days.',
    }),
  );
}

/** The best quality that fits. */
async function shoot(page: Page, cdp: CDPSession, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  for (let quality = 90; quality >= 10; quality -= 5) {
    const { data } = await cdp.send('Page.captureScreenshot', { format: 'webp', quality });
    const picture = Buffer.from(data, 'base64');
    if (picture.length > BYTES_MAX) continue;
    writeFileSync(new URL(`console-${theme}.webp`, ASSETS), picture);
    process.stdout.write(`console-${theme}.webp: ${picture.length} bytes, quality ${quality}\n`);
    return;
  }
  throw new Error(`no picture of ${BYTES_MAX} bytes`);
}

const t = await startTestApp('sqlite', { startAt: Date.now() });
const browser = await launchChromium();
try {
  const agents: TestAccount[] = [];
  for (const one of AGENTS) agents.push(await makeAgent(t, one));
  await ask(agents);
  const [link] = await loginLinks(t, PERSON);
  const session = await followLink(t, link as string);
  const watched = await openPage(browser, t, { viewport: SIZE, deviceScaleFactor: 1.5 });
  await openConsole(watched, t, session);
  await watched.page.waitForSelector('.need');
  const cdp = await watched.page.context().newCDPSession(watched.page);
  for (const theme of ['light', 'dark'] as const) await shoot(watched.page, cdp, theme);
} finally {
  await browser.close();
  await t.stop();
}
