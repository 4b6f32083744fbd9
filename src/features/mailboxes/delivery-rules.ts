import { iso } from '../../kernel/clock.ts';
import type { NewEvent } from '../../kernel/events.ts';
import type { Findings } from '../../kernel/findings.ts';
import { newId } from '../../kernel/ids.ts';
import type { MailAuth } from '../../kernel/mail-auth.ts';
import type { Tx } from '../../kernel/transaction.ts';
import type { ParsedMail } from '../../mail/parsed-mail.ts';
import { snippetOf } from '../../mail/reply-text.ts';
import { linkKindsOf, masked } from '../../mail/screening/findings.ts';
import { safetyOf } from '../../mail/screening/verdict-rules.ts';
import { type Address, addToCounters } from '../addresses/address-rules.ts';
import { createSealer } from '../e2e/e2e-rules.ts';
import type { Content, ContentState, StoredAttachment } from './content-data.ts';
import { insertAttachments, insertContent } from './content-store.ts';
import { codeOf } from './finding-rules.ts';
import { type Envelope, type Message, newMessage } from './message-data.ts';
import { insertMessage, showMessage } from './message-store.ts';
import { indexMessage, nextSearchDoc, searchWordsOf } from './search-rules.ts';
import { addSender } from './sender-store.ts';
import { changeThread, threadFor } from './threading-rules.ts';

/** A mail to deliver into inboxes: its bytes, and what they say. */
export interface DeliverableMail {
  envelopeFrom: string;
  raw: Uint8Array;
  parsed: ParsedMail;
  auth: MailAuth;
}

/** What the copies of a mail share: the content of the readable ones, and how many are delivered at a time. */
export interface Shared {
  contentId: string | null;
  copies: number;
}

/** A mail that was accepted before it was parsed. */
export interface RevealedMail {
  parsed: ParsedMail;
  auth: MailAuth;
  copies: number;
}

const stateOf = (mail: ParsedMail): ContentState => (mail.parsed ? 'parsed' : 'failed');

const storedAttachments = (mail: ParsedMail): StoredAttachment[] =>
  mail.attachments.map(({ filename, contentType, contentId, size, content }) => ({
    filename: filename || null,
    contentType,
    contentId,
    sizeBytes: size,
    content,
  }));

const addressesOf = (mailboxes: readonly { address: string }[]): string[] => mailboxes.map(({ address }) => address);

/** What the headers say, with the envelope's sender when there is no From header. */
export function envelopeOf(mail: ParsedMail, envelopeFrom: string): Omit<Envelope, 'threadId'> {
  return {
    rfcMessageId: mail.rfcMessageId,
    fromAddress: mail.from?.address ?? envelopeFrom,
    fromName: mail.from?.name || null,
    recipients: { to: addressesOf(mail.to), cc: addressesOf(mail.cc), reply_to: addressesOf(mail.replyTo) },
    subject: mail.subject,
    snippet: snippetOf(mail.visibleText ?? mail.text),
    inReplyTo: mail.inReplyTo,
    references: mail.references,
    sentAt: mail.date,
    attachments: mail.attachments.length,
  };
}

/** The participants that a mail adds to its conversation. */
export const participantsOf = (mail: Pick<ParsedMail, 'from' | 'to' | 'cc'>): string[] =>
  addressesOf([...(mail.from ? [mail.from] : []), ...mail.to, ...mail.cc]);

/** Updates the counters for a copy that is now visible. @returns its event */
async function count(tx: Tx, message: Message, findings: Findings | null, now: number): Promise<NewEvent> {
  const { accountId, address, id, fromAddress, recipients, subject, snippet, receivedAt } = message;
  await addToCounters(tx, address, 1, 1);
  const latest = { at: receivedAt, snippet, people: [fromAddress, ...recipients.to, ...recipients.cc] };
  await changeThread(tx, message.threadId, { messages: 1, received: 1, unread: 1, latest });
  // Whoever reads events may not be allowed to read mail.
  const data = {
    address,
    message_id: id,
    from: fromAddress,
    subject: masked(subject, findings),
    received_at: iso(receivedAt),
    snippet: masked(snippet, findings),
    has_code: !message.encryption && codeOf(findings, message.auth) !== null,
    link_kinds: message.encryption ? [] : linkKindsOf(findings),
  };
  return { accountId, type: 'email.received', data, now };
}

const NOT_SCREENED = { safetyVerdict: null, safetySignals: null };

