import { newId } from '../../kernel/ids.ts';
import { domainOf } from '../../kernel/mail-address.ts';
import type { MailAuth } from '../../kernel/mail-facts.ts';
import type { Database, Tx } from '../../kernel/transaction.ts';
import { fallbackParse } from '../../mail/mime-fallback.ts';
import { emptyMail, type ParsedMail } from '../../mail/parsed-mail.ts';
import { NOT_EVALUATED, type SenderAuth } from '../../mail/sender-auth.ts';
import type { SenderAuthResults } from '../../mail/sender-auth-result.ts';
import { type Address, findAddress, lockAddresses } from '../addresses/address-rules.ts';
import type { Arrivals } from '../mailboxes/arrival-rules.ts';
import {
  finishParsing,
  hasUnparsed,
  insertAttachments,
  insertContent,
  leaseUnparsed,
  readRaw,
} from '../mailboxes/content-rules.ts';
import { type DeliverableMail, type DeliveryRules, envelopeOf } from '../mailboxes/delivery-rules.ts';
import type { MailEvent } from '../mailboxes/mail-event-rules.ts';
import { copiesOf, insertMessage } from '../mailboxes/message-rules.ts';

export interface IntakeDeps {
  database: Database;
  delivery: DeliveryRules;
  arrivals: Arrivals;
  /** Never throws for what a message says; see `mail/mime.ts`. */
  parse(raw: Uint8Array): Promise<ParsedMail>;
  authenticate: SenderAuth;
  now(): number;
  onFault(err: unknown, contentId: string): void;
}

export interface AcceptedMail {
  envelopeFrom: string;
  recipients: readonly string[];
  /** Begins with our own Received header. */
  raw: Uint8Array;
}

export interface Intake {
  /** Makes a mail from outside durable; whoever calls may then say 250. @returns the number of inboxes that have it */
  accept(mail: AcceptedMail): Promise<number>;
  /** Parses what a process that died has left. `all`: no other process is at work, so leases need not run out. */
  recover(all: boolean): Promise<void>;
  /** Waits for what is being parsed. */
  idle(): Promise<void>;
  /** Takes up nothing more and waits a moment for what is being parsed; the rest stays pending. */
  stop(): Promise<void>;
}

const LEASE_MS = 60_000;
/** After that many processes died over a message, it is shown as it is. */
const ATTEMPTS_MAX = 3;
/** Bytes this process holds to be parsed, in all and for one address; beyond it senders hear 451 and come again. */
const IN_HAND_BYTES = { all: 268_435_456, address: 67_108_864 };
/** Messages of a dead process parsed at a time. */
const RECOVERED_AT_A_TIME = 16;
/** What is being parsed when the service stops may finish within this; the rest stays pending and is parsed next time. */
const STOP_MS = 2000;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref());

/** What is kept of a copy that nobody can see yet. */
const NOT_YET_JUDGED: MailAuth = { method: 'smtp', spf: null, dkim: null, dmarc: null, verified_from: false };

/** The proof counts for the sender that is shown: two readers of one header may see two authors. */
function authOf({ spf, dkim, dmarc, provenDomain }: SenderAuthResults, { from }: ParsedMail): MailAuth {
  const isShown = from !== null && domainOf(from.address).toLowerCase() === provenDomain;
  return { method: 'smtp', spf, dkim, dmarc, verified_from: isShown };
}

/**
 * The way in for mail from other servers: commit the raw bytes, say 250, then look inside. Parsing happens off the main
 * thread; a crash in between loses nothing, because the unparsed rows are the queue.
 */
