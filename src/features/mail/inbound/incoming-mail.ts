import type { AppendEvents, NewEvent } from '../../../api/events.ts';
import type { Tx } from '../../../api/transaction.ts';
import { newId } from '../../../base/ids.ts';
import { domainOf } from '../../../mail/address/mail-address.ts';
import { emptyMail, type ParsedMail } from '../../../mail/mime/parsed-mail.ts';
import type { MailAuth } from '../../../mail/sender-auth/mail-auth.ts';
import type { SenderAuthResults } from '../../../mail/sender-auth/sender-auth-result.ts';
import { type Address, lockAddresses } from '../../account/addresses/address.ts';
import { finishParsing, insertAttachments, insertContent, type Staged } from '../mailboxes/content/mail-content.ts';
import type { Written } from '../mailboxes/content/sealed-copy.ts';
import { deliver, envelopeOf, keepContent, reveal } from '../mailboxes/messages/mail-delivery.ts';
import { copiesOf, insertMessage } from '../mailboxes/messages/message.ts';

export interface AcceptedMail {
  /** The reverse path; empty for a bounce. */
  envelopeFrom: string;
  recipients: readonly string[];
  /** Starts with our own Received header. */
  raw: Uint8Array;
  /** Where it came from, as `clientNetwork` names it. */
  network: string;
  /** Parses it, once for all who ask. */
  parsed?: () => Promise<ParsedMail>;
}

/** The content of a mail and what SPF, DKIM and DMARC say about its sender. */
export interface ReadMail {
  parsed: ParsedMail;
  results: SenderAuthResults;
}

/** Whose share of an account's storage a mail fills. A domain counts only where it is proven: a name can be forged. */
export const senderKeyOf = (read: ReadMail | null, network: string): string => read?.results.provenDomain ?? network;

/** A copy has this value until the mail is parsed. No list shows the copy before that. */
const NOT_EVALUATED_YET: MailAuth = { method: 'smtp', spf: null, dkim: null, dmarc: null, verified_from: false };

/**
 * The authentication of a mail as a message shows it. `verified_from` is true only if the verified domain is the domain
 * of the From address we show: two parsers may read two authors from one header.
 */
export function authOf({ parsed: { from }, results: { spf, dkim, dmarc, provenDomain } }: ReadMail): MailAuth {
  const isShown = from !== null && domainOf(from.address).toLowerCase() === provenDomain;
  return { method: 'smtp', spf, dkim, dmarc, verified_from: isShown };
}

/** Stores the raw bytes of a mail, and a hidden message in each inbox. The content stays `pending` until it is parsed. */
export async function storeUnparsed(
  tx: Tx,
  { raw, envelopeFrom, network }: AcceptedMail,
  addresses: readonly Address[],
  {
    staged,
    ...content
  }: { id: string; parseLeaseUntil: number; parseLeasedBy: string; createdAt: number; staged: Staged },
): Promise<void> {
  const sizeBytes = raw.length;
  const copies = addresses.length;
  const unread = {
    state: 'pending' as const,
    text: null,
    html: null,
    problem: null,
    visibleText: null,
    findings: null,
  };
  await insertContent(tx, { ...content, ...unread, raw, sizeBytes, copies }, staged);
  for (const { accountId, address } of addresses)
    await insertMessage(tx, {
      ...envelopeOf(emptyMail(), envelopeFrom),
      threadId: null,
      id: newId('msg', content.createdAt),
      accountId,
      address,
      contentId: content.id,
      envelopeFrom,
      auth: NOT_EVALUATED_YET,
      encryption: null,
      sizeBytes,
      read: false,
      archived: false,
      visible: false,
      receivedAt: content.createdAt,
      labels: [],
      searchDoc: null,
      safetyVerdict: null,
      safetySignals: null,
      senderKey: network,
    });
}

/** Stores the parsed content and shows the hidden messages. Does nothing if the content was parsed already. */
export async function storeParsed(
  tx: Tx,
  appendEvents: AppendEvents<Tx>,
  contentId: string,
  { staged, ...read }: ReadMail & { staged: Staged },
  now: number,
): Promise<void> {
  const { parsed } = read;
  const { text, html, visibleText, problem, attachments, findings } = parsed;
  const state = parsed.parsed ? 'parsed' : 'failed';
  if (!(await finishParsing(tx, { id: contentId, state, text, html, visibleText, problem, findings }))) return;
  const files = attachments.map((file) => ({ ...file, filename: file.filename || null, sizeBytes: file.size }));
  await insertAttachments(tx, contentId, files, staged);
  const messages = await copiesOf(tx, contentId);
  const addresses = messages.map(({ address }) => address);
  await lockAddresses(tx, addresses);
  const { provenDomain: senderKey } = read.results;
  const revealed = { parsed, auth: authOf(read), copies: messages.length, senderKey };
  const events: NewEvent[] = [];
  for (const message of messages) events.push(await reveal(tx, message, revealed, now));
  if (events.length > 0) await appendEvents(tx, events);
}

/**
 * Delivers a mail that is read. Addresses with a public key get it sealed: nothing readable is stored for them.
 * @param addresses as they are locked: one may have another key than when the mail was read
 */
export async function deliverRead(
  tx: Tx,
  appendEvents: AppendEvents<Tx>,
  { raw, envelopeFrom, network, written }: AcceptedMail & { written: Written },
  read: ReadMail,
  addresses: readonly Address[],
  now: number,
): Promise<void> {
  const mail = { envelopeFrom, raw, sizeBytes: raw.length, parsed: read.parsed, auth: authOf(read), written };
  const readable = addresses.filter(({ publicKey }) => publicKey === null).length;
  const contentId = readable > 0 ? await keepContent(tx, mail, readable, now) : null;
  const shared = { contentId, copies: addresses.length, senderKey: senderKeyOf(read, network) };
  const events: NewEvent[] = [];
  for (const address of addresses) events.push(await deliver(tx, mail, address, shared, now));
  if (events.length > 0) await appendEvents(tx, events);
}
