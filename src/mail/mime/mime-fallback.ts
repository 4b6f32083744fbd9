import { type Header, readHeaders } from './mime-fields.ts';
import { emptyMail, type MailProblem, type ParsedMail } from './parsed-mail.ts';

/** How much of a message that could not be parsed is read. */
const SCANNED_BYTES = 65_536;
/** One header of it: this runs on the main thread, and reading addresses costs more than their length. */
const VALUE_CHARS = 4096;

/**
 * The headers of a message that could not be parsed, as far as its first 64 KiB show them. Linear in those, never
 * throws, a few milliseconds at most. No text, no attachments: the raw message is stored anyway.
 */
export function fallbackParse(raw: Uint8Array, problem: MailProblem = 'unparsed'): ParsedMail {
  const mail = emptyMail();
  mail.problem = problem;
  try {
    const byName = Map.groupBy(scanHeaders(raw), ({ key }) => key);
    const headers = [...byName].flatMap(([key, same]) => (key === 'received' ? same : same.slice(0, 1)));
    readHeaders(mail, headers, new Set());
  } catch {
    // A header that cannot be read here either: keep what was found so far. The message is stored anyway.
  }
  return mail;
}

/** Unfolded headers (RFC 5322 2.2.3) up to the empty line or the end of the scanned bytes. */
function scanHeaders(raw: Uint8Array): Header[] {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(raw.subarray(0, SCANNED_BYTES));
  const headers: Header[] = [];
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end).replace(/\r$/, '');
    start = end + 1;
    if (line === '') break;
    const last = headers.at(-1);
    if (line.startsWith(' ') || line.startsWith('\t')) {
      if (last !== undefined && last.value.length < VALUE_CHARS) last.value = (last.value + line).slice(0, VALUE_CHARS);
      continue;
    }
    const colon = line.indexOf(':');
    if (colon < 1) continue;
    headers.push({
      key: line.slice(0, colon).trimEnd().toLowerCase(),
      value: line.slice(colon + 1, colon + 1 + VALUE_CHARS).trim(),
    });
  }
  return headers;
}