export function createIntake(deps: IntakeDeps): Intake {
  const { database, delivery, arrivals, parse, authenticate, now, onFault } = deps;
  const inHand = new Set<string>();
  const bytesFor = new Map<string, number>();
  let bytesInHand = 0;
  let stopping = false;

  function hold(addresses: readonly string[], bytes: number): void {
    bytesInHand += bytes;
    for (const address of addresses) {
      const sum = (bytesFor.get(address) ?? 0) + bytes;
      if (sum > 0) bytesFor.set(address, sum);
      else bytesFor.delete(address);
    }
  }

  /** One sender's flood must neither fill the memory nor stand in front of everybody else's mail. */
  function hasRoom({ raw, recipients }: AcceptedMail): boolean {
    const fits = (address: string): boolean => (bytesFor.get(address) ?? 0) + raw.length <= IN_HAND_BYTES.address;
    return bytesInHand + raw.length <= IN_HAND_BYTES.all && recipients.every(fits);
  }

  async function storeResult(contentId: string, mail: ParsedMail, authResults: SenderAuthResults): Promise<void> {
    const { text, html, problem } = mail;
    const state = mail.parsed ? 'parsed' : 'failed';
    await database.transaction(async (tx) => {
      if (!(await finishParsing(tx, contentId, { state, text, html, problem }))) return;
      const files = mail.attachments.map((file) => ({
        ...file,
        filename: file.filename || null,
        sizeBytes: file.size,
      }));
      await insertAttachments(tx, contentId, files);
      const copies = await copiesOf(tx, contentId);
      await lockAddresses(
        tx,
        copies.map(({ address }) => address),
      );
      const facts: MailEvent[] = [];
      const auth = authOf(authResults, mail);
      for (const message of copies)
        facts.push(await delivery.reveal(tx, message, { parsed: mail, auth, copies: copies.length }, now()));
      await delivery.append(tx, facts);
    });
  }

  /** A failure here leaves the row pending; its lease runs out and somebody tries again. */
  async function ingest(
    contentId: string,
    raw: Uint8Array,
    envelopeFrom: string,
    addresses: readonly string[],
  ): Promise<void> {
    hold(addresses, raw.length);
    inHand.add(contentId);
    try {
      const [mail, authResults] = await Promise.all([parse(raw), authenticate(raw, envelopeFrom)]);
      await storeResult(contentId, mail, authResults);
    } catch (err) {
      onFault(err, contentId);
    } finally {
      hold(addresses, -raw.length);
      inHand.delete(contentId);
    }
  }

  async function insertHidden(
    tx: Tx,
    mail: AcceptedMail,
    address: Address,
    contentId: string,
    at: number,
  ): Promise<void> {
    await insertMessage(tx, {
      ...envelopeOf(emptyMail(), mail.envelopeFrom),
      threadId: null,
      id: newId('msg', at),
      accountId: address.accountId,
      address: address.address,
      contentId,
      envelopeFrom: mail.envelopeFrom,
      auth: NOT_YET_JUDGED,
      encryption: null,
      sizeBytes: mail.raw.length,
      read: false,
      archived: false,
      visible: false,
      receivedAt: at,
      labels: [],
      searchDoc: null,
    });
  }

  async function keepRaw(
    tx: Tx,
    mail: AcceptedMail,
    addresses: readonly Address[],
    contentId: string,
    at: number,
  ): Promise<void> {
    const { raw } = mail;
    const copies = addresses.length;
    const parseLeaseUntil = at + LEASE_MS;
    await insertContent(tx, {
      id: contentId,
      state: 'pending',
      raw,
      sizeBytes: raw.length,
      text: null,
      html: null,
      copies,
      parseLeaseUntil,
      problem: null,
      createdAt: at,
    });
    for (const address of addresses) await insertHidden(tx, mail, address, contentId, at);
  }

  async function deliverSealed(tx: Tx, mail: DeliverableMail, addresses: readonly Address[], at: number) {
    const names = addresses.map(({ address }) => address);
    const facts: MailEvent[] = [];
    // As they are now: a key may have taken the place of another since they were looked up.
    for (const address of (await lockAddresses(tx, names)).values())
      facts.push(await delivery.deliver(tx, mail, address, { contentId: null, copies: addresses.length }, at));
    await delivery.append(tx, facts);
  }

  async function resume(contentId: string, attempts: number): Promise<void> {
    if (inHand.has(contentId)) return;
    const copies = await copiesOf(database, contentId);
    const raw = await readRaw(database, contentId);
    if (!raw) return;
    const addresses = copies.map(({ address }) => address);
    const given =
      attempts > ATTEMPTS_MAX
        ? storeResult(contentId, fallbackParse(raw, 'worker_crashed'), NOT_EVALUATED)
        : ingest(contentId, raw, copies[0]?.envelopeFrom ?? '', addresses);
    const work = given.catch((err: unknown) => onFault(err, contentId));
    arrivals.track(addresses, work);
    await work;
  }

  /** A few at a time, until nothing is left that this call has not seen. */
  async function recover(all: boolean): Promise<void> {
    const dueBy = all ? Number.MAX_SAFE_INTEGER : now();
    const seen = new Set<string>();
    while (!stopping && (await hasUnparsed(database, dueBy))) {
      const lease = { dueBy, until: now() + LEASE_MS, limit: RECOVERED_AT_A_TIME };
      const due = await database.transaction((tx) => leaseUnparsed(tx, lease));
      const fresh = due.filter(({ id }) => !seen.has(id));
      if (fresh.length === 0) return;
      for (const { id } of fresh) seen.add(id);
      await Promise.all(fresh.map(({ id, attempts }) => resume(id, attempts)));
    }
  }

  return {
    accept: async (mail) => {
      if (!hasRoom(mail)) throw new Error('too much mail waits to be parsed');
      const at = now();
      const found = await Promise.all([...new Set(mail.recipients)].map((address) => findAddress(database, address)));
      const addresses = found.filter((address) => address !== null);
      const open = addresses.filter(({ publicKey }) => publicKey === null);
      const sealed = addresses.filter(({ publicKey }) => publicKey !== null);
      // A mail to be sealed is opened before it is kept: its readable bytes must never reach the disk.
      const opened =
        sealed.length > 0 ? await Promise.all([parse(mail.raw), authenticate(mail.raw, mail.envelopeFrom)]) : null;
      const contentId = newId('mail', at);
      await database.transaction(async (tx) => {
        const names = addresses.map(({ address }) => address);
        const held = await lockAddresses(tx, names);
        // Somebody registered a key since the look-up. The sender hears 451, comes again, and finds the sealed way.
        if (open.some(({ address }) => held.get(address)?.publicKey))
          throw new Error('an address was sealed meanwhile');
        if (open.length > 0) await keepRaw(tx, mail, open, contentId, at);
        if (opened) {
          const [parsed, authResults] = opened;
          await deliverSealed(tx, { ...mail, parsed, auth: authOf(authResults, parsed) }, sealed, at);
        }
      });
      const names = open.map(({ address }) => address);
      if (open.length > 0) arrivals.track(names, ingest(contentId, mail.raw, mail.envelopeFrom, names));
      return addresses.length;
    },
    recover,
    idle: arrivals.idle,
    stop: async () => {
      stopping = true;
      await Promise.race([arrivals.idle(), sleep(STOP_MS)]);
    },
  };
}
