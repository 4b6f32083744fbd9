import { ApiError } from '../../kernel/errors.ts';
import type { AppendEvent } from '../../kernel/events.ts';
import { isId, newId } from '../../kernel/ids.ts';
import type { EnqueueJob } from '../../kernel/jobs.ts';
import { limitFacts } from '../../kernel/limit-reached.ts';
import type { Limits } from '../../kernel/limits.ts';
import { domainOf } from '../../kernel/mail-address.ts';
import { decodeCursor, pageOf } from '../../kernel/page.ts';
import { secondsUntil } from '../../kernel/period.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import { stripQuoted } from '../../mail/reply-text.ts';
import { findAccount, isOpen } from '../accounts/account-rules.ts';
import { type Address, type AddressRules, lockAddresses } from '../addresses/address-rules.ts';
import { type EmailQuota, takeEmailQuota } from '../limits/quota-rules.ts';
import { type DeliverableMail, type DeliveryRules, participantsOf } from '../mailboxes/delivery-rules.ts';
import { appendMailEvents, type MailEvent } from '../mailboxes/mail-event-rules.ts';
import type { MailboxRules } from '../mailboxes/mailbox-rules.ts';
import { insertOutbox, listOutbox, type OutboxEntry, snippetOfSent } from '../mailboxes/sent-rules.ts';
import { changeThread, findThread, threadFor } from '../mailboxes/threading-rules.ts';
import type { Offer, PayingCall, PaymentRules } from '../payments/payment-rules.ts';
import { ownerOfDomain } from '../stacks/stack-rules.ts';
import type { Draft } from './draft-rules.ts';
import { endFacts, verdictOf } from './outcome-rules.ts';

export type { OutboxEntry };

/** Which addresses a caller may send from. */
export type Senders = Pick<MailboxRules, 'sender'>;

export interface InternalRecipient {
  address: string;
  delivered: boolean;
  error: string | null;
}

export interface SentMail {
  entry: OutboxEntry;
  internalRecipients: InternalRecipient[];
  quota: EmailQuota;
  /** Of a mail over the limit. */
  paymentId: string | null;
}

/** What a request to send brings to pay with, should the mail be over the limit. */
export interface Postage {
  resource: string;
  offer: Offer | null;
}

export interface OutboxRules {
  /** Checks what the request brings to pay with. Outside the transaction: it may await the network. */
  postage(call: PayingCall, resource: string): Promise<Postage>;
  /** Delivers inside the house at once, queues the rest. @throws ApiError 402 over the e-mail limit */
  send(tx: Tx, draft: Draft, principal: Principal, postage: Postage, now: number): Promise<SentMail>;
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
  payments: PaymentRules;
  /** Provider that carries mail for recipients elsewhere. */
  provider: string;
  addresses: Pick<AddressRules, 'isServed'>;
  delivery: DeliveryRules;
  appendEvent: AppendEvent<Tx>;
  enqueueJob: EnqueueJob;
}

/** What a buyer is told they pay for. */
const POSTAGE = 'One e-mail over the limit';
/** Sorts behind every id in any collation of a database; punctuation would not. */
const BEYOND_ALL = `out_${'z'.repeat(26)}`;

/** Characters of a sent mail that its conversation shows. */
const EXCERPT_CHARS = 10_000;

const excerptOf = (text: string): string => stripQuoted(text).slice(0, EXCERPT_CHARS).toWellFormed();

