import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { ROOMY_LIMITS, type Service } from '../test/process/service.ts';
import { selfSigned } from '../test/support/certificate.ts';
import { type Dovecot, dovecotMissing, startDovecot } from './rig/dovecot.ts';
import { debianPeer } from './rig/peers.ts';
import { memoryKilobytes, processorMicros } from './rig/processor.ts';
import { type Bench, median, milliseconds, percentile, type Row } from './rig/result.ts';
import { deliverAll } from './rig/smtp-load.ts';
import { withService } from './rig/with-service.ts';

const MAILS = 10_000;
const BODIES = 1000;
const IDLE = 500;
/** The most sessions that an address may have, so that mail arrives at as many addresses as idle sessions need. */
const IDLE_AT_ADDRESS = 20;
const ARRIVALS = 200;
const ROUNDS = 5;
const LIMITS = JSON.stringify({
  ...JSON.parse(ROOMY_LIMITS),
  free: { ...JSON.parse(ROOMY_LIMITS).free, mail_program_bytes_per_day: 1e12 },
  mail_program_connections: 2000,
  // All mails come from one sender.
  mails_per_sender_per_hour: 1e6,
});
const AIMS = { headers: '<= 1.5 of its processor time', memory: '<= 0.5', arrivalMs: 50 };

/** What programs ask of each mail of a list. */
const LIST = '(UID FLAGS INTERNALDATE RFC822.SIZE ENVELOPE)';
const HEADERS = '(UID FLAGS RFC822.SIZE BODY.PEEK[HEADER.FIELDS (DATE FROM TO CC SUBJECT MESSAGE-ID REFERENCES)])';

const mailOf = (n: number): string =>
  [
    `From: "Sender ${n % 97}" <sender-${n % 97}@example.com>`,
    'To: inbox@agents.localhost',
    `Subject: Mail ${n} about the plan`,
    `Message-ID: <bench-${n}@example.com>`,
    'Date: Wed, 14 Jan 2026 12:00:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    ...Array.from({ length: 40 }, (_, line) => `Line ${line} of mail ${n}, with some words in it to read and to find.`),
    '',
  ].join('\r\n');

interface Login {
  port: number;
  user: string;
  password: string;
  tls?: boolean;
}

/** A client that counts the bytes it gets, and waits for the end of a command. */
class Client {
  readonly #socket: net.Socket;
  #tail = '';
  #awaited: { end: string; done(): void; refused(err: Error): void } | null = null;
  bytes = 0;
  onLine: (text: string) => void = () => {};

  private constructor(socket: net.Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
  }

  static async open({ port, user, password, tls }: Login): Promise<Client> {
    const host = '127.0.0.1';
    const socket = tls ? connectTls({ port, host, rejectUnauthorized: false }) : net.connect(port, host);
    await once(socket, tls ? 'secureConnect' : 'connect');
    const client = new Client(socket);
    await client.#until('* OK');
    await client.say(`LOGIN "${user}" "${password}"`);
    return client;
  }

  /** @returns the bytes of the reply */
  async say(command: string): Promise<number> {
    const before = this.bytes;
    const done = this.#until('\r\nt OK');
    this.#socket.write(`t ${command}\r\n`);
    await done;
    return this.bytes - before;
  }

  async idle(): Promise<void> {
    const done = this.#until('+ ');
    this.#socket.write('t IDLE\r\n');
    await done;
  }

  close(): void {
    this.#socket.destroy();
  }

  #until(end: string): Promise<void> {
    this.#tail = '\r\n';
    return new Promise((done, refused) => {
      this.#awaited = { end, done, refused };
    });
  }

  #take(chunk: Buffer): void {
    this.bytes += chunk.length;
    // The end of a command is in the last bytes; a match across two chunks needs the end of the one before.
    const text = this.#tail + chunk.toString('latin1', Math.max(0, chunk.length - 4096));
    this.onLine(text);
    this.#tail = text.slice(-64);
    if (!this.#awaited) return;
    const { end, done, refused } = this.#awaited;
    const refusal = /\r\n(?:t (?:NO|BAD)|\* BYE \[)[^\r]*/.exec(text);
    if (refusal) {
      refused(new Error(`refused:${refusal[0]}`));
      return;
    }
    if (!text.includes(end)) return;
    this.#awaited = null;
    done();
  }
}

