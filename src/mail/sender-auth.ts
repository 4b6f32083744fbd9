import { Resolver } from 'node:dns/promises';
import { Worker } from 'node:worker_threads';
import ipaddr from 'ipaddr.js';
import type { DNSResolver } from 'mailauth';
import type { Session } from './sender-auth-judge.ts';
import type { FromJudge, ToJudge } from './sender-auth-worker.ts';

/** The result words of RFC 8601 2.7 that are kept. */
export type AuthWord = 'pass' | 'fail' | 'softfail' | 'neutral' | 'none' | 'temperror' | 'permerror';

export interface SenderVerdict {
  spf: AuthWord;
  dkim: AuthWord;
  dmarc: AuthWord;
  /**
   * The domain of the From header, in lower case, when it is proven: by DMARC, or where the domain publishes no policy
   * by an aligned signature or SPF. Null otherwise, and for a message with several authors.
   */
  provenDomain: string | null;
}

export interface SenderAuthOptions {
  /** Like `resolve` of `node:dns/promises`, and the default: rejects with codes such as `ENOTFOUND`. */
  resolve?: DNSResolver;
  /** Milliseconds for all look-ups of one mail together. */
  deadlineMs?: number;
  /** Milliseconds that reading one may take beyond that. */
  graceMs?: number;
}

/** Judges a message that begins with our own Received header. Never rejects. `envelopeFrom` is '' for a bounce. */
export type SenderAuth = (raw: Uint8Array, envelopeFrom: string) => Promise<SenderVerdict>;

const DEADLINE_MS = 5000;
const GRACE_MS = 3000;
/** Beyond these a message is not honest mail, and would cost more to judge than to read. */
const HEADER_BYTES_MAX = 131_072;
const SIGNATURES_MAX = 20;

const everything = (word: AuthWord): SenderVerdict => ({ spf: word, dkim: word, dmarc: word, provenDomain: null });

/** For mail that was not judged because judging it may be what ended a process. */
export const NOT_JUDGED: SenderVerdict = everything('temperror');

/** Checks SPF (RFC 7208), DKIM (RFC 6376) and DMARC (RFC 9989) of mail from outside. */
export function createSenderAuth(options: SenderAuthOptions = {}): SenderAuth {
  const dns = new Resolver({ timeout: 2000, tries: 2 });
  const { resolve = (name, type) => dns.resolve(name, type) as Promise<string[]> } = options;
  const { deadlineMs = DEADLINE_MS, graceMs = GRACE_MS } = options;
  const bench = new Bench(resolve, deadlineMs, graceMs);
  return async (raw, envelopeFrom) => {
    const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
    const client = clientOf(bytes);
    // A neighbour during development: there is nothing in the public DNS about it.
    if (client === null || isNearby(client.ip)) return everything('none');
    if (isOverdone(bytes)) return everything('permerror');
    return bench.judge(bytes, { ...client, sender: envelopeFrom });
  };
}

interface Case {
  resolve: DNSResolver;
  done(verdict: SenderVerdict): void;
}

/**
 * The thread that judges, many messages at a time: they mostly wait for the DNS. One that keeps it busy beyond all
 * deadlines takes it down, and those judged at the same moment stay without a verdict, which proves nothing.
 */
class Bench {
  readonly #resolve: DNSResolver;
  readonly #deadlineMs: number;
  readonly #graceMs: number;
  readonly #cases = new Map<number, Case>();
  #worker: Worker | null = null;
  #ids = 0;

  constructor(resolve: DNSResolver, deadlineMs: number, graceMs: number) {
    this.#resolve = resolve;
    this.#deadlineMs = deadlineMs;
    this.#graceMs = graceMs;
  }

