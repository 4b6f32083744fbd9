/** The trace a message carries: one Received header for each hop (RFC 5321 4.4). */

/** Headers longer than this are not searched for hops; no chain of 50 genuine hops is that long. */
const SCANNED_BYTES = 1_048_576;

export type Hop = {
  /** What the client called itself. Untrusted: only safe characters are kept. */
  helo: string;
  remoteAddress: string;
  /** Our name. */
  hostname: string;
  esmtp: boolean;
  tls: boolean;
  smtpUtf8: boolean;
  id: string;
  /** Named in the header only when it is the only one: the others must not learn of a blind copy (RFC 5321 7.2). */
  recipients: readonly string[];
  date: Date;
};

/** The Received header of this hop, CRLF at the end. */
export function receivedHeader(hop: Hop): Buffer {
  const address = hop.remoteAddress.includes(':') ? `IPv6:${hop.remoteAddress}` : hop.remoteAddress;
  const [only, ...others] = hop.recipients;
  const recipient = only !== undefined && others.length === 0 ? `\r\n\tfor <${only}>` : '';
  const lines = [
    `Received: from ${atom(hop.helo)} ([${atom(address)}])`,
    `\tby ${atom(hop.hostname)} with ${protocolOf(hop)} id ${atom(hop.id)}${recipient};`,
    `\t${mailDate(hop.date)}`,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n`);
}

/** The Received header of a mail that a program of ours handed over. It names no machine of its user. CRLF at the end. */
export const submittedHeader = ({
  hostname,
  tls,
  smtpUtf8,
  id,
  date,
}: Pick<Hop, 'hostname' | 'tls' | 'smtpUtf8' | 'id' | 'date'>): string =>
  // RFC 3848, RFC 6531 4.3: A says that it logged in.
  `Received: by ${atom(hostname)} with ${smtpUtf8 ? 'UTF8SMTP' : 'ESMTP'}${tls ? 'S' : ''}A id ${atom(id)};\r\n\t${mailDate(date)}\r\n`;

/** RFC 5322 3.3 date-time in UTC: `Fri, 21 Nov 2025 10:39:00 +0000`. */
export const mailDate = (date: Date): string => date.toUTCString().replace('GMT', '+0000');

/** The names of RFC 3848 and RFC 6531 4.3. */
function protocolOf(hop: Hop): string {
  if (!hop.esmtp) return 'SMTP';
  return `${hop.smtpUtf8 ? 'UTF8SMTP' : 'ESMTP'}${hop.tls ? 'S' : ''}`;
}

const atom = (text: string): string => text.replace(/[^A-Za-z0-9.:_[\]-]/g, '?').slice(0, 255) || 'unknown';

/** How many Received headers a raw message begins with: RFC 5321 6.3 counts them to find a loop. */
export function countReceived(raw: Buffer): number {
  const bytes = raw.subarray(0, SCANNED_BYTES);
  let count = 0;
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline < 0 ? bytes.length : newline;
    if (end === start || (end === start + 1 && bytes[start] === 0x0d)) break;
    if (end - start > 8 && /^received[ \t]*:/i.test(bytes.toString('latin1', start, Math.min(end, start + 16))))
      count += 1;
    start = end + 1;
  }
  return count;
}

/** The addresses in the Delivered-To fields of a raw message (RFC 9228), in lower case. They show a loop. */
export function deliveredTo(raw: Uint8Array): string[] {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, SCANNED_BYTES));
  const [header = ''] = bytes.toString('latin1').split(/\r?\n\r?\n/, 1);
  return [...header.matchAll(/^delivered-to[ \t]*:[ \t]*<?([^\s<>]+)/gim)].map(([, address = '']) =>
    address.toLowerCase(),
  );
}

/**
 * A raw message without the header fields that name blind copies. Some programs leave them in what they send, and each
 * recipient of it would learn of the others (RFC 5322 section 5). Returns the same buffer if there are none.
 */
export function withoutBlindCopies(raw: Buffer): Buffer {
  const kept: Buffer[] = [];
  let keptTo = 0;
  let isBlind = false;
  for (let start = 0; start < Math.min(raw.length, SCANNED_BYTES); ) {
    const newline = raw.indexOf(LF, start);
    const end = newline < 0 ? raw.length : newline + 1;
    const first = raw[start];
    if (first === LF || (first === CR && raw[start + 1] === LF)) break;
    // A folded line belongs to the field above it.
    if (first !== SPACE && first !== TAB) {
      const begins = isBlindCopy(raw, start, end);
      if (begins && !isBlind) kept.push(raw.subarray(keptTo, start));
      isBlind = begins;
    }
    start = end;
    if (isBlind) keptTo = end;
  }
  return kept.length === 0 ? raw : Buffer.concat([...kept, raw.subarray(keptTo)]);
}

const [TAB, LF, CR, SPACE] = [0x09, 0x0a, 0x0d, 0x20];

/** `B` or `R` first: the other lines cost one look. */
function isBlindCopy(raw: Buffer, start: number, end: number): boolean {
  const letter = (raw[start] ?? 0) | 0x20;
  if (letter !== 0x62 && letter !== 0x72) return false;
  return /^(?:resent-)?bcc[ \t]*:/i.test(raw.toString('latin1', start, end));
}