interface Side extends Login {
  name: string;
  pid: number;
}

interface Work {
  what: string;
  command: string;
  mails: number;
  aim: string;
}
const WORKS: readonly Work[] = [
  { what: 'list of 10,000 mails (ENVELOPE)', command: `FETCH 1:* ${LIST}`, mails: MAILS, aim: AIMS.headers },
  { what: 'headers of 10,000 mails', command: `FETCH 1:* ${HEADERS}`, mails: MAILS, aim: AIMS.headers },
  { what: 'flags of 10,000 mails', command: 'FETCH 1:* (UID FLAGS)', mails: MAILS, aim: '-' },
  { what: 'bodies of 1,000 mails', command: `FETCH 1:${BODIES} (UID BODY.PEEK[])`, mails: BODIES, aim: '-' },
  { what: 'search by subject in 10,000 mails', command: 'SEARCH SUBJECT "mail 999"', mails: MAILS, aim: '-' },
];

/** Each side in turn, so that other load of the machine affects both. The first round of each fills what it keeps. */
async function compare(sides: readonly Side[], work: Work, say: (line: string) => void): Promise<Row> {
  const micros = sides.map((): number[] => []);
  const took = sides.map((): number[] => []);
  for (let round = 0; round <= ROUNDS; round++)
    for (const [i, side] of sides.entries()) {
      const before = processorMicros([side.pid]);
      const began = performance.now();
      const client = await Client.open(side);
      await client.say('SELECT INBOX');
      const bytes = await client.say(work.command);
      const ms = performance.now() - began;
      await client.say('LOGOUT');
      client.close();
      await sleep(100);
      const cpu = processorMicros([side.pid]) - before;
      say(
        `${work.what}, ${side.name}, round ${round}: ${milliseconds(ms)}, ${(cpu / 1000).toFixed(0)} ms of processor time, ${bytes} bytes`,
      );
      if (round === 0) continue;
      micros[i]?.push(cpu);
      took[i]?.push(ms);
    }
  const [own = [], theirs] = micros;
  const show = (cpu: readonly number[], ms: readonly number[]) =>
    `${(median(cpu) / 1000).toFixed(0)} ms of processor time, ${milliseconds(median(ms))}`;
  return {
    what: `IMAP: ${work.what} / Dovecot`,
    ours: show(own, took[0] as number[]),
    peer: theirs ? show(theirs, took[1] as number[]) : null,
    ratio: theirs ? median(own) / median(theirs) : null,
    aim: work.aim,
  };
}

/** What an idle session takes, in kilobytes. */
async function idleSessions(side: Side, say: (line: string) => void): Promise<number> {
  const before = memoryKilobytes(side.pid);
  const clients: Client[] = [];
  for (let n = 0; n < IDLE; n++) {
    const client = await Client.open(side);
    await client.say('SELECT INBOX');
    await client.idle();
    clients.push(client);
  }
  await sleep(3000);
  const kilobytes = (memoryKilobytes(side.pid) - before) / IDLE;
  say(`${side.name}: ${kilobytes.toFixed(1)} KB for each of ${IDLE} idle sessions with ${MAILS} mails`);
  for (const client of clients) client.close();
  return kilobytes;
}

/** Milliseconds from the dot of a mail over SMTP to `EXISTS` in an idle session, with all the others idle too. */
async function arrivals(service: Service, side: Side, addresses: readonly string[]): Promise<number[]> {
  const sessions: { address: string; client: Client }[] = [];
  for (let n = 0; n < IDLE; n++) {
    const address = addresses[n % addresses.length] as string;
    const client = await Client.open({ ...side, user: address });
    await client.say('SELECT INBOX');
    await client.idle();
    sessions.push({ address, client });
  }
  const delays: number[] = [];
  for (let n = 0; n < ARRIVALS; n++) {
    const { address: recipient, client } = sessions[(n * 7) % IDLE] as (typeof sessions)[number];
    const seen = new Promise<number>((resolve) => {
      client.onLine = (text) => {
        if (/\* \d+ EXISTS/.test(text)) resolve(performance.now());
      };
    });
    const mails = [mailOf(MAILS + n)];
    let began = 0;
    const onDot = (): void => {
      began = performance.now();
    };
    await deliverAll({ port: service.smtpPort, localAddress: '127.0.0.1', recipient, mails, onDot });
    delays.push((await seen) - began);
    client.onLine = () => {};
    // The other sessions read too.
    await sleep(50);
  }
  for (const { client } of sessions) client.close();
  return delays;
}

