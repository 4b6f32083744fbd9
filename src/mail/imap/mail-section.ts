import type { ImapPart } from './imap-store.ts';

/** What of a mail BODY[…] names (RFC 9051 6.4.5.1). */
export interface Section {
  path: readonly number[];
  what: 'all' | 'header' | 'text' | 'mime' | 'fields' | 'fields.not';
  /** Names of fields. */
  fields: readonly string[];
}

/** The bytes of a section; null where the mail has none. */
export function sectionOf(bytes: Uint8Array, body: ImapPart, section: Section): Uint8Array | null {
  if (section.path.length > 0) return null;
  const header = bytes.subarray(0, body.bodyAt);
  if (section.what === 'all') return bytes;
  if (section.what === 'text') return bytes.subarray(body.bodyAt);
  if (section.what === 'header') return header;
  const names = section.fields.map((name) => name.toLowerCase());
  const kept = Buffer.from(header)
    .toString('latin1')
    .split(/\r\n(?![ \t])/)
    .filter((line) => line !== '')
    .filter((line) => names.includes(line.split(':', 1)[0]?.toLowerCase() ?? '') === (section.what === 'fields'));
  return Buffer.from([...kept, '', ''].join('\r\n'), 'latin1');
}

/** The content of a part without its encoding; null when the encoding is unknown. */
export const decodedPart = (bytes: Uint8Array, part: ImapPart): Uint8Array | null =>
  bytes.subarray(part.bodyAt, part.endAt);
