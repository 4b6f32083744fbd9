import type { NewEvent } from '../../../../api/events.ts';
import type { Tx } from '../../../../api/transaction.ts';
import { iso } from '../../../../base/clock.ts';
import { newId } from '../../../../base/ids.ts';
import type { ParsedMail } from '../../../../mail/mime/parsed-mail.ts';
import { snippetOf } from '../../../../mail/mime/reply-text.ts';
import type { Findings } from '../../../../mail/mime/screening-result.ts';
import { withoutInvisible } from '../../../../mail/screening/invisible-text.ts';
import { linkKindsOf, masked } from '../../../../mail/screening/mail-screening.ts';
import { safetyOf } from '../../../../mail/screening/verdict.ts';
import type { MailAuth } from '../../../../mail/sender-auth/mail-auth.ts';
import { type Address, addToCounters } from '../../../account/addresses/address.ts';
import { createSealer } from '../../../account/e2e/mail-sealer.ts';
import { policyFor } from '../../mail-policy/effective-policy.ts';
import { judge, mayReject } from '../../mail-policy/inbound-policy.ts';
import type { MailPolicy } from '../../mail-policy/mail-policy-table.ts';
import { isLarge, NOT_STAGED } from '../content/blob-pieces.ts';
import type { Content, ContentState, StoredAttachment } from '../content/content-table.ts';
import { addReferences, insertAttachments, insertContent } from '../content/mail-content.ts';
import type { SealedCopy, Written } from '../content/sealed-copy.ts';
import { insertQuarantined } from '../quarantine/quarantine-store.ts';
import { indexMessage, nextSearchDoc, searchWordsOf } from '../search/mail-search.ts';
import type { ThreadChange } from '../threads/thread-table.ts';
import { joinThread } from '../threads/threading.ts';
import { insertMessage, showMessage } from './message-store.ts';
import { type Envelope, type Message, type NewMessage, newMessage } from './message-table.ts';
import { codeOf } from './screened-mail.ts';
import { addSender } from './sender-store.ts';

/** A mail to deliver into inboxes: its bytes, and what they say. */
export interface DeliverableMail {
  envelopeFrom: string;
  /** Nothing, like the files, if {@link contentId} has it and no recipient gets it sealed. */
  raw: Uint8Array;
  sizeBytes: number;
  parsed: ParsedMail;
  auth: MailAuth;
  /** What of it is in the database already. */
  written?: Written;
  /** The content that has it already, readable, as of a mail that was held. The caller keeps it until the delivery. */
  contentId?: string;
}

/** What the copies of a mail share: the content of the readable ones, and how many are delivered at a time. */
export interface Shared {
  contentId: string | null;
  copies: number;
  /** Whose share of the storage the copies fill. */
  senderKey: string;
  /** The policy of the address, if the caller has read it. */
  policy?: MailPolicy;
}

