import { ApiError, invalidField } from '../../../api/errors.ts';
import { limitReached } from '../../../api/metering/limit-reached.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader } from '../../../api/transaction.ts';
import { base32, isId } from '../../../base/ids.ts';
import { randomBase62 } from '../../../base/secret.ts';
import { agentAddress, domainOf, parseMailbox } from '../../../mail/address/mail-address.ts';
import { composeMail, HeaderInjectionError, newMessageId } from '../../../mail/mime/compose.ts';
import { emptyMail, type ParsedMail } from '../../../mail/mime/parsed-mail.ts';
import { secretsIn } from '../../../mail/screening/outgoing-secrets.ts';
import type { Address } from '../../account/addresses/address.ts';
import type { Written } from '../mailboxes/content/sealed-copy.ts';
import { findByRfcId, findMessage } from '../mailboxes/messages/message.ts';
import { changedMetadata, type MetadataPatch } from '../mailboxes/messages/message-metadata.ts';
import type { Metadata } from '../mailboxes/messages/message-metadata-schema.ts';
import type { Message } from '../mailboxes/messages/message-table.ts';
import type { OutboxDeps } from './outbox-deps.ts';

export interface SendRequest {
  /** An address of the caller. */
  from: Address;
  to: readonly string[];
  cc: readonly string[];
  bcc: readonly string[];
  replyTo: string | null;
  subject: string;
  text: string | null;
  html: string | null;
  inReplyTo: string | null;
  references: readonly string[];
  attachments: readonly { filename: string; contentType: string; content: Buffer }[];
  /** When it was written, if that was before now, milliseconds. */
  writtenAt?: number;
  /** An invitation, or the answer to one (RFC 6047). */
  calendar?: { method: string; content: string };
  /** What the sender notes about it. */
  metadata?: MetadataPatch;
  /** Gives recipients on other services a link to unsubscribe (RFC 8058). */
  unsubscribe?: boolean | undefined;
}

/** A request with these fields and defaults for all others. */
export const plainRequest = (from: Address, to: readonly string[], subject: string): SendRequest => ({
  from,
  to,
  subject,
  cc: [],
  bcc: [],
  replyTo: null,
  text: null,
  html: null,
  inReplyTo: null,
  references: [],
  attachments: [],
});

/** A mail that is composed and checked, but not sent yet. */
export interface Draft {
  request: SendRequest;
  recipients: string[];
  rfcMessageId: string;
  inReplyTo: string | null;
  references: string[];
  /** The message that the mail answers, if we have it. It may have no Message-ID to find it by. */
  parent: Pick<Message, 'id' | 'threadId' | 'fromAddress' | 'recipients'> | null;
  /** The kinds of well-known secrets in it. */
  secrets: string[];
  raw: Buffer;
  parsed: ParsedMail;
  metadata: Metadata | null;
  /** What of it is in the database already. */
  written?: Written;
}

/** Parses the mailboxes of a field, in their order. A bare name means an address on the mail domain. */
function mailboxes(list: readonly string[], field: string, mailDomain: string): string[] {
  return list.map((text, i) => {
    // Trims spaces only: a line break at the end is a header injection, and must be refused.
    const trimmed = text.replace(/^ +| +$/g, '');
    const mailbox = trimmed.includes('@') ? parseMailbox(trimmed) : agentAddress(trimmed, mailDomain);
    if (mailbox === null) {
      const path = list.length === 1 ? `/body/${field}` : `/body/${field}/${i}`;
      const message = `${JSON.stringify(text.slice(0, 100))} is not an email address.`;
      throw new ApiError('invalid_recipient', { message, details: [{ path, code: 'invalid_format', message }] });
    }
    return mailbox;
  });
}

/** Whether we may write an id into a header: senders put anything between the brackets (RFC 5322 3.6.4). */
const isHeaderId = (id: string): boolean => /^<[^\s<>\p{Cc}]+>$/u.test(id);

