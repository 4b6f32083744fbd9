import { ApiError, invalidField } from '../../kernel/errors.ts';
import type { AppendEvent } from '../../kernel/events.ts';
import { isId, newId } from '../../kernel/ids.ts';
import type { EnqueueJob } from '../../kernel/jobs.ts';
import type { Limits } from '../../kernel/limits.ts';
import { domainOf, parseMailbox } from '../../kernel/mail-address.ts';
import { decodeCursor, pageOf } from '../../kernel/page.ts';
import { secondsUntil } from '../../kernel/period.ts';
import type { Principal } from '../../kernel/principal.ts';
import { randomBase62 } from '../../kernel/secret.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import { composeMail, HeaderInjectionError, newMessageId } from '../../mail/compose.ts';
import type { ParsedMail } from '../../mail/parsed-mail.ts';
import { emptyMail } from '../../mail/parsed-mail.ts';
import { type Address, findAddress } from '../addresses/address-rules.ts';
import { type EmailQuota, takeEmailQuota } from '../limits/quota-rules.ts';
import { paymentRequired } from '../payments/payment-rules.ts';
import type { DeliverableMail, DeliveryRules } from './delivery-rules.ts';
import type { Message } from './message-data.ts';
import { findByRfcId, findMessage } from './message-store.ts';
import { insertOutbox, listOutbox, type OutboxEntry } from './outbox-store.ts';
import { threadFor } from './thread-rules.ts';
import { addToThread } from './thread-store.ts';

export type { OutboxEntry };

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
  raw: Buffer;
  parsed: ParsedMail;
}

export interface InternalRecipient {
  address: string;
  delivered: boolean;
  error: string | null;
}

export interface SentMail {
  entry: OutboxEntry;
  internalRecipients: InternalRecipient[];
  quota: EmailQuota;
}

export interface OutboxRules {
  /** Checks and composes; writes nothing. @throws ApiError 400 naming the field */
  compose(reader: Reader, request: SendRequest, principal: Principal, now: number): Promise<Draft>;
  /** Delivers inside the house at once, queues the rest. @throws ApiError 402 over the e-mail limit */
  send(tx: Tx, draft: Draft, principal: Principal, resource: string, now: number): Promise<SentMail>;
  list(
    reader: Reader,
    accountId: string,
    cursor: string | undefined,
    limit: number,
  ): Promise<{ entries: OutboxEntry[]; nextCursor: string | null }>;
}

export interface OutboxDeps {
  limits: Limits;
  mailDomain: string;
  payTo: string;
  /** Provider that carries mail for recipients elsewhere. */
  provider: string;
  delivery: DeliveryRules;
  appendEvent: AppendEvent<Tx>;
  enqueueJob: EnqueueJob;
}

/** Mailboxes of a field, each checked, in the order given. */
function mailboxes(list: readonly string[], field: string): string[] {
  return list.map((text, i) => {
    const mailbox = parseMailbox(text.trim());
    if (mailbox === null) {
      const path = `/body/${field}/${i}`;
      const message = `${JSON.stringify(text.slice(0, 100))} is not an e-mail address.`;
      throw new ApiError('invalid_recipient', { message, details: [{ path, code: 'invalid_format', message }] });
    }
    return mailbox;
  });
}

