import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '../test/process/service.ts';
import { type Postfix, postfixMissing, startPostfix } from './rig/postfix.ts';
import { type Bench, median, perSecond, type Row } from './rig/result.ts';
import { deliverAll } from './rig/smtp-load.ts';
import { withService } from './rig/with-service.ts';

const SESSIONS = 32;
const ROUNDS = 5;
const MAILS_PER_SESSION = 60;
const WARM_UP_MAILS_PER_SESSION = 40;
const MAIL_BYTES = 4096;
const POLL_MS = 10;
const DOMAIN = 'agents.localhost';

/** Sessions come from several senders, because the service allows 20 per address. */
const SENDERS = 4;

/** One inbox per session. */
const NAMES = Array.from({ length: SESSIONS }, (_, n) => `inbox-${n}`);

/** A mail of 4 KB with lines of 72 characters and a unique Message-ID. */
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

/** One of the two measured servers. */
interface Side {
  port: number;
  /** How many mails the receivers can read. */
  inboxes(): Promise<number>;
}

async function ourSide(service: Service): Promise<Side> {
  const readers = await Promise.all(
    NAMES.map(async (name) => {
      const { api_key: key } = (await service.api().post('/v1/auth/keys', {})).body;
      const { status, text } = await service.api(key).post('/v1/email/claim', { address: name });
      if (status !== 201) throw new Error(`no address: ${status} ${text}`);
      return { api: service.api(key), name };
    }),
  );
  // The list waits until all accepted mail for the address is processed.
  const total = async ({ api, name }: (typeof readers)[number]): Promise<number> =>
    (await api.get(`/v1/inbox/${name}?limit=1`)).body.total;
  return {
    port: service.smtpPort,
    inboxes: async () => (await Promise.all(readers.map(total))).reduce((sum, count) => sum + count, 0),
  };
}

const postfixSide = ({ port, delivered }: Postfix): Side => ({ port, inboxes: async () => delivered() });

interface Measured {
  /** Mails per second until the last 250. */
  accepted: number;
  /** Mails per second until the last one can be read by its receiver. */
  visible: number;
}

let mails = 0;

async function measure(side: Side, count: number): Promise<Measured> {
  const before = await side.inboxes();
  const deliveries = NAMES.map((name, n) => ({
    port: side.port,
    localAddress: `127.0.0.${1 + (n % SENDERS)}`,
    recipient: `${name}@${DOMAIN}`,
    // Built before the measurement starts.
    mails: Array.from({ length: count }, () => mailTo(`${name}@${DOMAIN}`, `bench-${mails++}`)),
  }));
  const total = SESSIONS * count;
  const began = performance.now();
  await Promise.all(deliveries.map(deliverAll));
  const accepted = performance.now() - began;
  while ((await side.inboxes()) < before + total) await sleep(POLL_MS);
  const visible = performance.now() - began;
  return { accepted: (total * 1000) / accepted, visible: (total * 1000) / visible };
}

const show = ({ accepted, visible }: Measured): string =>
  `accepted ${perSecond(accepted)}, in the inbox ${perSecond(visible)}`;

/** Alternates between both, so that other load of the machine affects both. Without a peer it measures only ours. */
async function measureInTurns(ours: Side, peer: Side | null, say: (line: string) => void): Promise<Row[]> {
  const rounds: { ours: Measured; peer: Measured | null }[] = [];
  for (const side of [ours, peer]) if (side) await measure(side, WARM_UP_MAILS_PER_SESSION);
  for (let n = 1; n <= ROUNDS; n++) {
    const round = {
      ours: await measure(ours, MAILS_PER_SESSION),
      peer: peer && (await measure(peer, MAILS_PER_SESSION)),
    };
    rounds.push(round);
    say(`round ${n}, ours: ${show(round.ours)}`);
    if (round.peer) say(`round ${n}, Postfix: ${show(round.peer)}`);
  }
  const row = (what: string, of: (measured: Measured) => number, aim: string): Row => {
    const pairs = rounds.flatMap((round) => (round.peer ? [[of(round.ours), of(round.peer)] as const] : []));
    return {
      what,
      ours: perSecond(median(rounds.map((round) => of(round.ours)))),
      peer: pairs.length > 0 ? perSecond(median(pairs.map(([, theirs]) => theirs))) : null,
      ratio: pairs.length > 0 ? median(pairs.map(([mine, theirs]) => mine / theirs)) : null,
      aim,
    };
  };
  return [
    row('mails taken over SMTP, on the disk: ours / Postfix', ({ accepted }) => accepted, 'Postfix or better'),
    row('mails in the inbox, parsed and threaded / in the maildir', ({ visible }) => visible, '>= 3'),
  ];
}

export const bench: Bench = {
  question: `How many mails of 4 KB a second are taken over SMTP by ${SESSIONS} sessions, each on the disk before its 250?`,
  run: (say) =>
    withService({}, async (service) => {
      const ours = await ourSide(service);
      const missing = postfixMissing();
      if (missing !== null) {
        say(`SKIPPED, no postfix: the peer is missing, so there is no ratio (${missing})`);
        return measureInTurns(ours, null, say);
      }
      const postfix = await startPostfix(DOMAIN, NAMES);
      try {
        return await measureInTurns(ours, postfixSide(postfix), say);
      } finally {
        await postfix.stop();
      }
    }),
};