  judge(raw: Buffer, session: Session): Promise<SenderVerdict> {
    const id = this.#ids++;
    const limited = withDeadline(this.#resolve, this.#deadlineMs);
    return new Promise((resolve) => {
      const worker = this.#worker ?? this.#start();
      const stuck = setTimeout(() => this.#drop(worker), this.#deadlineMs + this.#graceMs);
      const done = (verdict: SenderVerdict): void => {
        clearTimeout(stuck);
        limited.release();
        this.#cases.delete(id);
        resolve(verdict);
      };
      this.#cases.set(id, { resolve: limited.resolve, done });
      // A copy of its own: the caller keeps the raw bytes, and a view may belong to a far larger buffer.
      const bytes = new Uint8Array(raw).buffer;
      worker.postMessage({ kind: 'mail', id, raw: bytes, session } satisfies ToJudge, [bytes]);
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL('./sender-auth-worker.ts', import.meta.url), {
      name: 'sender-auth',
      // As for the parser: what reads hostile input has no business with the environment or the flags of the process.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 64 },
    });
    worker.on('message', (message: FromJudge) => {
      if (message.kind === 'verdict') this.#cases.get(message.id)?.done(message.verdict ?? NOT_JUDGED);
      else void this.#answer(worker, message);
    });
    worker.on('error', () => this.#drop(worker));
    worker.on('exit', () => this.#drop(worker));
    // After the listeners: they would hold the process open again. While it judges, the timer does.
    worker.unref();
    this.#worker = worker;
    return worker;
  }

  async #answer(worker: Worker, { id, mail, name, type }: Extract<FromJudge, { kind: 'question' }>): Promise<void> {
    const found = this.#cases.get(mail)?.resolve(name, type) ?? Promise.reject(new Error('too late'));
    const answer = await found.then(
      (records) => ({ records, code: '' }),
      (err: NodeJS.ErrnoException) => ({ records: null, code: err.code ?? 'ESERVFAIL' }),
    );
    worker.postMessage({ kind: 'answer', id, ...answer } satisfies ToJudge);
  }

  #drop(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    // Not awaited: ending a thread that spins takes a moment.
    void worker.terminate();
    for (const { done } of [...this.#cases.values()]) done(NOT_JUDGED);
  }
}

interface Client {
  ip: string;
  helo: string;
}

/** The first line of the header that our own listener writes (smtp-trace.ts): who spoke to us. */
function clientOf(raw: Buffer): Client | null {
  const found = /^Received: from (\S{1,255}) \(\[(?:IPv6:)?([0-9A-Fa-f:.]{2,45})\]\)\r\n/.exec(
    raw.toString('latin1', 0, 400),
  );
  const [, helo = '', address = ''] = found ?? [];
  // `::ffff:192.0.2.1` is 192.0.2.1 to SPF.
  return ipaddr.isValid(address) ? { helo, ip: ipaddr.process(address).toString() } : null;
}

const NEARBY = ['loopback', 'private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat', 'unspecified'];
const isNearby = (ip: string): boolean => NEARBY.includes(ipaddr.process(ip).range());

function isOverdone(raw: Buffer): boolean {
  const head = raw.subarray(0, HEADER_BYTES_MAX + 4);
  // Bare line feeds count as line ends, as they do for whoever reads the message.
  const end = /\r?\n\r?\n/.exec(head.toString('latin1'))?.index;
  if (end === undefined) return raw.length > HEADER_BYTES_MAX;
  const signatures = head.toString('latin1', 0, end).match(/^(?:dkim-signature|arc-message-signature)[ \t]*:/gim);
  return (signatures?.length ?? 0) > SIGNATURES_MAX;
}

/** Look-ups that fail, all of them, when the time is over; to the checks that is a DNS that does not answer. */
function withDeadline(resolve: DNSResolver, deadlineMs: number): { resolve: DNSResolver; release(): void } {
  const over = Promise.withResolvers<never>();
  over.promise.catch(() => {});
  const late = Object.assign(new Error('the look-ups took too long'), { code: 'ETIMEOUT' });
  const timer = setTimeout(() => over.reject(late), deadlineMs);
  timer.unref();
  return {
    resolve: (name, type) => Promise.race([resolve(name, type), over.promise]),
    release: () => clearTimeout(timer),
  };
}
