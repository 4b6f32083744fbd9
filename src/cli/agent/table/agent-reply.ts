import { printable, printableLines, table } from '../../output.ts';
import { EXIT, type ExitCode } from '../agent-failure.ts';

/** A part of a reply as one cell. Its words may be a stranger's. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(cellText).join(' ') || '-';
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** A reply, one field a line. Text of several lines comes last. */
export function detailText(reply: object): string {
  const entries = Object.entries(reply);
  const isLong = ([, value]: [string, unknown]): boolean => typeof value === 'string' && value.includes('\n');
  const rows = entries.filter((entry) => !isLong(entry)).map(([name, value]) => [name, cellText(value)]);
  const texts = entries.filter(isLong).map(([name, value]) => `\n\n${name}:\n${printableLines(value as string)}`);
  return table(rows) + texts.join('');
}

/** The rows of a list, with the names of the columns on a terminal. */
export function listText(items: readonly object[], columns: readonly string[], isTerminal: boolean): string {
  if (items.length === 0) return 'none';
  const rows = items.map((item) => columns.map((column) => cellText((item as Record<string, unknown>)[column])));
  const head = columns.map((column) => column.replaceAll('_', ' ').toUpperCase());
  return table(isTerminal ? [head, ...rows] : rows);
}

/** What of a reply tells that not all was done. */
interface Outcome {
  status?: unknown;
  review_id?: unknown;
  internal_recipients?: readonly { delivered: boolean }[];
  failed?: unknown;
}

/** The exit code for the reply to a call that changes something. */
export function exitCodeOf(reply: unknown): ExitCode {
  if (typeof reply !== 'object' || reply === null) return EXIT.ok;
  const { status, review_id: review, internal_recipients: recipients = [] } = reply as Outcome;
  if (status === 'approval_required' || (status === 'pending' && typeof review === 'string')) return EXIT.person;
  if (status === 'failed') return EXIT.refused;
  return recipients.some(({ delivered }) => !delivered) ? EXIT.partly : EXIT.ok;
}