/**
 * The headers of an answer. `in_reply_to` names a message that we have by either of its ids, or any other message by its
 * Message-ID, which is not checked.
 */
async function ancestryOf(
  reader: Reader,
  request: SendRequest,
): Promise<Pick<Draft, 'inReplyTo' | 'references' | 'parent'>> {
  const { inReplyTo, from } = request;
  if (inReplyTo === null) return { inReplyTo: null, references: [...request.references], parent: null };
  const bracketed = inReplyTo.startsWith('<') ? inReplyTo : `<${inReplyTo}>`;
  const parent: Message | null = isId('msg', inReplyTo)
    ? await findMessage(reader, from.address, inReplyTo)
    : await findByRfcId(reader, from.address, bracketed);
  if (!parent) {
    if (inReplyTo.startsWith('msg_'))
      throw invalidField(
        '/body/in_reply_to',
        'not_found',
        'in_reply_to does not name a message in the inbox of the sender.',
      );
    const references = request.references.length > 0 ? [...request.references] : [bracketed];
    return { inReplyTo: bracketed, references, parent: null };
  }
  const { rfcMessageId: parentId } = parent;
  const known = [...parent.references.slice(-98), ...(parentId === null ? [] : [parentId])].filter(isHeaderId);
  return { inReplyTo: parentId !== null && isHeaderId(parentId) ? parentId : null, references: known, parent };
}

/**
 * The mail as our own recipients read it, taken from the request so that it need not be parsed.
 * @throws ApiError for HTML without a text that cannot be read: secrets in it could not be found
 */
async function asParsed(
  { readWritten }: Pick<OutboxDeps, 'readWritten'>,
  draft: Omit<Draft, 'parsed' | 'raw' | 'secrets' | 'metadata'>,
  to: string[],
  cc: string[],
  date: string,
): Promise<ParsedMail> {
  const { request } = draft;
  const { accountId, address, displayName } = request.from;
  const named = (each: string) => ({ address: each, name: '' });
  const mail = {
    ...emptyMail(),
    rfcMessageId: draft.rfcMessageId,
    from: { address, name: displayName ?? '' },
    to: to.map(named),
    cc: cc.map(named),
    replyTo: request.replyTo === null ? [] : [named(request.replyTo)],
    subject: request.subject,
    date,
    inReplyTo: draft.inReplyTo,
    references: draft.references,
    attachments: [...calendarFile(request), ...request.attachments].map(({ filename, contentType, content }) => ({
      filename,
      contentType,
      size: content.length,
      contentId: null,
      disposition: 'attachment',
      content: new Uint8Array(content.buffer as ArrayBuffer, content.byteOffset, content.length),
    })),
  };
  const written = { ...mail, text: request.text, html: request.html };
  const read = await readWritten(written, { network: accountId, addresses: [address] });
  if (!read.parsed && request.text === null)
    throw invalidField('/body/html', 'unreadable', 'The HTML takes too long to read. Simplify it, or send text too.');
  return { ...mail, ...read, hasPlainText: request.text !== null };
}

/** The part of an invitation, as the parser would find it. */
const calendarFile = ({ calendar }: SendRequest): SendRequest['attachments'] =>
  calendar === undefined
    ? []
    : [{ filename: 'invite.ics', contentType: 'text/calendar', content: Buffer.from(calendar.content) }];

/**
 * Checks a request and composes its mail. Writes nothing.
 * @throws ApiError 400 naming the field, `too_many_recipients`, `metadata_too_large`, or `secret_in_mail` for a key of this service
 */