/** A mail that was accepted before it was parsed. */
export interface RevealedMail {
  parsed: ParsedMail;
  auth: MailAuth;
  copies: number;
  senderKey: string | null;
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

/** How much of a text its snippet is looked for in. */
const SNIPPET_CHARS = 4096;

/**
 * Of the text part, as `body` shows it. Of what a person sees of the HTML where there is no such part, or where words that
 * no reader sees speak to models: lists must not bring these before one.
 */
function snippetIn({ text, hasPlainText, visibleText, findings }: ParsedMail): string {
  const isTrap = findings?.signals.some(({ name, where }) => name === 'instructions_to_models' && where === 'hidden');
  const isOwn = hasPlainText && !isTrap;
  const own = isOwn ? snippetOf(withoutInvisible(text.trimStart().slice(0, SNIPPET_CHARS)).text) : '';
  return own || snippetOf(visibleText ?? text);
}

/** What the headers say, with the envelope's sender when there is no From header. */
export function envelopeOf(mail: ParsedMail, envelopeFrom: string): Omit<Envelope, 'threadId'> {
  return {
    rfcMessageId: mail.rfcMessageId,
    fromAddress: mail.from?.address ?? envelopeFrom,
    fromName: mail.from?.name || null,
    recipients: { to: addressesOf(mail.to), cc: addressesOf(mail.cc), reply_to: addressesOf(mail.replyTo) },
    subject: mail.subject,
    snippet: snippetIn(mail),
    inReplyTo: mail.inReplyTo,
    references: mail.references,
    sentAt: mail.date,
    attachments: mail.attachments.length,
  };
}

/** The participants that a mail adds to its conversation. */
export const participantsOf = (mail: Pick<ParsedMail, 'from' | 'to' | 'cc'>): string[] =>
  addressesOf([...(mail.from ? [mail.from] : []), ...mail.to, ...mail.cc]);

/** What a message that is now visible adds to its thread. */
export const arrivalIn = ({ receivedAt, snippet, fromAddress, recipients }: Message): ThreadChange => {
  const people = [fromAddress, ...recipients.to, ...recipients.cc];
  return { messages: 1, received: 1, unread: 1, latest: { at: receivedAt, snippet, people } };
};

/** Counts a copy that is now visible, and whose thread has it. @returns its event */
export async function count(tx: Tx, message: Message, findings: Findings | null, now: number): Promise<NewEvent> {
  const { accountId, address, id, fromAddress, subject, snippet, receivedAt } = message;
  await addToCounters(tx, address, 1, 1);
  // A reader of events may not be allowed to read mail.
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
  return { accountId, type: 'email.received', data, now, readableFiles: message.encryption ? 0 : message.attachments };
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
const contentOf = ({ raw, sizeBytes, parsed }: DeliverableMail, copies: number, now: number): Content => ({
  id: newId('mail', now),
  state: stateOf(parsed),
  raw,
  sizeBytes,
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
  if (mail.contentId !== undefined) {
    await addReferences(tx, mail.contentId, copies);
    return mail.contentId;
  }
  const content = contentOf(mail, copies, now);
  await insertContent(tx, content, mail.written?.staged);
  await insertAttachments(tx, content.id, storedAttachments(mail.parsed), mail.written?.staged);
  return content.id;
}

/** What is sealed of a copy before its transaction: nothing, if it is small or the address has got another key. */
function begunFor(mail: DeliverableMail, { address }: Address, publicKey: string, now: number): SealedCopy {
  const begun = mail.written?.sealed.get(address);
  if (begun?.publicKey === publicKey) return begun;
  const messageId = newId('msg', now);
  return { publicKey, messageId, sealer: createSealer(publicKey, messageId), standIns: new Map(), staged: NOT_STAGED };
}

/** Seals every part for one message. Nothing readable of it is stored. */
async function keepSealed(tx: Tx, mail: DeliverableMail, { sealer, standIns, staged }: SealedCopy, now: number) {
  if (mail.raw.length !== mail.sizeBytes) throw new Error('a mail was to be sealed that was not read');
  // What is large takes long to seal, and of a dry run nothing stays.
  const isSkipped = ({ length }: Uint8Array): boolean => tx.dryRun !== undefined && isLarge(length);
  const seal = (part: Uint8Array): Uint8Array => standIns.get(part) ?? (isSkipped(part) ? part : sealer.seal(part));
  const content = contentOf(mail, 1, now);
  const { text, html } = mail.parsed;
  const sealed = {
    ...content,
    visibleText: null,
    findings: null,
    raw: seal(mail.raw),
    text: sealer.seal(text).toString('base64url'),
    html: html === null ? null : sealer.seal(html).toString('base64url'),
  };
  await insertContent(tx, sealed, staged);
  const attachments = storedAttachments(mail.parsed).map((file) => ({ ...file, content: seal(file.content) }));
  await insertAttachments(tx, content.id, attachments, staged);
  return { contentId: content.id, encryption: sealer.encryption };
}

/** Stores a copy for an address: sealed when it has a key, else as one more use of the shared content. @returns its message so far */
export async function storeCopy(
  tx: Tx,
  mail: DeliverableMail,
  owner: Address,
  sharedId: string | null,
  now: number,
): Promise<Omit<NewMessage, 'senderKey' | 'receivedAt' | keyof typeof NOT_SCREENED>> {
  const { address, accountId, publicKey } = owner;
  const begun = publicKey === null ? null : begunFor(mail, owner, publicKey, now);
  const id = begun?.messageId ?? newId('msg', now);
  const sealed = begun && (await keepSealed(tx, mail, begun, now));
  const contentId = sealed?.contentId ?? sharedId ?? (await keepContent(tx, mail, 1, now));
  const { auth, envelopeFrom, sizeBytes } = mail;
  const envelope = envelopeOf(mail.parsed, envelopeFrom);
  const encryption = sealed?.encryption ?? null;
  const snippet = sealed ? '' : envelope.snippet;
  const about = { ...envelope, id, accountId, address, contentId, auth, envelopeFrom, sizeBytes, encryption, snippet };
  return { ...about, threadId: null, visible: true, searchDoc: null };
}

/**
 * Puts a copy into an inbox. It is sealed when the address has a key, else it points to the shared content. The caller
 * has locked the address. @returns the event, for the caller to append after all deliveries
 */
export async function deliver(
  tx: Tx,
  mail: DeliverableMail,
  owner: Address,
  shared: Shared,
  now: number,
): Promise<NewEvent> {
  const copy = await storeCopy(tx, mail, owner, shared.contentId, now);
  const { parsed, auth } = mail;
  const sealed = copy.encryption !== null;
  const { accountId, fromAddress: from } = copy;
  const safety = sealed ? NOT_SCREENED : await screened(tx, { parsed, auth, accountId, from }, now);
  const message = newMessage({ ...copy, ...safety, senderKey: shared.senderKey, receivedAt: now });
  const kept = await keptBack(tx, message, shared.policy, now);
  if (kept) {
    await insertMessage(tx, { ...message, visible: false });
    await showMessage(tx, message, 2);
    return kept;
  }
  const threadId = await joinThread(tx, { ...message, now }, arrivalIn(message));
  // A sealed message is never indexed, because its words would be readable there.
  const shown = { ...message, threadId, searchDoc: sealed ? null : await nextSearchDoc(tx, now) };
  await insertMessage(tx, shown);
  if (!sealed) await indexMessage(tx, shown, searchWordsOf(parsed, shared.copies));
  return count(tx, shown, parsed.findings, now);
}

/** Whether the policy of an address refuses a mail that has not been taken yet. */
export function refuses(
  { inbound }: MailPolicy,
  { publicKey }: Pick<Address, 'publicKey'>,
  { parsed, auth, envelopeFrom }: Omit<DeliverableMail, 'raw' | 'sizeBytes'>,
): boolean {
  if (!mayReject(inbound)) return false;
  const verdict = publicKey === null ? safetyOf(parsed.findings, { auth, isFirstContact: null }).verdict : null;
  const from = parsed.from?.address ?? envelopeFrom;
  return judge(inbound, { from, auth, verdict }).answer === 'reject';
}

/**
 * Puts a message into quarantine if the policy of its address keeps it back. What should have been refused is kept back
 * too: the service has taken it, and drops nothing. @returns the event; null when the message may be shown
 */
async function keptBack(
  tx: Tx,
  message: Message,
  known: MailPolicy | undefined,
  now: number,
): Promise<NewEvent | null> {
  const { id: messageId, accountId, address, contentId, fromAddress: from, auth, receivedAt } = message;
  const { inbound } = known ?? (await policyFor(tx, accountId, address));
  const { answer, reason } = judge(inbound, { from, auth, verdict: message.safetyVerdict });
  if (answer === 'accept' || reason === null) return null;
  await insertQuarantined(tx, { messageId, accountId, address, contentId, from, reason, receivedAt });
  return { accountId, type: 'email.quarantined', data: { address, message_id: messageId, reason }, now };
}

/** Makes a copy visible that was accepted before it was parsed. The caller does as for {@link deliver}. */
export async function reveal(
  tx: Tx,
  message: Message,
  { parsed, auth, copies, senderKey }: RevealedMail,
  now: number,
): Promise<NewEvent> {
  const headers = envelopeOf(parsed, message.envelopeFrom);
  const { accountId, address, receivedAt } = message;
  const safety = await screened(tx, { parsed, auth, accountId, from: headers.fromAddress }, receivedAt);
  const read = { ...message, ...headers, ...safety, auth, senderKey: senderKey ?? message.senderKey };
  const kept = await keptBack(tx, read, undefined, now);
  if (kept) {
    await showMessage(tx, { ...read, threadId: null }, 2);
    return kept;
  }
  const threadId = await joinThread(tx, { ...headers, accountId, address, now: receivedAt }, arrivalIn(read));
  const shown = { ...read, threadId, searchDoc: await nextSearchDoc(tx, receivedAt) };
  await showMessage(tx, shown);
  await indexMessage(tx, shown, searchWordsOf(parsed, copies));
  return count(tx, shown, parsed.findings, now);
}
