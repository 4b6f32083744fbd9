import { ApiError, invalidField } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { limitReached } from '../../kernel/limit-reached.ts';
import type { Limits } from '../../kernel/limits.ts';
import { agentAddress, domainOf, parseMailbox } from '../../kernel/mail-address.ts';
import type { Principal } from '../../kernel/principal.ts';
import { randomBase62 } from '../../kernel/secret.ts';
import type { Reader } from '../../kernel/transaction.ts';
import { composeMail, HeaderInjectionError, newMessageId } from '../../mail/compose.ts';
import { htmlToText } from '../../mail/html-text.ts';
import { emptyMail, MAIL_LIMITS, type ParsedMail } from '../../mail/parsed-mail.ts';
import type { Address } from '../addresses/address-rules.ts';
import type { Message } from '../mailboxes/message-data.ts';
import { findByRfcId, findMessage } from '../mailboxes/message-rules.ts';

export interface SendRequest {
  /** In the service's own form, owned by the caller. */
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
}

/** A request with nothing but the essentials. */
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

/** A mail composed and checked, not yet sent. */
export interface Draft {
  request: SendRequest;
  recipients: string[];
  rfcMessageId: string;
  inReplyTo: string | null;
  references: string[];
  /** The thread of the message answered to, when it is one we hold: it may have no Message-ID to find it by. */
  parentThreadId: string | null;
  raw: Buffer;
  parsed: ParsedMail;
}

/** Mailboxes of a field, each checked, in the order given. A bare name means an address on the mail domain. */
function mailboxes(list: readonly string[], field: string, mailDomain: string): string[] {
  return list.map((text, i) => {
    // Before spaces are taken off: a line break at the end is an injection that failed, not a slip.
    const trimmed = text.replace(/^ +| +$/g, '');
    const mailbox = trimmed.includes('@') ? parseMailbox(trimmed) : agentAddress(trimmed, mailDomain);
    if (mailbox === null) {
      const path = list.length === 1 ? `/body/${field}` : `/body/${field}/${i}`;
      const message = `${JSON.stringify(text.slice(0, 100))} is not an e-mail address.`;
      throw new ApiError('invalid_recipient', { message, details: [{ path, code: 'invalid_format', message }] });
    }
    return mailbox;
  });
}

/** Whether an id can be written again: strangers put anything between the brackets (RFC 5322 3.6.4). */
const isHeaderId = (id: string): boolean => /^<[^\s<>\p{Cc}]+>$/u.test(id);

/** The Message-ID and ancestors to answer to: of a message we hold, by either of its ids, or an id taken on trust. */
async function ancestryOf(
  reader: Reader,
  request: SendRequest,
): Promise<Pick<Draft, 'inReplyTo' | 'references' | 'parentThreadId'>> {
  const { inReplyTo, from } = request;
  if (inReplyTo === null) return { inReplyTo: null, references: [...request.references], parentThreadId: null };
  const bracketed = inReplyTo.startsWith('<') ? inReplyTo : `<${inReplyTo}>`;
  const parent: Message | null = isId('msg', inReplyTo)
    ? await findMessage(reader, from.address, inReplyTo)
    : await findByRfcId(reader, from.address, bracketed);
  if (!parent) {
    if (inReplyTo.startsWith('msg_'))
      throw invalidField('/body/in_reply_to', 'not_found', 'in_reply_to names no message in the inbox of the sender.');
    const references = request.references.length > 0 ? [...request.references] : [bracketed];
    return { inReplyTo: bracketed, references, parentThreadId: null };
  }
  const { rfcMessageId: parentId, threadId: parentThreadId } = parent;
  const known = [...parent.references.slice(-98), ...(parentId === null ? [] : [parentId])].filter(isHeaderId);
  return { inReplyTo: parentId !== null && isHeaderId(parentId) ? parentId : null, references: known, parentThreadId };
}

/** What our own recipients read: the parts as they were given, so that nothing need be parsed back. */
function asParsed(draft: Omit<Draft, 'parsed' | 'raw'>, to: string[], cc: string[], date: string): ParsedMail {
  const { request } = draft;
  const named = (address: string) => ({ address, name: '' });
  return {
    ...emptyMail(),
    parsed: true,
    rfcMessageId: draft.rfcMessageId,
    from: named(request.from.address),
    to: to.map(named),
    cc: cc.map(named),
    replyTo: request.replyTo === null ? [] : [named(request.replyTo)],
    subject: request.subject,
    date,
    inReplyTo: draft.inReplyTo,
    references: draft.references,
    text: request.text ?? htmlToText(request.html ?? '', MAIL_LIMITS.textBytes),
    html: request.html,
    attachments: request.attachments.map(({ filename, contentType, content }) => ({
      filename,
      contentType,
      size: content.length,
      contentId: null,
      disposition: 'attachment',
      content: new Uint8Array(content),
    })),
  };
}

/** What composing depends on. */
export interface DraftDeps {
  limits: Limits;
  mailDomain: string;
}

export interface DraftRules {
  /** Checks and composes; writes nothing. @throws ApiError 400 naming the field */
  compose(reader: Reader, request: SendRequest, principal: Principal, now: number): Promise<Draft>;
}

export function createDraftRules({ limits, mailDomain }: DraftDeps): DraftRules {
  async function compose(reader: Reader, request: SendRequest, principal: Principal, now: number): Promise<Draft> {
    const to = mailboxes(request.to, 'to', mailDomain);
    const cc = mailboxes(request.cc, 'cc', mailDomain);
    const bcc = mailboxes(request.bcc, 'bcc', mailDomain);
    // Our own addresses know no case; elsewhere only the recipient's host may say.
    const fold = (address: string): string => (domainOf(address) === mailDomain ? address.toLowerCase() : address);
    const recipients = [...new Set([...to, ...cc, ...bcc].map(fold))];
    const limit = limits[principal.tier].recipients_per_send;
    if (recipients.length === 0) throw invalidField('/body/to', 'too_few', 'Name at least one recipient.');
    if (recipients.length > limit)
      throw limitReached(
        'recipients_per_send',
        { used: recipients.length, max: limit },
        { facts: { limit }, message: `At most ${limit} recipients a mail.` },
      );
    const { inReplyTo, references, parentThreadId } = await ancestryOf(reader, request);
    const rfcMessageId = newMessageId(randomBase62(32), mailDomain);
    const date = new Date(now);
    try {
      const replyTo =
        request.replyTo === null ? null : (mailboxes([request.replyTo], 'reply_to', mailDomain)[0] as string);
      const text = request.text ?? '';
      const { subject, html } = request;
      const from = { address: request.from.address };
      const raw = await composeMail({
        from,
        to,
        cc,
        bcc,
        replyTo,
        subject,
        text,
        html,
        inReplyTo,
        references,
        messageId: rfcMessageId,
        date,
        attachments: request.attachments,
      });
      const draft = { request, recipients, rfcMessageId, inReplyTo, references, parentThreadId };
      return { ...draft, raw, parsed: asParsed(draft, to, cc, date.toISOString()) };
    } catch (err) {
      if (!(err instanceof HeaderInjectionError)) throw err;
      throw invalidField(
        `/body/${snakeCase(err.field)}`,
        'invalid_text',
        `${snakeCase(err.field)} must not contain line breaks or other control characters.`,
      );
    }
  }

  return { compose };
}

const snakeCase = (field: string): string =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll('.', '/');