async function ourSide(service: Service): Promise<{ own: Side; addresses: string[] }> {
  const { api_key: primary } = (await service.api().post('/v1/auth/keys', {})).body;
  const api = service.api(primary);
  const { address } = (await api.post('/v1/email/claim', { address: 'inbox' })).body;
  const addresses: string[] = [];
  for (let n = 0; n < IDLE / IDLE_AT_ADDRESS; n++)
    addresses.push((await api.post('/v1/email/claim', { address: `idle-${n}` })).body.address);
  const scopes = ['mail:read', 'mail:codes'];
  const { api_key: password } = (await api.post('/v1/account/keys', { name: 'bench', scopes })).body;
  for (let n = 0; n < MAILS; n += 1000) {
    const mails = Array.from({ length: 1000 }, (_, i) => mailOf(n + i));
    await deliverAll({ port: service.smtpPort, localAddress: '127.0.0.1', recipient: address, mails });
  }
  const port = service.imapPort;
  return { own: { name: 'ours', port, pid: service.pid, user: address, password }, addresses };
}

async function run(say: (line: string) => void): Promise<Row[]> {
  const root = debianPeer('dovecot-imapd', say);
  const missing = root === '/' ? dovecotMissing() : root && 'Dovecot is only unpacked; it needs to be installed';
  if (missing) say(`SKIPPED: ${missing}`);
  let dovecot: Dovecot | null = null;
  if (root === '/' && !missing) dovecot = await startDovecot(Array.from({ length: MAILS }, (_, n) => mailOf(n)));
  const dir = mkdtempSync(join(tmpdir(), 'signet-bench-tls-'));
  const [certificate, key] = [join(dir, 'cert.pem'), join(dir, 'key.pem')];
  const pair = selfSigned();
  writeFileSync(certificate, pair.cert);
  writeFileSync(key, pair.key);
  const env = { IMAPS_PORT: '0', SMTP_TLS_CERT: certificate, SMTP_TLS_KEY: key, LIMITS };
  try {
    return await withService({ env }, async (service) => {
      const { own, addresses } = await ourSide(service);
      const their = dovecot && {
        name: 'Dovecot',
        port: dovecot.port,
        pid: dovecot.pid,
        user: dovecot.user,
        password: 'x',
      };
      const sides = their ? [own, their] : [own];
      const rows: Row[] = [];
      for (const work of WORKS) rows.push(await compare(sides, work, say));
      const ours = await idleSessions(own, say);
      const encrypted = { ...own, name: 'ours over TLS', port: service.imapsPort, tls: true };
      const oursOverTls = await idleSessions(encrypted, say);
      const theirs = their && (await idleSessions(their, say));
      const delays = await arrivals(service, own, addresses);
      return [
        ...rows,
        {
          what: 'IMAP: memory of an idle session with 10,000 mails / Dovecot',
          ours: `${ours.toFixed(1)} KB`,
          peer: theirs === null ? null : `${theirs.toFixed(1)} KB`,
          ratio: theirs === null ? null : ours / theirs,
          aim: AIMS.memory,
        },
        {
          what: 'IMAP: memory of the same session over TLS',
          ours: `${oursOverTls.toFixed(1)} KB`,
          peer: null,
          ratio: null,
          aim: '-',
        },
        {
          what: `IMAP: from SMTP's dot to EXISTS with ${IDLE} idle sessions, p99`,
          ours: `${milliseconds(percentile(delays, 0.99))}, median ${milliseconds(median(delays))}`,
          peer: `${AIMS.arrivalMs} ms`,
          ratio: percentile(delays, 0.99) / AIMS.arrivalMs,
          aim: '<= 1 of the goal',
        },
      ];
    });
  } finally {
    await dovecot?.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

export const bench: Bench = { question: 'How does a mailbox over IMAP compare with Dovecot?', run };
