import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '../test/process/service.ts';
import { type Haraka, startHaraka } from './rig/haraka.ts';
import { debianPeer, npmPeer } from './rig/peers.ts';
import { type Postfix, postfixMissing, startPostfix } from './rig/postfix.ts';
import { processorMicros } from './rig/processor.ts';
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
/** Processor time for a mail that the project aims at. */
const AIM_MICROS = 600;

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

/** One of the measured servers. */
interface Side {
  name: string;
  port: number;
  pid: number;
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
    name: 'ours',
    port: service.smtpPort,
    pid: service.pid,
    inboxes: async () => (await Promise.all(readers.map(total))).reduce((sum, count) => sum + count, 0),
  };
}

const sideOf = (name: string, { port, pid, delivered }: Postfix | Haraka): Side => ({
  name,
  port,
  pid,
  inboxes: async () => delivered(),
});

interface Measured {
  /** Mails per second until the last 250. */
  accepted: number;
  /** Mails per second until the last one can be read by its receiver. */
  visible: number;
  /** Processor time of all processes for a mail until then, in microseconds. */
  cpuMicros: number;
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
  const cpuBefore = processorMicros([side.pid]);
  const began = performance.now();
  await Promise.all(deliveries.map(deliverAll));
  const accepted = performance.now() - began;
  while ((await side.inboxes()) < before + total) await sleep(POLL_MS);
  const visible = performance.now() - began;
  const cpuMicros = (processorMicros([side.pid]) - cpuBefore) / total;
  return { accepted: (total * 1000) / accepted, visible: (total * 1000) / visible, cpuMicros };
}

const show = ({ accepted, visible, cpuMicros }: Measured): string =>
  `accepted ${perSecond(accepted)}, in the inbox ${perSecond(visible)}, ${cpuMicros.toFixed(0)} µs of processor time`;

/** What the rows of each peer aim at: a second, and a second of processor time. */
const AIMS = { Postfix: '>= 2.5 a processor second', Haraka: '-' };

/** Alternates between all, so that other load of the machine affects each. */
async function measureInTurns(ours: Side, peers: readonly Side[], say: (line: string) => void): Promise<Row[]> {
  const sides = [ours, ...peers];
  const runs = sides.map((): Measured[] => []);
  for (const side of sides) await measure(side, WARM_UP_MAILS_PER_SESSION);
  for (let n = 1; n <= ROUNDS; n++) {
    for (const [i, side] of sides.entries()) {
      const measured = await measure(side, MAILS_PER_SESSION);
      (runs[i] as Measured[]).push(measured);
      say(`round ${n}, ${side.name}: ${show(measured)}`);
    }
  }
  const [own = [], ...theirs] = runs;
  const cpu = median(own.map(({ cpuMicros }) => cpuMicros));
  const rows: Row[] = [
    {
      what: 'a mail of 4 KB over SMTP, until it is in the inbox',
      ours: `${cpu.toFixed(0)} µs of processor time`,
      peer: `${AIM_MICROS} µs`,
      ratio: cpu / AIM_MICROS,
      aim: '<= 1 of the goal',
    },
  ];
  for (const [i, { name }] of peers.entries()) rows.push(...rowsBeside(name, own, theirs[i] as Measured[]));
  return rows;
}

function rowsBeside(name: string, own: readonly Measured[], theirs: readonly Measured[]): Row[] {
  const pairs = own.map((run, n) => [run, theirs[n] as Measured] as const);
  const row = (what: string, of: (measured: Measured) => number, aim: string): Row => ({
    what: `${what} ${name}`,
    ours: perSecond(median(own.map(of))),
    peer: perSecond(median(theirs.map(of))),
    ratio: median(pairs.map(([mine, their]) => of(mine) / of(their))),
    perCpu: median(pairs.map(([mine, their]) => their.cpuMicros / mine.cpuMicros)),
    aim,
  });
  return [
    row('mails taken over SMTP, on the disk /', ({ accepted }) => accepted, '-'),
    row(
      'mails parsed, threaded, indexed, in the inbox / in a maildir of',
      ({ visible }) => visible,
      AIMS[name as 'Haraka'],
    ),
  ];
}

/** Starts the peers that this machine has. */
async function startPeers(say: (line: string) => void): Promise<{ side: Side; stop(): Promise<void> }[]> {
  const peers: { side: Side; stop(): Promise<void> }[] = [];
  const root = debianPeer('postfix', say);
  const missing = root && postfixMissing();
  if (missing) say(`SKIPPED: ${missing}`);
  if (root && !missing) {
    const postfix = await startPostfix(root, DOMAIN, NAMES);
    peers.push({ side: sideOf('Postfix', postfix), stop: postfix.stop });
  }
  const folder = npmPeer('Haraka', say);
  if (folder) {
    const haraka = await startHaraka(folder, DOMAIN, NAMES);
    peers.push({ side: sideOf('Haraka', haraka), stop: haraka.stop });
  }
  return peers;
}

export const bench: Bench = {
  question: `How many mails of 4 KB a second are taken over SMTP by ${SESSIONS} sessions, each on the disk before its 250?`,
  run: (say) =>
    withService({}, async (service) => {
      const ours = await ourSide(service);
      const peers = await startPeers(say);
      try {
        return await measureInTurns(
          ours,
          peers.map(({ side }) => side),
          say,
        );
      } finally {
        for (const { stop } of peers) await stop();
      }
    }),
};
