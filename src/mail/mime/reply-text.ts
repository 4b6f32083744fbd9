/** Derives from a message's text what a list shows, and the part that is new. */
import { cut } from './mime-fields.ts';

const SNIPPET_CHARACTERS = 120;
/** Quotes are looked for in this much of a text: it runs on the main thread, and no person's answer is longer. */
const SCANNED_CHARS = 262_144;
/**
 * Longer lines than this are content: patterns look at the beginning alone, so that no line costs more than its start.
 */
const LINE_CHARS = 1000;
/** An attribution may be folded over this many lines. */
const ATTRIBUTION_LINES = 3;

/** The first 120 characters with all whitespace collapsed: one line for a list or a push notice. */
export function snippetOf(text: string): string {
  // Enough to find 120 characters behind any sane amount of whitespace, and a bound on what is looked at.
  const head = cut(text.trimStart(), 4096);
  let line = '';
  for (const [word] of head.matchAll(/\S+/g)) {
    line += line === '' ? word : ` ${word}`;
    // A character is two UTF-16 units at most.
    if (line.length >= 2 * SNIPPET_CHARACTERS) break;
  }
  if (line.length <= SNIPPET_CHARACTERS) return line;
  return [...line.slice(0, 2 * SNIPPET_CHARACTERS)].slice(0, SNIPPET_CHARACTERS).join('').trimEnd();
}

/**
 * What the sender wrote themselves: without quoted lines, the line that introduces them, the history some clients paste
 * below, and the signature. Returns the whole text if nothing would be left.
 */
export function stripQuoted(text: string): string {
  const head = cut(text, SCANNED_CHARS);
  const { kept, ended } = ownLines(head.replaceAll('\r\n', '\n').split('\n'));
  const own = kept
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  const reply = ended ? own : `${own}${text.slice(head.length)}`.trim();
  return reply === '' ? text.trim() : reply;
}

/** The lines that the sender wrote. `ended`: the rest of the message is quoted history. */
function ownLines(lines: readonly string[]): { kept: string[]; ended: boolean } {
  const kept: string[] = [];
  let hasWords = false;
  for (let i = 0; i < lines.length; i += 1) {
    const line = cut(lines[i] ?? '', LINE_CHARS);
    if (isSignature(line) && hasWords) return { kept, ended: true };
    if (isHistoryHeading(line) || isHeaderBlock(lines, i)) return { kept, ended: true };
    if (isQuoted(line)) continue;
    const attribution = attributionLength(lines, i);
    if (attribution > 0) {
      // Quoted lines follow: the writer may answer below them. None follow: all the rest is history without marks.
      if (!isQuoted(nextContent(lines, i + attribution))) return { kept, ended: true };
      i += attribution - 1;
      continue;
    }
    hasWords ||= line.trim() !== '';
    kept.push(lines[i] ?? '');
  }
  return { kept, ended: false };
}

const isQuoted = (line: string): boolean => /^ {0,3}>/.test(line);

/** RFC 3676 4.3: `-- `; many clients lose the space. */
const isSignature = (line: string): boolean => line === '-- ' || line === '--';

const HISTORY_HEADINGS = [
  'original message',
  'urspr\u00fcngliche nachricht',
  "message d'origine",
  'mensaje original',
  'messaggio originale',
];

function isHistoryHeading(line: string): boolean {
  const heading = /^ {0,3}-{2,10} ?([^-]{5,40}?) ?-{2,10} *$/.exec(line)?.[1];
  return heading !== undefined && HISTORY_HEADINGS.includes(heading.toLowerCase());
}

/** The headers Outlook pastes above the history: `From:` with a date and a recipient within the next lines. */
function isHeaderBlock(lines: readonly string[], at: number): boolean {
  const first = lines[at] ?? '';
  if (!/^\*?(?:From|Von|De|Da)\*?:/.test(first)) return false;
  const block = lines.slice(at + 1, at + 6).map((line) => cut(line, LINE_CHARS));
  const has = (pattern: RegExp): boolean => block.some((line) => pattern.test(line));
  return (
    has(/^\*?(?:Sent|Date|Gesendet|Datum|Envoy\u00e9|Enviado|Inviato)\*?:/) && has(/^\*?(?:To|An|\u00c0|Para|A)\*?:/)
  );
}

/**
 * How many lines from `at` on are an attribution such as `On Mon, 1 Jan 2024 at 10:00, A <a@b.example> wrote:`; 0 for
 * none.
 */
function attributionLength(lines: readonly string[], at: number): number {
  if (!/^(?:On|Am|Le|El|Il|Em|Den|Op) \S/.test(lines[at] ?? '')) return 0;
  let joined = '';
  for (let count = 1; count <= ATTRIBUTION_LINES; count += 1) {
    const line = lines[at + count - 1];
    if (line === undefined || line.trim() === '') return 0;
    joined = cut(`${joined} ${line}`, LINE_CHARS);
    if (isAttribution(joined.trim())) return count;
  }
  return 0;
}

const isAttribution = (line: string): boolean =>
  /(?:wrote|schrieb|a \u00e9crit|escribi\u00f3|ha scritto|escreveu|skrev|schreef)(?: [^:]{0,120})? ?:$/.test(line) &&
  /\d|@/.test(line);

function nextContent(lines: readonly string[], from: number): string {
  for (let i = from; i < lines.length && i < from + 5; i += 1) {
    const line = lines[i] ?? '';
    if (line.trim() !== '') return line;
  }
  return '';
}
