import type { Reader } from '../../../api/transaction.ts';
import { domainOf } from '../../../mail/address/mail-address.ts';
import type { MailOutline } from '../../../mail/imap/imap-store.ts';
import { outlineOf } from '../../../mail/imap/mail-outline.ts';
import { headerOf } from '../../../mail/imap/mail-section.ts';
import {
  draftMail,
  maskedMail,
  type SealedPiece,
  type StandInHeader,
  sealedMail,
  sentMail,
} from '../../../mail/imap/stand-in-mail.ts';
import { readShownDraft } from '../drafts/shown-draft.ts';
import { listAttachments, outlinesOf, readAttachment, readBody, readRaw } from '../mailboxes/content/mail-content.ts';
import { readParts } from '../mailboxes/messages/message.ts';
import type { Message } from '../mailboxes/messages/message-table.ts';
import { contentOfSent, type OutboxEntry, readSentText } from '../mailboxes/messages/sent.ts';
import { type Parts, shownText, shownWhole } from '../mailboxes/messages/shown-mail.ts';
import { hiderOf, isAllWithheld, isCodeFree, WITHOUT_CODES } from './code-free-mail.ts';
import type { ProgramItem } from './program-item.ts';

/** A mail as a program sees it. */
export interface MailBytes {
  bytes: Uint8Array;
  /** Whether no byte was written by this service. */
  isAsCame: boolean;
}

const WITH_CODES = { scopes: null };
const callerOf = (maySeeCodes: boolean) => (maySeeCodes ? WITH_CODES : WITHOUT_CODES);

const WITHHELD =
  'This mail is not shown: a key sees mail that may hold codes or links, and could not be searched for them, only with the scope mail:codes.';
const NOT_KEPT = 'The text of this mail is not kept: its sender or a recipient keeps mail sealed.';

/** An item as a mail; null when its bytes went. @param maySeeCodes whether the caller has `mail:codes` */
export async function mailBytes(reader: Reader, item: ProgramItem, maySeeCodes: boolean): Promise<MailBytes | null> {
  if (item.kind === 'draft') return generated(await draftBytes(reader, item.id, maySeeCodes));
  if (item.kind === 'sent') return generated(await sentBytes(reader, item.entry, maySeeCodes));
  return messageBytes(reader, item.message, maySeeCodes);
}

const generated = (bytes: Uint8Array | null): MailBytes | null => bytes && { bytes, isAsCame: false };

async function messageBytes(reader: Reader, message: Message, maySeeCodes: boolean): Promise<MailBytes | null> {
  const { contentId, encryption } = message;
  if (encryption !== null)
    return generated(maySeeCodes ? await sealedBytes(reader, message) : await maskedBytes(reader, message, null));
  const bytes = await readRaw(reader, contentId);
  if (bytes === null) return null;
  if (maySeeCodes) return { bytes, isAsCame: true };
  const [kept] = await outlinesOf(reader, [contentId]);
  const hasCodes = kept?.hasCodes ?? (await holdsCodes(reader, message, bytes, outlineOf(bytes)));
  return hasCodes ? generated(await maskedBytes(reader, message, headerOf(bytes))) : { bytes, isAsCame: true };
}

/** Whether callers without `mail:codes` see a masked mail in its place. */
export async function holdsCodes(
  reader: Reader,
  message: Message,
  bytes: Uint8Array,
  outline: MailOutline,
): Promise<boolean> {
  return !isCodeFree(message, await readParts(reader, message), bufferOf(bytes), outline);
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const headerIn = (message: Message): StandInHeader => ({
  from: { address: message.fromAddress, name: message.fromName },
  to: message.recipients.to,
  cc: message.recipients.cc,
  subject: message.subject,
  date: message.sentAt === null ? null : Date.parse(message.sentAt),
  messageId: message.rfcMessageId,
  inReplyTo: message.inReplyTo,
  references: message.references,
});

/** What the API shows of a message without `mail:codes`, as a mail. @param header as it came, if it is known */
export async function maskedBytes(reader: Reader, message: Message, header: Uint8Array | null): Promise<Uint8Array> {
  return maskedOf(message, await readParts(reader, message), header);
}

function maskedOf(message: Message, parts: Parts, header: Uint8Array | null): Uint8Array {
  const seen = shownWhole(WITHOUT_CODES, message, parts);
  const isNothing = isAllWithheld(message, parts);
  return maskedMail({
    header: headerIn(seen.message),
    cameWith: isNothing || header === null ? null : bufferOf(header),
    text: isNothing ? WITHHELD : (seen.parts.visibleText ?? seen.parts.text),
    hide: hiderOf(parts),
  });
}

/** A sealed message as a mail; null when it went. */
export async function sealedBytes(reader: Reader, message: Message): Promise<Uint8Array | null> {
  const { id: messageId, contentId, encryption: seal } = message;
  const [body, raw] = [await readBody(reader, contentId), await readRaw(reader, contentId)];
  if (seal === null || body === null || raw === null) return null;
  const piece = (what: SealedPiece['what'], bytes: Uint8Array, filename: string | null = null): SealedPiece => ({
    what,
    filename,
    bytes,
  });
  const pieces = [
    ...(body.text === null ? [] : [piece('text', Buffer.from(body.text, 'base64url'))]),
    ...(body.html === null ? [] : [piece('html', Buffer.from(body.html, 'base64url'))]),
    piece('raw', raw),
  ];
  for (const { n } of message.attachments > 0 ? await listAttachments(reader, contentId) : []) {
    const file = await readAttachment(reader, contentId, n);
    if (file === null) return null;
    pieces.push(piece('attachment', file.content, file.filename));
  }
  return sealedMail({ header: headerIn(message), messageId, seal, pieces });
}

/** A sent mail: as it was sent where its bytes are kept, and what the API shows of it where they are not or hold codes. */
export async function sentBytes(reader: Reader, entry: OutboxEntry, maySeeCodes: boolean): Promise<Uint8Array> {
  const contentId = maySeeCodes ? await contentOfSent(reader, entry) : null;
  const kept = contentId && (await readRaw(reader, contentId));
  if (kept) return kept;
  const whole = entry.excerpt === null ? NOT_KEPT : ((await readSentText(reader, entry.id)) ?? entry.excerpt);
  const { subject, text } = shownText(callerOf(maySeeCodes), entry.subject, whole);
  const header = {
    from: { address: entry.address },
    to: entry.recipients,
    cc: [],
    subject,
    date: entry.queuedAt,
    messageId: entry.rfcMessageId,
    inReplyTo: null,
    references: [],
  };
  return sentMail(header, text ?? '');
}

/** A draft; null when it went. */
export async function draftBytes(reader: Reader, id: string, maySeeCodes: boolean): Promise<Uint8Array | null> {
  const found = await readShownDraft(reader, callerOf(maySeeCodes), id);
  if (found === null) return null;
  const { draft, files } = found;
  const kept = draft.contentId !== null && !draft.masked && (await readRaw(reader, draft.contentId));
  if (kept) return kept;
  const { to, cc, bcc, replyTo, subject, inReplyTo, references } = draft.headers;
  return draftMail({
    header: {
      from: { address: draft.address },
      to,
      cc,
      subject,
      date: draft.updatedAt,
      messageId: `<${draft.id}.${draft.version}@${domainOf(draft.address)}>`,
      inReplyTo,
      references,
    },
    bcc,
    replyTo,
    text: draft.text,
    html: draft.html,
    files,
    isMasked: draft.masked === true,
  });
}
