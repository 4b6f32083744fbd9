import type { Readable } from 'node:stream';
import type MailComposer from 'nodemailer/lib/mail-composer';
import { isLong, joined, slicesOf } from '../../base/byte-slices.ts';
import type { OutgoingAttachment, OutgoingMail } from './outgoing-mail.ts';
import { plainMail } from './plain-mail.ts';

/**
 * A value that would have added a header or a recipient. `field` names it: `subject`, `to`,
 * `attachments.filename`.
 */
export class HeaderInjectionError extends Error {
  override readonly name = 'HeaderInjectionError';
  readonly field: string;

  constructor(field: string) {
    super(`${field} holds a character that a mail header cannot carry`);
    this.field = field;
  }
}

/**
 * The message as bytes, every line ended by CRLF, headers and bodies encoded to ASCII (RFC 2047, 2231, 2045), so that
 * any relay carries it. Throws {@link HeaderInjectionError} for CR, LF or NUL in a value that goes into a header, and
 * for an address that is more than one address.
 */
export async function composeMail(mail: OutgoingMail): Promise<Buffer> {
  refuseInjection(mail);
  const ids = {
    messageId: bracketed(mail.messageId),
    references: (mail.references ?? []).map(bracketed),
    ...(mail.inReplyTo ? { inReplyTo: bracketed(mail.inReplyTo) } : {}),
  };
  const { attachments = [] } = mail;
  const [text, html] = [bodyText(mail.text), bodyText(mail.html ?? '')];
  const plain = plainMail(mail, ids, text);
  if (plain) return plain;
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const composer = new MailComposer({
    from: { address: mail.from.address, name: mail.from.name ?? '' },
    to: mail.to.map(mailbox),
    cc: (mail.cc ?? []).map(mailbox),
    ...(mail.replyTo ? { replyTo: mailbox(mail.replyTo) } : {}),
    subject: mail.subject.toWellFormed(),
    text: bodyPart(text),
    ...(html ? { html: bodyPart(html) } : {}),
    ...ids,
    date: mail.date,
    attachments: attachments.map((attachment) => ({
      filename: attachment.filename.toWellFormed(),
      contentType: attachment.contentType,
      content: attachmentContent(attachment),
      ...(attachment.contentId ? { cid: attachment.contentId } : {}),
    })),
    ...(mail.calendar ? { icalEvent: { ...mail.calendar, filename: 'invite.ics' } } : {}),
    headers: mail.autoSubmitted === undefined ? {} : { 'Auto-Submitted': mail.autoSubmitted },
    newline: 'win',
    // The body is only what the caller passed: the library must not read a file or URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const compiled = composer.compile();
  keepPlain(compiled, new Set([text, html].filter(isPlain)));
  return attachments.some(({ content }) => isLong(content.length))
    ? joined(await compiled.createReadStream().toArray())
    : compiled.build();
}

/**
 * A Message-ID in angle brackets (RFC 5322 3.6.4). `random` must be unguessable and unique, of `A-Za-z0-9._-`.
 * Throws {@link HeaderInjectionError} if a part is not valid in a header.
 */
export function newMessageId(random: string, domain: string): string {
  if (!/^[A-Za-z0-9._-]{1,200}$/.test(random)) throw new HeaderInjectionError('messageId');
  if (!/^[A-Za-z0-9.-]{1,253}$/.test(domain)) throw new HeaderInjectionError('messageId');
  return `<${random}@${domain}>`;
}

/**
 * A message inside the message is not encoded (RFC 2046 5.2.1): the library must see its bytes to name what they need.
 */
function attachmentContent({ content, contentType }: OutgoingAttachment): Buffer | Readable {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  return /^message\//i.test(contentType) ? bytes : slicesOf(bytes);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to refuse.
const LINE_BREAKS = /[\r\n\u0000]/;
/** Outside quotes, none of these is part of an address: each would end it and begin another. */
const ADDRESS_BREAKS = /[\s<>,;:()[\]\\"\u007f]/;

function refuseInjection(mail: OutgoingMail): void {
  const text = (field: string, value: string | null | undefined): void => {
    if (value && LINE_BREAKS.test(value)) throw new HeaderInjectionError(field);
  };
  const address = (field: string, value: string | null | undefined): void => {
    if (value && (LINE_BREAKS.test(value) || ADDRESS_BREAKS.test(value))) throw new HeaderInjectionError(field);
  };
  const id = (field: string, value: string | null | undefined): void => {
    if (value && !/^[^\s<>\p{Cc}]+$/u.test(value.replace(/^<|>$/g, ''))) throw new HeaderInjectionError(field);
  };
  address('from', mail.from.address);
  text('from', mail.from.name);
  for (const field of ['to', 'cc', 'bcc'] as const) for (const value of mail[field] ?? []) address(field, value);
  address('replyTo', mail.replyTo);
  text('subject', mail.subject);
  id('inReplyTo', mail.inReplyTo);
  for (const value of mail.references ?? []) id('references', value);
  id('messageId', mail.messageId);
  for (const attachment of mail.attachments ?? []) {
    text('attachments.filename', attachment.filename);
    text('attachments.contentType', attachment.contentType);
    id('attachments.contentId', attachment.contentId);
  }
}

/** An object, because a bare string would be parsed as a list. */
const mailbox = (address: string): { address: string; name: string } => ({ address, name: '' });

const bracketed = (id: string): string => `<${id.replace(/^<|>$/g, '')}>`;

/** RFC 5322 2.1.1: no line of a message may be longer, its CRLF not counted. */
const LINE_CHARS_MAX = 998;

type MimeNode = ReturnType<MailComposer['compile']>;

/** Whether a text can be sent as it is. */
const isPlain = (content: string): boolean =>
  content !== '' &&
  /^[\t\r\n\x20-\x7e]*$/.test(content) &&
  content.split('\r\n').every((line) => line.length <= LINE_CHARS_MAX);

const bodyPart = (content: string): string | { content: string; contentTransferEncoding: '7bit' } =>
  isPlain(content) ? { content, contentTransferEncoding: '7bit' } : content;

/**
 * ASCII text in lines of a legal length is not encoded: a link in it can be read, and copied, from the raw message. The
 * library would encode any line over 76 characters. It chooses the encoding of everything else.
 */
function keepPlain(node: MimeNode, bodies: ReadonlySet<unknown>): void {
  if (bodies.has(node.content)) node.getTransferEncoding = () => '7bit';
  for (const child of node.childNodes) keepPlain(child, bodies);
}

/** CRLF line ends; a lone CR would become a line end in transit and break the DKIM signature. */
const bodyText = (text: string): string =>
  text
    .replaceAll('\0', '')
    .toWellFormed()
    .replace(/\r\n|\r|\n/g, '\r\n');