/** The Message-ID and ancestors to answer to: of a message we hold, by either of its ids, or an id taken on trust. */
async function ancestryOf(
  reader: Reader,
  request: SendRequest,
): Promise<{ inReplyTo: string | null; references: string[] }> {
  const { inReplyTo, from } = request;
  if (inReplyTo === null) return { inReplyTo: null, references: [...request.references] };
  const bracketed = inReplyTo.startsWith('<') ? inReplyTo : `<${inReplyTo}>`;
  const parent: Message | null = isId('msg', inReplyTo)
    ? await findMessage(reader, from.address, inReplyTo)
    : await findByRfcId(reader, from.address, bracketed);
  if (!parent) {
    if (isId('msg', inReplyTo))
      throw invalidField('/body/in_reply_to', 'not_found', 'in_reply_to names no message in the inbox of the sender.');
    return { inReplyTo: bracketed, references: request.references.length > 0 ? [...request.references] : [bracketed] };
  }
  const parentId = parent.rfcMessageId;
  if (parentId === null) return { inReplyTo: null, references: [] };
  return { inReplyTo: parentId, references: [...parent.references.slice(-98), parentId] };
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
    text: request.text ?? '',
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

export function createOutboxRules(deps: OutboxDeps): OutboxRules {
  const { limits, mailDomain, delivery } = deps;

  async function compose(reader: Reader, request: SendRequest, principal: Principal, now: number): Promise<Draft> {
    const to = mailboxes(request.to, 'to');
    const cc = mailboxes(request.cc, 'cc');
    const bcc = mailboxes(request.bcc, 'bcc');
    // Our own addresses know no case; elsewhere only the recipient's host may say.
    const fold = (address: string): string => (domainOf(address) === mailDomain ? address.toLowerCase() : address);
    const recipients = [...new Set([...to, ...cc, ...bcc].map(fold))];
    const limit = limits[principal.tier].recipients_per_send;
    if (recipients.length === 0) throw invalidField('/body/to', 'too_few', 'Name at least one recipient.');
    if (recipients.length > limit)
      throw new ApiError('too_many_recipients', { facts: { limit }, message: `At most ${limit} recipients a mail.` });
    const { inReplyTo, references } = await ancestryOf(reader, request);
    const rfcMessageId = newMessageId(randomBase62(32), mailDomain);
    const date = new Date(now);
    try {
      const replyTo = request.replyTo === null ? null : (mailboxes([request.replyTo], 'reply_to')[0] as string);
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
      const draft = { request, recipients, rfcMessageId, inReplyTo, references };
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

  async function takeQuota(tx: Tx, principal: Principal, resource: string, now: number): Promise<EmailQuota> {
    const verdict = await takeEmailQuota(tx, principal.quotaAccountId, limits[principal.tier], now);
    if (verdict.admitted) return verdict.quota;
    const { quota, reason, resetAt } = verdict;
    const facts = { rate_limit: { daily_remaining: quota.dailyRemaining, hourly_remaining: quota.hourlyRemaining } };
    throw paymentRequired({
      resource,
      description: 'One e-mail over the limit',
      payTo: deps.payTo,
      reason,
      facts,
      retryAfterSeconds: secondsUntil(resetAt, now),
    });
  }

  /** Copies for recipients on the mail domain, in the sender's own transaction. */
  async function deliverInside(tx: Tx, mail: DeliverableMail, inside: readonly string[], waiting: number, now: number) {
    const found: (Address | null)[] = [];
    for (const address of inside) found.push(await findAddress(tx, address));
    const open = found.filter((address) => address !== null && address.publicKey === null).length;
    // The outbox shares the content with the inboxes only while a copy has yet to leave.
    const contentId = open + waiting > 0 ? await delivery.keepContent(tx, mail, open + waiting, now) : null;
    const results: InternalRecipient[] = [];
    for (const [i, address] of found.entries()) {
      if (address) await delivery.deliver(tx, mail, address, contentId, now);
      const error = address ? null : 'There is no such address.';
      results.push({ address: inside[i] as string, delivered: address !== null, error });
    }
    return { contentId, results };
  }

  async function send(tx: Tx, draft: Draft, principal: Principal, resource: string, now: number): Promise<SentMail> {
    const { request, recipients, rfcMessageId, inReplyTo, references, raw, parsed } = draft;
    const { address, accountId } = request.from;
    const quota = await takeQuota(tx, principal, resource, now);
    const id = newId('out', now);
    const inside = recipients.filter((recipient) => domainOf(recipient) === mailDomain);
    const outside = recipients.filter((recipient) => domainOf(recipient) !== mailDomain);
    const threadId = await threadFor(tx, { accountId, address, inReplyTo, references, subject: request.subject, now });
    const auth = { method: 'internal', spf: null, dkim: null, dmarc: null, verified_from: true } as const;
    const mail: DeliverableMail = { envelopeFrom: address, raw, parsed, auth };
    const { contentId, results } = await deliverInside(tx, mail, inside, outside.length > 0 ? 1 : 0, now);
    const delivered = results.some((result) => result.delivered);
    const status = outside.length > 0 ? 'pending' : delivered ? 'sent' : 'failed';
    const entry: OutboxEntry = {
      id,
      accountId,
      address,
      contentId: outside.length > 0 ? contentId : null,
      threadId,
      rfcMessageId,
      recipients,
      externalRecipients: outside,
      subject: request.subject,
      status,
      provider: outside.length > 0 ? deps.provider : 'internal',
      providerId: outside.length > 0 ? null : rfcMessageId,
      error: status === 'failed' ? 'None of the recipients exists.' : null,
      queuedAt: now,
      sentAt: status === 'sent' ? now : null,
    };
    await insertOutbox(tx, entry);
    await addToThread(tx, threadId, { messages: 1, unread: 0, at: now });
    if (outside.length > 0) await deps.enqueueJob(tx, { kind: 'mail.outbound', payload: { outboxId: id }, runAt: now });
    else await appendOutcome(tx, entry, now);
    return { entry, internalRecipients: results, quota };
  }

  async function appendOutcome(tx: Tx, entry: OutboxEntry, now: number): Promise<void> {
    const { id, accountId, address: from, recipients: to, subject, provider, error } = entry;
    if (entry.status === 'sent')
      await deps.appendEvent(tx, { accountId, type: 'email.sent', data: { id, from, to, subject, provider }, now });
    else
      await deps.appendEvent(tx, {
        accountId,
        type: 'email.failed',
        data: { id, from, to, subject, error: error ?? '' },
        now,
      });
  }

  return {
    compose,
    send,
    list: async (reader, accountId, cursor, limit) => {
      const keys = cursor === undefined ? ['~'] : decodeCursor(cursor, ['string']);
      if (keys === null) throw new ApiError('invalid_cursor');
      const rows = await listOutbox(reader, accountId, keys[0] as string, limit + 1);
      const page = pageOf(rows, limit, (entry) => [entry.id]);
      return { entries: page.rows, nextCursor: page.nextCursor };
    },
  };
}

const snakeCase = (field: string): string =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll('.', '/');