export async function composeDraft(
  deps: Pick<OutboxDeps, 'database' | 'mailDomain' | 'readWritten'>,
  request: SendRequest,
  principal: Pick<Principal, 'limits'>,
  now: number,
): Promise<Draft> {
  const { database, mailDomain } = deps;
  const to = mailboxes(request.to, 'to', mailDomain);
  const cc = mailboxes(request.cc, 'cc', mailDomain);
  const bcc = mailboxes(request.bcc, 'bcc', mailDomain);
  const recipients = requireRecipients([...to, ...cc, ...bcc], mailDomain, principal);
  const { inReplyTo, references, parent } = await ancestryOf(database, request);
  const replyTo = request.replyTo === null ? null : (mailboxes([request.replyTo], 'reply_to', mailDomain)[0] as string);
  // By time, so that the indexes of these ids grow at their end: elsewhere each mail would write another page.
  const rfcMessageId = newMessageId(`${base32(now, 10)}${randomBase62(22)}`, mailDomain);
  const date = new Date(now);
  const raw = await compose({
    to,
    cc,
    bcc,
    replyTo,
    inReplyTo,
    references,
    date,
    from: { address: request.from.address, name: request.from.displayName ?? '' },
    subject: request.subject,
    text: request.text ?? '',
    html: request.html,
    messageId: rfcMessageId,
    attachments: request.attachments,
    calendar: request.calendar,
  });
  const draft = { request, recipients, rfcMessageId, inReplyTo, references, parent };
  const parsed = await asParsed(deps, draft, to, cc, date.toISOString());
  const metadata = changedMetadata(null, request.metadata);
  const secrets = await secretsOf(request, recipients, request.text ?? parsed.text);
  return { ...draft, metadata, secrets, raw, parsed };
}

/** The kinds of secrets in a mail, wherever its sender chose the text. @throws ApiError `secret_in_mail` */
async function secretsOf(request: SendRequest, recipients: readonly string[], text: string): Promise<string[]> {
  const { from, subject, html, replyTo, inReplyTo, references, attachments, calendar } = request;
  const named = attachments.flatMap(({ filename, contentType }) => [filename, contentType]);
  // Long lines are folded (RFC 5545 3.1), which would split a secret.
  const invitation = (calendar?.content ?? '').replace(/\r?\n[ \t]/g, '');
  const headers = [subject, from.displayName ?? '', replyTo ?? '', inReplyTo ?? '', ...references, ...recipients];
  const texts = [...headers, text, html ?? '', invitation, ...named];
  return foreignSecrets(
    texts,
    attachments.map(({ content }) => content),
  );
}

/** The kinds of secrets in texts and files of a mail. @throws ApiError `secret_in_mail`: it is one of this service */
export async function foreignSecrets(texts: readonly string[], files: readonly Buffer[]): Promise<string[]> {
  const found = await secretsIn(texts, files);
  if (found.own)
    throw new ApiError('secret_in_mail', { message: 'The email contains a key of this service. Remove it.' });
  return found.kinds;
}

/** Removes duplicates. Our own addresses ignore case; for others, only their mail server may decide that. */
function distinct(addresses: readonly string[], mailDomain: string): string[] {
  const fold = (address: string): string => (domainOf(address) === mailDomain ? address.toLowerCase() : address);
  return [...new Set(addresses.map(fold))];
}

/** The recipients of a mail, each once. @throws ApiError `too_many_recipients`, `invalid_request` for none */
export function requireRecipients(
  addresses: readonly string[],
  mailDomain: string,
  { limits: { recipients_per_send: max } }: Pick<Principal, 'limits'>,
): string[] {
  const recipients = distinct(addresses, mailDomain);
  const used = recipients.length;
  if (used === 0) throw invalidField('/body/to', 'too_few', 'Name at least one recipient.');
  if (used <= max) return recipients;
  const message = `An email can have at most ${max} recipients.`;
  throw limitReached('recipients_per_send', { used, max }, { fields: { limit: max }, message });
}

/** @throws ApiError `invalid_request` naming the field that would inject a header */
async function compose(mail: Parameters<typeof composeMail>[0]): Promise<Buffer> {
  try {
    return await composeMail(mail);
  } catch (err) {
    if (!(err instanceof HeaderInjectionError)) throw err;
    const field = snakeCase(err.field);
    const message = `${field} must not contain line breaks or other control characters.`;
    throw invalidField(`/body/${field}`, 'invalid_text', message);
  }
}

const snakeCase = (field: string): string =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll('.', '/');
