import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '../test/process/service.ts';
import { Dialogue } from '../test/smtp-dialogue.ts';
import { type Bench, median, perSecond, type Row } from './rig/result.ts';
import { withService } from './rig/with-service.ts';

const SESSIONS = 32;
const ROUNDS = 3;
const MAILS_PER_SESSION = 60;
const WARM_UP_MAILS_PER_SESSION = 20;
const MAIL_BYTES = 4096;
const VISIBLE_POLL_MS = 20;

/** The peer: Debian's package puts its command here. */
const POSTFIX = '/usr/sbin/postfix';

interface Inbox {
  address: string;
  key: string;
  /** Mails handed over so far, over all rounds. */
  delivered: number;
}

async function createInbox(service: Service, n: number): Promise<Inbox> {
  const { api_key: key } = (await service.api().post('/v1/auth/keys', {})).body;
  const { status, text, body } = await service.api(key).post('/v1/email/claim', { address: `inbox-${n}` });
  if (status !== 201) throw new Error(`no address: ${status} ${text}`);
  return { address: body.address, key, delivered: 0 };
}

/** A mail of 4 KB, lines of 72 characters; each has a Message-ID of its own. */
function mailTo(address: string, id: string): string {
  const head = [
    'From: Ada <ada@example.com>',
    `To: ${address}`,
    `Subject: Mail ${id}`,
    `Message-ID: <${id}@example.com>`,
    'Date: Wed, 14 Jan 2026 12:00:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    '',
  ].join('\r\n');
  const line = `${'All work and no play makes for a benchmark. '.repeat(2).slice(0, 72)}\r\n`;
  return (head + line.repeat(Math.ceil(MAIL_BYTES / line.length))).slice(0, MAIL_BYTES - 2);
}

let mails = 0;

/** Sessions come from several senders: the service lets one address have no more than 20. */
const SENDERS = 4;

async function openSession(port: number, n: number): Promise<Dialogue> {
  const session = new Dialogue(connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${1 + (n % SENDERS)}` }));
  await session.reply();
  await must(250, session.say('EHLO client.example'));
  return session;
}

async function must(code: number, answer: Promise<number>): Promise<void> {
  const given = await answer;
  if (given !== code) throw new Error(`SMTP ${given} for ${code}`);
}

/** Hands over mails on one session, the next when the one before is answered 250. */
async function deliverAll(port: number, inbox: Inbox, n: number, count: number): Promise<void> {
  const session = await openSession(port, n);
  for (let i = 0; i < count; i++) {
    await must(250, session.say('MAIL FROM:<ada@example.com>'));
    await must(250, session.say(`RCPT TO:<${inbox.address}>`));
    await must(354, session.say('DATA'));
    await must(250, session.say(`${mailTo(inbox.address, `bench-${mails++}`)}\r\n.`));
    inbox.delivered += 1;
  }
  session.close();
}

/** Waits until the API shows every mail: parsed, and in its inbox. */
async function untilVisible(service: Service, { address, key, delivered }: Inbox): Promise<void> {
  const api = service.api(key);
  let seen = 0;
  for (let cursor = ''; seen < delivered; ) {
    const page = (await api.get(`/v1/email/inbox?limit=100&address=${address}${cursor}`)).body;
    seen += page.count;
    if (page.next_cursor !== null) cursor = `&cursor=${page.next_cursor}`;
    else if (seen < delivered) {
      [seen, cursor] = [0, ''];
      await sleep(VISIBLE_POLL_MS);
    }
  }
}

/** Mails a second until the last 250, and until the last is visible. */
async function measure(service: Service, inboxes: readonly Inbox[], count: number) {
  const began = performance.now();
  await Promise.all(inboxes.map((inbox, n) => deliverAll(service.smtpPort, inbox, n, count)));
  const accepted = performance.now() - began;
  for (const inbox of inboxes) await untilVisible(service, inbox);
  const visible = performance.now() - began;
  const total = inboxes.length * count * 1000;
  return { accepted: total / accepted, visible: total / visible };
}

export const bench: Bench = {
  question: `How many mails of 4 KB a second are taken over SMTP by ${SESSIONS} sessions, each on the disk before its 250?`,
  run: (say) =>
    withService({}, async (service) => {
      const inboxes = await Promise.all(Array.from({ length: SESSIONS }, (_, n) => createInbox(service, n)));
      await measure(service, inboxes, WARM_UP_MAILS_PER_SESSION);
      const runs: Awaited<ReturnType<typeof measure>>[] = [];
      for (let round = 1; round <= ROUNDS; round++) {
        const run = await measure(service, inboxes, MAILS_PER_SESSION);
        runs.push(run);
        say(`round ${round}: committed ${perSecond(run.accepted)}, visible ${perSecond(run.visible)}`);
      }
      const state = existsSync(POSTFIX) ? 'is installed, but not yet measured here' : 'is not installed';
      say(`the peer is missing: Postfix (${POSTFIX}) ${state}`);
      const row = (what: string, rate: (run: (typeof runs)[number]) => number): Row => ({
        what,
        ours: perSecond(median(runs.map(rate))),
        peer: null,
        ratio: null,
        aim: 'Postfix or better',
      });
      return [
        row('mails committed: ours / Postfix', (run) => run.accepted),
        row('mails visible to the agent', (run) => run.visible),
      ];
    }),
};
