import { ImapRefusal } from '../../../mail/imap/imap-store.ts';
import type { ParsedMail } from '../../../mail/mime/parsed-mail.ts';
import type { DraftChange } from '../drafts/draft.ts';
import type { DraftFile } from '../drafts/draft-table.ts';

/** A type as requests write it. What a mail says may be anything. */
const MEDIA_TYPE = /^[A-Za-z0-9!#$&^_.+-]+\/[A-Za-z0-9!#$&^_.+-]+$/;

/** Two authors: a draft is from its address alone. */
const HARMLESS = new Set(['duplicate_from']);

/**
 * What a draft says that a mail program wrote. The address of the folder is its sender, whatever its From header names.
 * @throws ImapRefusal `CANNOT` for one that cannot be read as a whole: sent later, it would be another mail
 */
export function readDraft(parsed: ParsedMail, from: string): { change: DraftChange; files: DraftFile[] } {
  const problems = (parsed.problem ?? '').split(',').filter((problem) => problem !== '' && !HARMLESS.has(problem));
  if (!parsed.parsed || problems.length > 0)
    throw new ImapRefusal('CANNOT', `The draft cannot be read as a whole: ${problems.join(', ') || 'unparsed'}`);
  const named = (list: readonly { address: string }[]): string[] => list.map(({ address }) => address);
  const { inReplyTo, references, subject, hasPlainText, text, html } = parsed;
  const headers = {
    to: named(parsed.to),
    cc: named(parsed.cc),
    bcc: named(parsed.bcc),
    replyTo: parsed.replyTo[0]?.address ?? null,
    subject,
    inReplyTo,
    references,
  };
  const files = parsed.attachments.map(({ filename, contentType, content }) => ({
    filename: filename || 'attachment',
    contentType: MEDIA_TYPE.test(contentType) ? contentType : 'application/octet-stream',
    content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
  }));
  // A text that was made of the HTML is none.
  return { change: { from, headers, text: hasPlainText || html === null ? text : null, html }, files };
}
