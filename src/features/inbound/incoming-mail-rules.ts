import type { AppendEvents, NewEvent } from '../../kernel/events.ts';
import { newId } from '../../kernel/ids.ts';
import { domainOf } from '../../kernel/mail-address.ts';
import type { MailAuth } from '../../kernel/mail-auth.ts';
import type { Tx } from '../../kernel/transaction.ts';
import { emptyMail, type ParsedMail } from '../../mail/parsed-mail.ts';
import type { SenderAuthResults } from '../../mail/sender-auth-result.ts';
import { type Address, lockAddresses } from '../addresses/address-rules.ts';
import { finishParsing, insertAttachments, insertContent } from '../mailboxes/content-rules.ts';
import { deliver, envelopeOf, reveal } from '../mailboxes/delivery-rules.ts';
import { copiesOf, insertMessage } from '../mailboxes/message-rules.ts';

export interface AcceptedMail {
  /** The reverse path; empty for a bounce. */
  envelopeFrom: string;
  recipients: readonly string[];
  /** Starts with our own Received header. */
  raw: Uint8Array;
  /** Where it came from, as `clientNetwork` names it. */
  network: string;
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
  content: { id: string; parseLeaseUntil: number; parseLeasedBy: string; createdAt: number },
): Promise<void> {
  const sizeBytes = raw.length;
  const copies = addresses.length;
  await insertContent(tx, {
    ...content,
    state: 'pending',
    raw,
    sizeBytes,
    text: null,
    html: null,
    copies,
    problem: null,
    visibleText: null,
    findings: null,
  });
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
  read: ReadMail,
  now: number,
): Promise<void> {
  const { parsed } = read;
  const { text, html, visibleText, problem, attachments, findings } = parsed;
  const state = parsed.parsed ? 'parsed' : 'failed';
  if (!(await finishParsing(tx, contentId, { state, text, html, visibleText, problem, findings }))) return;
  const files = attachments.map((file) => ({ ...file, filename: file.filename || null, sizeBytes: file.size }));
  await insertAttachments(tx, contentId, files);
  const messages = await copiesOf(tx, contentId);
  const addresses = messages.map(({ address }) => address);
  await lockAddresses(tx, addresses);
  const { provenDomain: senderKey } = read.results;
  const revealed = { parsed, auth: authOf(read), copies: messages.length, senderKey };
  const events: NewEvent[] = [];
  for (const message of messages) events.push(await reveal(tx, message, revealed, now));
  if (events.length > 0) await appendEvents(tx, events);
}

/** Delivers a mail to addresses with a public key. The readable content is never stored. */
export async function deliverEncrypted(
  tx: Tx,
  appendEvents: AppendEvents<Tx>,
  { raw, envelopeFrom, network }: AcceptedMail,
  read: ReadMail,
  addresses: readonly string[],
  now: number,
): Promise<void> {
  const mail = { envelopeFrom, raw, parsed: read.parsed, auth: authOf(read) };
  const shared = { contentId: null, copies: addresses.length, senderKey: senderKeyOf(read, network) };
  const events: NewEvent[] = [];
  // Read again under the lock: an address may have another key by now.
  for (const address of (await lockAddresses(tx, addresses)).values())
    events.push(await deliver(tx, mail, address, shared, now));
  if (events.length > 0) await appendEvents(tx, events);
}