/** Judges a mail for the account that gets it, and remembers the sender. */
async function screened(
  tx: Tx,
  { parsed, auth, accountId, from }: { parsed: ParsedMail; auth: MailAuth; accountId: string; from: string },
  now: number,
): Promise<Pick<Message, 'safetyVerdict' | 'safetySignals'>> {
  const isFirstContact = await addSender(tx, accountId, from, now);
  const { verdict, signals } = safetyOf(parsed.findings, { auth, isFirstContact });
  return { safetyVerdict: verdict, safetySignals: signals };
}

/** The content of a parsed mail, readable. */
const contentOf = ({ raw, parsed }: DeliverableMail, copies: number, now: number): Content => ({
  id: newId('mail', now),
  state: stateOf(parsed),
  raw,
  sizeBytes: raw.length,
  text: parsed.text,
  html: parsed.html,
  copies,
  problem: parsed.problem,
  parseLeaseUntil: 0,
  createdAt: now,
  visibleText: parsed.visibleText,
  findings: parsed.findings,
});

/** Stores a parsed mail once for all readable copies. @returns the content's id for {@link deliver} */
export async function keepContent(tx: Tx, mail: DeliverableMail, copies: number, now: number): Promise<string> {
  const content = contentOf(mail, copies, now);
  await insertContent(tx, content);
  await insertAttachments(tx, content.id, storedAttachments(mail.parsed));
  return content.id;
}

/** Seals every part for one message. Nothing readable of it is stored. */
async function keepSealed(tx: Tx, mail: DeliverableMail, publicKey: string, messageId: string, now: number) {
  const sealer = createSealer(publicKey, messageId);
  const content = contentOf(mail, 1, now);
  const { text, html } = mail.parsed;
  await insertContent(tx, {
    ...content,
    visibleText: null,
    findings: null,
    raw: sealer.seal(mail.raw),
    text: sealer.seal(text).toString('base64url'),
    html: html === null ? null : sealer.seal(html).toString('base64url'),
  });
  const attachments = storedAttachments(mail.parsed).map((file) => ({ ...file, content: sealer.seal(file.content) }));
  await insertAttachments(tx, content.id, attachments);
  return { contentId: content.id, encryption: sealer.encryption };
}

/**
 * Puts a copy into an inbox. It is sealed when the address has a key, else it points to the shared content. The caller
 * has locked the address. @returns the event, for the caller to append after all deliveries
 */
export async function deliver(
  tx: Tx,
  mail: DeliverableMail,
  { address, accountId, publicKey }: Address,
  shared: Shared,
  now: number,
): Promise<NewEvent> {
  const id = newId('msg', now);
  const sealed = publicKey === null ? null : await keepSealed(tx, mail, publicKey, id, now);
  const contentId = sealed?.contentId ?? shared.contentId ?? (await keepContent(tx, mail, 1, now));
  const envelope = envelopeOf(mail.parsed, mail.envelopeFrom);
  const threadId = await threadFor(tx, { ...envelope, accountId, address, now });
  const message = newMessage({
    ...envelope,
    snippet: sealed ? '' : envelope.snippet,
    id,
    accountId,
    address,
    contentId,
    threadId,
    envelopeFrom: mail.envelopeFrom,
    auth: mail.auth,
    encryption: sealed?.encryption ?? null,
    sizeBytes: mail.raw.length,
    visible: true,
    receivedAt: now,
    // A sealed message is never indexed, because its words would be readable there.
    searchDoc: sealed ? null : await nextSearchDoc(tx, now),
    ...(sealed
      ? NOT_SCREENED
      : await screened(tx, { parsed: mail.parsed, auth: mail.auth, accountId, from: envelope.fromAddress }, now)),
  });
  await insertMessage(tx, message);
  if (!sealed) await indexMessage(tx, message, searchWordsOf(mail.parsed, shared.copies));
  return count(tx, message, mail.parsed.findings, now);
}

/** Makes a copy visible that was accepted before it was parsed. The caller does as for {@link deliver}. */
export async function reveal(
  tx: Tx,
  message: Message,
  { parsed, auth, copies }: RevealedMail,
  now: number,
): Promise<NewEvent> {
  const headers = envelopeOf(parsed, message.envelopeFrom);
  const { accountId, address, receivedAt } = message;
  const threadId = await threadFor(tx, { ...headers, accountId, address, now: receivedAt });
  const safety = await screened(tx, { parsed, auth, accountId, from: headers.fromAddress }, receivedAt);
  const searchDoc = await nextSearchDoc(tx, receivedAt);
  const shown = { ...message, ...headers, ...safety, threadId, auth, searchDoc };
  await showMessage(tx, shown);
  await indexMessage(tx, shown, searchWordsOf(parsed, copies));
  return count(tx, shown, parsed.findings, now);
}
