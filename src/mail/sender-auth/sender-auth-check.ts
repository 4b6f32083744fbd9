import ipaddr from 'ipaddr.js';
import type { DNSResolver } from 'mailauth';
import { monotonicMs } from '../../base/clock.ts';
import { within } from '../../base/deadline.ts';
import { WorkerPool } from '../../workers/worker-pool.ts';
import type { AuthResult, DnsQuestion, DnsRecords, SenderAuthResults, SenderSession } from './sender-auth-result.ts';

export interface SenderAuthOptions {
  /** Like `resolve` of `node:dns/promises`: rejects with codes such as `ENOTFOUND`. */
  resolve: DNSResolver;
  /** Milliseconds for all look-ups of one mail together. */
  deadlineMs?: number | undefined;
  /** Milliseconds that the checks may take beyond that. */
  graceMs?: number;
}

/**
 * Checks the sender of a message that begins with our own Received header. Never rejects. `envelopeFrom` is '' for a
 * bounce.
 */
export type SenderAuth = (raw: Uint8Array, envelopeFrom: string) => Promise<SenderAuthResults>;

const DEADLINE_MS = 5000;
const GRACE_MS = 3000;
/** A message over these limits is not genuine mail, and would cost more to check than to read. */
const HEADER_BYTES_MAX = 131_072;
const SIGNATURES_MAX = 20;

const allResults = (result: AuthResult): SenderAuthResults => ({
  spf: result,
  dkim: result,
  dmarc: result,
  provenDomain: null,
});

/** For mail that was not checked, because the check may have crashed the process. */
export const NOT_EVALUATED: SenderAuthResults = allResults('temperror');

/** Checks SPF (RFC 7208), DKIM (RFC 6376) and DMARC (RFC 9989) of mail from outside. */
export function createSenderAuth(options: SenderAuthOptions): SenderAuth {
  const { deadlineMs = DEADLINE_MS, graceMs = GRACE_MS, resolve } = options;
  const pool = new WorkerPool<SenderSession, SenderAuthResults, DnsQuestion, DnsRecords>({
    name: 'sender-auth',
    file: new URL('./sender-auth-worker.ts', import.meta.url),
    deadlineMs: deadlineMs + graceMs,
    workers: 1,
    heapMb: 256,
    atATime: 'many',
  });
  return async (raw, envelopeFrom) => {
    const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
    const client = clientOf(bytes);
    // A local client during development: the public DNS does not know it.
    if (client === null || isNearby(client.ip)) return allResults('none');
    if (isExcessive(bytes)) return allResults('permerror');
    const context = { ...client, sender: envelopeFrom };
    const result = await pool.run({ raw: bytes, context, answer: lookUpWithin(deadlineMs, resolve) });
    return 'reply' in result ? result.reply : NOT_EVALUATED;
  };
}

/** Look-ups that all fail once the time is over. To the checks, this looks like a DNS that does not answer. */
function lookUpWithin(deadlineMs: number, resolve: DNSResolver): (question: DnsQuestion) => Promise<DnsRecords> {
  // From the first look-up on: a thread takes time to start.
  let endsAt: number | null = null;
  const late = (): never => {
    throw Object.assign(new Error('the look-ups took too long'), { code: 'ETIMEOUT' });
  };
  return async ({ name, type }) => {
    endsAt ??= monotonicMs() + deadlineMs;
    const ms = endsAt - monotonicMs();
    return ms > 0 ? within(ms, resolve(name, type), late) : late();
  };
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

function isExcessive(raw: Buffer): boolean {
  const head = raw.subarray(0, HEADER_BYTES_MAX + 4);
  // Bare line feeds count as line ends, as they do for the readers of the message.
  const end = /\r?\n\r?\n/.exec(head.toString('latin1'))?.index;
  if (end === undefined) return raw.length > HEADER_BYTES_MAX;
  const signatures = head.toString('latin1', 0, end).match(/^(?:dkim-signature|arc-message-signature)[ \t]*:/gim);
  return (signatures?.length ?? 0) > SIGNATURES_MAX;
}
