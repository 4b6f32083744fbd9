import { iso } from '../../kernel/clock.ts';
import type { AppendEvent } from '../../kernel/events.ts';
import { newId } from '../../kernel/ids.ts';
import type { MailAuth } from '../../kernel/mail-facts.ts';
import type { Tx } from '../../kernel/transaction.ts';
import type { ParsedMail } from '../../mail/parsed-mail.ts';
import { snippetOf } from '../../mail/reply-text.ts';
import { type Address, addToCounters } from '../addresses/address-rules.ts';
import { createSealer } from '../e2e/e2e-rules.ts';
import { type ContentState, insertAttachments, insertContent, type StoredAttachment } from './content-store.ts';
import { appendFacts, type MailFact } from './mail-event-rules.ts';
import type { Envelope, Message } from './message-data.ts';
import { insertMessage, showMessage } from './message-store.ts';
import { indexMessage, nextSearchDoc, searchWordsOf } from './search-rules.ts';
import { changeThread, threadFor } from './threading-rules.ts';

/** A mail on its way into inboxes: what was sent, and what it says. */
export interface DeliverableMail {
  envelopeFrom: string;
  raw: Uint8Array;
  parsed: ParsedMail;
  auth: MailAuth;
}

/** What all copies of a mail have in common: the content of the readable ones, and how many are delivered at once. */
export interface Shared {
  contentId: string | null;
  copies: number;
}

/** A mail that was accepted unread, as it turned out to be. */
export interface RevealedMail {
  parsed: ParsedMail;
  auth: MailAuth;
  copies: number;
}

export interface DeliveryRules {
  /** Keeps a parsed mail once for all readable copies. @returns the content's id for {@link DeliveryRules.deliver} */
  keepContent(tx: Tx, mail: DeliverableMail, copies: number, now: number): Promise<string>;
  /**
   * Puts a copy into an inbox: sealed where the address has a key, else pointing to the shared content. The caller
   * holds the address and announces the fact.
   */
  deliver(tx: Tx, mail: DeliverableMail, address: Address, shared: Shared, now: number): Promise<MailFact>;
  /** Lets a copy be seen that was accepted before it was parsed. The caller holds the address and announces the fact. */
  reveal(tx: Tx, message: Message, mail: RevealedMail, now: number): Promise<MailFact>;
  announce(tx: Tx, facts: readonly MailFact[]): Promise<void>;
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

/** What the headers say, with the envelope's sender where there is no From. */
export function envelopeOf(mail: ParsedMail, envelopeFrom: string): Omit<Envelope, 'threadId'> {
  return {
    rfcMessageId: mail.rfcMessageId,
    fromAddress: mail.from?.address ?? envelopeFrom,
    fromName: mail.from?.name || null,
    to: mail.to.map(({ address }) => address),
    cc: mail.cc.map(({ address }) => address),
    replyTo: mail.replyTo.map(({ address }) => address),
    subject: mail.subject,
    snippet: snippetOf(mail.text),
    inReplyTo: mail.inReplyTo,
    references: mail.references,
    sentAt: mail.date,
    attachments: mail.attachments.length,
  };
}

/** Who takes part in a conversation by this mail. */
export const participantsOf = (mail: Pick<ParsedMail, 'from' | 'to' | 'cc'>): string[] =>
  [...(mail.from ? [mail.from] : []), ...mail.to, ...mail.cc].map(({ address }) => address);

/** Turns accepted mail into messages, threads, counters and events, all in the transaction of the caller. */
export function createDeliveryRules(appendEvent: AppendEvent<Tx>): DeliveryRules {
  /** Counters and the fact, for a copy that can now be seen. */
  async function count(tx: Tx, message: Message, now: number): Promise<MailFact> {
    await addToCounters(tx, message.address, 1, 1);
    const { receivedAt: at, snippet, fromAddress, to, cc } = message;
    const latest = { at, snippet, people: [fromAddress, ...to, ...cc] };
    await changeThread(tx, message.threadId, { messages: 1, received: 1, unread: 1, latest });
    return {
      accountId: message.accountId,
      type: 'email.received',
      data: {
        address: message.address,
        message_id: message.id,
        from: message.fromAddress,
        subject: message.subject,
        received_at: iso(message.receivedAt),
        snippet: message.snippet,
      },
      now,
    };
  }

  async function keepContent(tx: Tx, mail: DeliverableMail, copies: number, now: number): Promise<string> {
    const id = newId('mail', now);
    const { text, html, problem } = mail.parsed;
    const state = stateOf(mail.parsed);
    const sizeBytes = mail.raw.length;
    await insertContent(tx, {
      id,
      state,
      raw: mail.raw,
      sizeBytes,
      text,
      html,
      copies,
      problem,
      parseLeaseUntil: 0,
      createdAt: now,
    });
    await insertAttachments(tx, id, storedAttachments(mail.parsed));
    return id;
  }

  /** Seals every part for one message; nothing readable of it is kept. */
  async function keepSealed(tx: Tx, mail: DeliverableMail, publicKey: string, messageId: string, now: number) {
    const sealer = createSealer(publicKey, messageId);
    const id = newId('mail', now);
    const { text, html } = mail.parsed;
    await insertContent(tx, {
      id,
      state: stateOf(mail.parsed),
      raw: sealer.seal(mail.raw),
      sizeBytes: mail.raw.length,
      text: sealer.seal(text).toString('base64url'),
      html: html === null ? null : sealer.seal(html).toString('base64url'),
      copies: 1,
      problem: mail.parsed.problem,
      parseLeaseUntil: 0,
      createdAt: now,
    });
    const attachments = storedAttachments(mail.parsed).map((file) => ({ ...file, content: sealer.seal(file.content) }));
    await insertAttachments(tx, id, attachments);
    return { contentId: id, encryption: sealer.encryption };
  }

  return {
    keepContent,
    deliver: async (tx, mail, { address, accountId, publicKey }, shared, now) => {
      const id = newId('msg', now);
      const sealed = publicKey === null ? null : await keepSealed(tx, mail, publicKey, id, now);
      const contentId = sealed?.contentId ?? shared.contentId ?? (await keepContent(tx, mail, 1, now));
      const envelope = envelopeOf(mail.parsed, mail.envelopeFrom);
      const threadId = await threadFor(tx, { ...envelope, accountId, address, now });
      const message: Message = {
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
        read: false,
        archived: false,
        visible: true,
        receivedAt: now,
        labels: [],
        // What is sealed is in no index: its words would lie there readable.
        searchDoc: sealed ? null : await nextSearchDoc(tx, now),
      };
      await insertMessage(tx, message);
      if (!sealed) await indexMessage(tx, message, searchWordsOf(mail.parsed, shared.copies));
      return count(tx, message, now);
    },
    reveal: async (tx, message, { parsed, auth, copies }, now) => {
      const headers = envelopeOf(parsed, message.envelopeFrom);
      const { accountId, address, receivedAt } = message;
      const threadId = await threadFor(tx, { ...headers, accountId, address, now: receivedAt });
      const searchDoc = await nextSearchDoc(tx, receivedAt);
      const shown = { ...message, ...headers, threadId, auth, searchDoc };
      await showMessage(tx, shown, searchDoc);
      await indexMessage(tx, shown, searchWordsOf(parsed, copies));
      return count(tx, shown, now);
    },
    announce: (tx, facts) => appendFacts(tx, appendEvent, facts),
  };
}
