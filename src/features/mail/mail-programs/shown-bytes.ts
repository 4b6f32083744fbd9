import type { Principal } from '../../../api/principal.ts';
import type { Reader } from '../../../api/transaction.ts';
import type { MailOutline } from '../../../mail/imap/imap-store.ts';
import { outlineOf } from '../../../mail/imap/mail-outline.ts';
import { readRaw } from '../mailboxes/content/mail-content.ts';
import { readSentText } from '../mailboxes/messages/sent.ts';
import { maskedHead, maySeeCodes, shownText } from '../mailboxes/messages/shown-mail.ts';
import type { ProgramItem } from './program-item.ts';

/** What is told of a mail without its bytes. */
export interface ShownOutline {
  outline: MailOutline;
  /** With the empty line that ends it. */
  header: Uint8Array;
  size: number;
}

const written = (fields: readonly (readonly [string, string])[], text: string): Uint8Array =>
  Buffer.from(`${fields.map(([name, value]) => `${name}: ${value.replace(/[\r\n]+/g, ' ')}\r\n`).join('')}\r\n${text}`);

/** The bytes of a mail as the caller may see it; null when it is gone. */
export async function mailBytes(reader: Reader, caller: Principal, item: ProgramItem): Promise<Uint8Array | null> {
  if (item.kind === 'message') {
    const { message } = item;
    if (maySeeCodes(caller) && message.encryption === null) return readRaw(reader, message.contentId);
    const { message: seen, text } = await maskedHead(reader, message, 65_536);
    const fields = [
      ['From', seen.fromAddress],
      ['Subject', seen.subject],
      ['X-Signet-Masked', 'yes'],
    ] as const;
    return written(fields, text);
  }
  const subject = item.kind === 'sent' ? item.entry.subject : item.draft.headers.subject;
  const text = item.kind === 'sent' ? await readSentText(reader, item.id) : item.draft.text;
  const seen = shownText(caller, subject, text);
  return written([['Subject', seen.subject]], seen.text ?? '');
}

/** What is told of some mails, by the ids of the items. */
export async function readOutlines(reader: Reader, caller: Principal, items: readonly ProgramItem[]) {
  const found = new Map<string, ShownOutline>();
  for (const item of items) {
    const bytes = await mailBytes(reader, caller, item);
    if (bytes === null) continue;
    const outline = outlineOf(bytes);
    found.set(item.id, { outline, header: bytes.slice(0, outline.body.bodyAt), size: bytes.length });
  }
  return found;
}

/** The header of one mail. */
export async function headerBytes(reader: Reader, caller: Principal, item: ProgramItem): Promise<Uint8Array | null> {
  return (await readOutlines(reader, caller, [item])).get(item.id)?.header ?? null;
}