export function createOutboxRules(deps: OutboxDeps): OutboxRules {
  const { limits, mailDomain, delivery, payments } = deps;

  /** Counts the mail, or has it paid for: a paid mail counts against no limit. */
  async function admit(tx: Tx, principal: Principal, { resource, offer }: Postage, now: number) {
    const verdict = await takeEmailQuota(tx, principal.quotaAccountId, limits[principal.tier], now);
    const { quota } = verdict;
    if (verdict.admitted) return { quota, paymentId: null };
    const facts = limitFacts(verdict.limit.name, verdict.limit, {
      rate_limit: { daily_remaining: quota.dailyRemaining, hourly_remaining: quota.hourlyRemaining },
    });
    const { paymentId } = await payments.collect(tx, offer, {
      accountId: principal.accountId,
      resource,
      description: POSTAGE,
      reason: verdict.reason,
      facts,
      retryAfterSeconds: secondsUntil(verdict.resetAt, now),
      now,
    });
    return { quota, paymentId };
  }

  /** An inbox that takes mail; one of a suspended account is as good as none, here as at the SMTP door. */
  async function receiver(tx: Tx, address: Address | undefined): Promise<Address | null> {
    const isServed = address !== undefined && (await deps.addresses.isServed(tx, address));
    const account = isServed ? await findAccount(tx, address.accountId) : null;
    return (await isOpen(tx, account)) ? (address as Address) : null;
  }

  /** Those whose mail stays in the house, as their addresses are kept, and the others. */
  async function sorted(tx: Tx, recipients: readonly string[]): Promise<{ inside: string[]; outside: string[] }> {
    const domains = new Set(recipients.map(domainOf));
    const here = new Set([mailDomain]);
    for (const domain of domains) if (!here.has(domain) && (await ownerOfDomain(tx, domain)) !== null) here.add(domain);
    const isHere = (recipient: string): boolean => here.has(domainOf(recipient));
    return {
      inside: [...new Set(recipients.filter(isHere).map((recipient) => recipient.toLowerCase()))],
      outside: recipients.filter((recipient) => !isHere(recipient)),
    };
  }

  /** Copies for recipients of this service, in the sender's own transaction. */
  async function deliverInside(tx: Tx, mail: DeliverableMail, inside: readonly string[], waiting: number, now: number) {
    // The sender's too: its thread is about to change.
    const held = await lockAddresses(tx, [mail.envelopeFrom, ...inside]);
    const found: (Address | null)[] = [];
    for (const address of inside) found.push(await receiver(tx, held.get(address)));
    const open = found.filter((address) => address !== null && address.publicKey === null).length;
    // The outbox shares the content with the inboxes only while a copy has yet to leave.
    // Nothing readable is kept of a mail that one of the two sides keeps sealed.
    const isSealed = found.some((address) => address?.publicKey) || Boolean(held.get(mail.envelopeFrom)?.publicKey);
    const contentId = open + waiting > 0 ? await delivery.keepContent(tx, mail, open + waiting, now) : null;
    const results: InternalRecipient[] = [];
    const facts: MailEvent[] = [];
    for (const [i, address] of found.entries()) {
      if (address) facts.push(await delivery.deliver(tx, mail, address, { contentId, copies: inside.length }, now));
      const error = address ? null : 'There is no such address.';
      results.push({ address: inside[i] as string, delivered: address !== null, error });
    }
    return { contentId, isSealed, results, facts };
  }

  async function send(tx: Tx, draft: Draft, principal: Principal, postage: Postage, now: number): Promise<SentMail> {
    const { request, recipients, rfcMessageId, inReplyTo, references, parentThreadId, raw, parsed } = draft;
    const { address, accountId } = request.from;
    const { quota, paymentId } = await admit(tx, principal, postage, now);
    const id = newId('out', now);
    const { inside, outside } = await sorted(tx, recipients);
    // It may have been deleted, with its last message, since the mail was composed.
    const parent = parentThreadId === null ? null : await findThread(tx, parentThreadId);
    const threadId =
      parent?.id ?? (await threadFor(tx, { accountId, address, inReplyTo, references, subject: request.subject, now }));
    const auth = { method: 'internal', spf: null, dkim: null, dmarc: null, verified_from: true } as const;
    const mail: DeliverableMail = { envelopeFrom: address, raw, parsed, auth };
    const { contentId, isSealed, results, facts } = await deliverInside(
      tx,
      mail,
      inside,
      outside.length > 0 ? 1 : 0,
      now,
    );
    const outcomes = results.map(({ address: recipient, error }) => ({ address: recipient, providerId: null, error }));
    const { status, error } = outside.length > 0 ? { status: 'pending' as const, error: null } : verdictOf(outcomes);
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
      error: status === 'failed' ? 'None of the recipients exists.' : error,
      queuedAt: now,
      sentAt: status === 'sent' ? now : null,
      outcomes,
      excerpt: isSealed ? null : excerptOf(parsed.text),
    };
    await insertOutbox(tx, entry);
    const snippet = snippetOfSent(entry);
    await changeThread(tx, threadId, { messages: 1, latest: { at: now, snippet, people: participantsOf(parsed) } });
    if (outside.length > 0) await deps.enqueueJob(tx, { kind: 'mail.outbound', payload: { outboxId: id }, runAt: now });
    else facts.push(...endFacts(entry, now));
    await appendMailEvents(tx, deps.appendEvent, facts);
    return { entry, internalRecipients: results, quota, paymentId };
  }

  return {
    postage: async (call, resource) => ({
      resource,
      offer: await payments.offered(call, { resource, description: POSTAGE }),
    }),
    send,
    list: async (reader, accountId, cursor, limit) => {
      const before = cursor === undefined ? BEYOND_ALL : decodeCursor(cursor, ['string'])?.[0];
      if (!isId('out', String(before))) throw new ApiError('invalid_cursor');
      const rows = await listOutbox(reader, accountId, String(before), limit + 1);
      const page = pageOf(rows, limit, (entry) => [entry.id]);
      return { entries: page.rows, nextCursor: page.nextCursor };
    },
  };
}
