import { ImapRefusal, type StoreChange } from '../../../mail/imap/imap-store.ts';
import { LABELS_MAX } from '../mailboxes/messages/message.ts';
import { LABEL } from '../mailboxes/messages/message-schema.ts';
import type { Flags, Message } from '../mailboxes/messages/message-table.ts';

/** Flags of mail programs (RFC 9051 2.3.2), and the flags and labels of messages that they are. */

/** The label of a keyword that begins with `$`, which no label does, such as `$Forwarded`. */
const SYSTEM_LABEL = 'imap:';
const IS_LABEL = new RegExp(LABEL.pattern, 'u');

/** A label as a keyword, which is an atom of ASCII: other characters as the bytes of UTF-8. */
function keywordOf(label: string): string {
  const [begin, rest] = label.startsWith(SYSTEM_LABEL) ? ['$', label.slice(SYSTEM_LABEL.length)] : ['', label];
  // Programs take it for nothing, wherever it stands.
  if (/^nil$/i.test(label)) return escaped(label.slice(0, 1)) + label.slice(1);
  return begin + rest.replace(/[^\w.:/-]+/g, escaped);
}

const escaped = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

/** The label of a keyword; null if it fits none. */
function labelOf(keyword: string): string | null {
  const [begin, rest] = keyword.startsWith('$') ? [SYSTEM_LABEL, keyword.slice(1)] : ['', keyword];
  if (!/^(?:[\w.:/-]|=[\da-f]{2})*$/i.test(rest)) return null;
  const bytes = Buffer.from(
    rest.replace(/=(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
  const label = begin + bytes.toString();
  return label.length <= LABEL.charsMax && IS_LABEL.test(label) ? label : null;
}

const isSystem = (flag: string): boolean => flag.startsWith('\\');

/** Equal for flags that differ by case alone: to mail programs they are the same. */
const foldedFlag = (flag: string): string => (isSystem(flag) ? flag : (labelOf(flag) ?? flag)).toLowerCase();

/** The flags, each once. */
const distinct = (flags: readonly string[]): string[] =>
  [...new Map(flags.toReversed().map((flag) => [foldedFlag(flag), flag])).values()].reverse();

const SYSTEM_FLAGS = ['\\Seen', '\\Answered', '\\Flagged', '\\Deleted', '\\Draft'] as const;

/**
 * The flags of a command in the form in which they are kept. A system flag that we do not know is left out.
 * @throws ImapRefusal `LIMIT` for a keyword that can be no label
 */
export function keptFlags(flags: readonly string[]): string[] {
  const kept = flags.flatMap((flag) => {
    if (isSystem(flag)) return SYSTEM_FLAGS.find((known) => known.toLowerCase() === flag.toLowerCase()) ?? [];
    const label = labelOf(flag);
    if (label === null)
      throw new ImapRefusal('LIMIT', `${flag.slice(0, 100)} can be no label: ${LABEL.charsMax} letters and digits`);
    return keywordOf(label);
  });
  return distinct(kept);
}

/** The flags of a mail after a change. `change.flags` come from {@link keptFlags}. */
export function flagsAfter(current: readonly string[], { does, flags }: Pick<StoreChange, 'does' | 'flags'>): string[] {
  if (does === 'replace') return [...flags];
  const named = new Set(flags.map(foldedFlag));
  const others = current.filter((flag) => !named.has(foldedFlag(flag)));
  // Those that it had keep their form.
  if (does === 'remove') return others;
  return distinct([...current, ...flags]);
}

/** The flags of a mail: those it has itself, and those that its UID has. */
export const flagsOfMessage = (
  { read, starred, answered, labels }: Omit<Flags, 'archived'> & Pick<Message, 'labels'>,
  own: readonly string[],
): string[] =>
  distinct([
    ...(read ? ['\\Seen'] : []),
    ...(answered ? ['\\Answered'] : []),
    ...(starred ? ['\\Flagged'] : []),
    ...own,
    ...labels.map(keywordOf),
  ]);

/** Flags that sent mail and drafts have always. */
const ALWAYS = { sent: '\\Seen', drafts: '\\Draft' } as const;

/** The flags of sent mail or a draft. */
export const flagsOfOther = (folder: 'sent' | 'drafts', own: readonly string[]): string[] =>
  distinct([ALWAYS[folder], ...own]);

/** What of its flags the UID of sent mail or a draft keeps. @throws ImapRefusal `LIMIT` */
export function ownFlags(folder: 'sent' | 'drafts', flags: readonly string[]): string[] {
  const own = flags.filter((flag) => flag !== ALWAYS[folder] && flag !== '\\Draft');
  requireFew(own.filter((flag) => !isSystem(flag)));
  return own;
}

/** What a message is after a change of its flags, and what its UID keeps. @throws ImapRefusal `LIMIT` */
export function messageChangeOf(before: readonly string[], flags: readonly string[]) {
  const keywords = flags.filter((flag) => !isSystem(flag));
  const has = new Set(keywords.map(foldedFlag));
  // Labels that differ by case alone are one keyword and stay what they are.
  const kept = before.filter((label) => has.has(label.toLowerCase()));
  const known = new Set(kept.map((label) => label.toLowerCase()));
  const labels = [
    ...kept,
    ...keywords.filter((flag) => !known.has(foldedFlag(flag))).flatMap((flag) => labelOf(flag) ?? []),
  ];
  requireFew(labels);
  return {
    change: {
      read: flags.includes('\\Seen'),
      answered: flags.includes('\\Answered'),
      starred: flags.includes('\\Flagged'),
      labels,
    },
    own: flags.filter((flag) => flag === '\\Deleted'),
  };
}

function requireFew(keywords: readonly string[]): void {
  if (keywords.length > LABELS_MAX) throw new ImapRefusal('LIMIT', `A mail has ${LABELS_MAX} keywords at most`);
}
