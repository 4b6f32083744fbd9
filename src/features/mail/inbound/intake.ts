import type { AppendEvents } from '../../../api/events.ts';
import type { EnqueueJob } from '../../../api/job-types.ts';
import type { Database, Tx } from '../../../api/transaction.ts';
import { within } from '../../../base/deadline.ts';
import { newId } from '../../../base/ids.ts';
import type { Log } from '../../../base/log.ts';
import { retryDuringOutage } from '../../../jobs/outage.ts';
import { fallbackParse } from '../../../mail/mime/mime-fallback.ts';
import type { MimeParser } from '../../../mail/reading/mime-parser.ts';
import { NOT_EVALUATED, type SenderAuth } from '../../../mail/sender-auth/sender-auth-check.ts';
import type { MailTransport } from '../../../mail/smtp-out/mail-transport.ts';
import type { ReturnPaths } from '../../../mail/smtp-out/return-path.ts';
import type { Origin } from '../../../workers/fair-queue.ts';
import { type Address, type AddressRules, findAddress, lockAddresses } from '../../account/addresses/address.ts';
import type { Suppressions } from '../../service/suppressions/suppression.ts';
import { policyFor } from '../mail-policy/effective-policy.ts';
import { mayReject } from '../mail-policy/inbound-policy.ts';
import type { MailPolicy } from '../mail-policy/mail-policy-table.ts';
import { hasUnparsed, leaseUnparsed, readRaw, withStaged } from '../mailboxes/content/mail-content.ts';
import { type Written, withWritten } from '../mailboxes/content/sealed-copy.ts';
import { refuses } from '../mailboxes/messages/mail-delivery.ts';
import { copiesOf } from '../mailboxes/messages/message.ts';
import type { PendingParses } from '../mailboxes/pending-parses.ts';
import type { OutboxDeps } from '../outbox/outbox-deps.ts';
import type { PostmasterQuota } from '../outbox/postmaster-quota.ts';
import type { NoRoom, StorageRules } from '../storage/storage-quota.ts';
import {
  type AcceptedMail,
  authOf,
  deliverRead,
  type ReadMail,
  senderKeyOf,
  storeParsed,
  storeUnparsed,
} from './incoming-mail.ts';
import { ParsingFullError, type ParsingMemory } from './parsing-memory.ts';

/** What receiving mail needs. Each part takes what it uses of this. */
export interface InboundDeps {
  database: Database;
  /** Whose leases the contents get that this process parses. */
  instance: { id: string };
  appendEvents: AppendEvents<Tx>;
  enqueueJob: EnqueueJob;
  log: Log;
  onFault(err: unknown, message: string, fields?: object): void;
  now(): number;
  disk: { readonly isLow: boolean };
  mailDomain: string;
  /** Where mail for the people who run the service is forwarded. Null: it is kept. */
  postmasterMail: string | null;
  postmasterRoom: PostmasterQuota;
  transport: MailTransport;
  onSent: OutboxDeps['onSent'];
  returnPaths: ReturnPaths;
  suppressions: Suppressions;
  addresses: AddressRules;
  arrivals: PendingParses;
  storage: StorageRules;
  parser: MimeParser;
  authenticate: SenderAuth;
  memory: ParsingMemory;
}

/** The addresses of a mail: those whose mail is stored readable, and those with a public key. */
interface Recipients {
  readable: Address[];
  encrypted: Address[];
}

/** A mail that an account has no room for now. The sender may try again. */
export class QuotaExceededError extends Error {
  readonly reason: NoRoom;
  readonly accountId: string;

  constructor(reason: NoRoom, accountId: string) {
    super(reason);
    this.reason = reason;
    this.accountId = accountId;
  }
}

/** Thrown in the transaction: only the proven domain of the sender tells whether there is room. */
class MustBeReadError extends Error {}

/**
 * A mail that is read within this time is stored once, as its reader sees it. One that takes longer, or is larger, is stored
 * as it came, answered with 250, and read then.
 */
const READ_FIRST_MS = 250;
const READ_FIRST_BYTES = 262_144;
/** How long one process may parse a message before another one may take it. */
const LEASE_MS = 60_000;
/** After this many attempts that ended with the process, the message is shown unparsed. */
const ATTEMPTS_MAX = 3;
/** Messages left by another process that are parsed at a time. */
const RECOVERED_AT_A_TIME = 16;
/** How long a stop waits for messages that are being parsed. The rest is parsed after the next start. */
const STOP_MS = 2000;

/**
 * Takes mail from other servers, and stores it before the server answers 250: read, if that takes a moment, else as raw bytes,
 * which are read later. Parsing runs in a worker thread. A crash loses nothing, because the unparsed rows are the queue.
 */
export class Intake {
  readonly #deps: InboundDeps;
  /** Ids of the contents that this process is parsing. */
  readonly #parsing = new Set<string>();
  #stopping = false;

  constructor(deps: InboundDeps) {
    this.#deps = deps;
  }

  /**
   * Stores a mail durably. The caller may answer 250 when this resolves.
   * @param known what was read of it already
   * @returns the number of inboxes that have it
   * @throws {QuotaExceededError} when an account has no room for it
   * @throws {ParsingFullError}
   */
  async accept(mail: AcceptedMail, known: ReadMail | null = null): Promise<number> {
    const { database, arrivals, now, memory } = this.#deps;
    if (!memory.fits(originOf(mail), mail.raw.length)) throw new ParsingFullError();
    const createdAt = now();
    const recipients = await this.#find(mail.recipients);
    const { readable, encrypted } = recipients;
    const mustRead = encrypted.length > 0;
    const reading =
      known === null && (mustRead || mail.raw.length <= READ_FIRST_BYTES) ? this.#readInMemory(mail) : null;
    // Read before the transaction: the readable bytes of a mail that will be encrypted must never reach the disk.
    const read = known ?? (mustRead ? await reading : await soon(reading));
    const contentId = newId('mail', createdAt);
    const parts = [mail.raw, ...(read?.parsed.attachments ?? []).map(({ content }) => content)];
    const copies = { isReadable: readable.length > 0, sealedFor: encrypted };
    try {
      await withWritten(database, parts, copies, createdAt, (written) =>
        database.transaction((tx) => this.#store(tx, mail, recipients, read, { id: contentId, createdAt, written })),
      );
    } catch (err) {
      if (err instanceof MustBeReadError) return this.accept(mail, await this.#read(mail));
      if (err instanceof QuotaExceededError && err.reason === 'storage_full') await this.#noteFull(err.accountId, mail);
      throw err;
    }
    const names = namesOf(readable);
    if (read === null && readable.length > 0)
      arrivals.track(names, this.#parse(contentId, { ...mail, recipients: names }, reading));
    return readable.length + encrypted.length;
  }

  /** The clearing of the refused mail was rolled back with it, and may not have been enough. The next attempt finds more room. */
  async #noteFull(accountId: string, { raw }: AcceptedMail): Promise<void> {
    await this.#deps.storage.clear(accountId, raw.length);
    await this.#deps.storage.tellFull(accountId, this.#deps.now());
  }

  /**
   * Whether every recipient refuses the mail by its policy. It is read only where a policy may refuse. A mail that only
   * some refuse is taken, and kept back from those: SMTP has one answer for all (RFC 5321 4.2.5). `read`: for `accept`.
   */
  async judge(arriving: AcceptedMail): Promise<{ isRefused: boolean; read: ReadMail | null }> {
    const { recipients, raw, envelopeFrom } = arriving;
    const { database } = this.#deps;
    const { readable, encrypted } = await this.#find(recipients);
    const all = [...readable, ...encrypted];
    const policies = new Map<Address, MailPolicy>();
    for (const address of all) {
      const policy = await policyFor(database, address.accountId, address.address);
      if (!mayReject(policy.inbound)) return TAKEN;
      policies.set(address, policy);
    }
    if (all.length === 0 || !this.#deps.memory.fits(originOf(arriving), raw.length)) return TAKEN;
    const read = await this.#read(arriving);
    const mail = { parsed: read.parsed, auth: authOf(read), envelopeFrom };
    const isRefused = [...policies].every(([address, policy]) => refuses(policy, address, mail));
    return { isRefused, read };
  }

  /** Parses what another process left unparsed, a few messages at a time. */
  async recover(): Promise<void> {
    const {
      database,
      now,
      instance: { id: by },
    } = this.#deps;
    const seen = new Set<string>();
    while (!this.#stopping && (await hasUnparsed(database, now()))) {
      const lease = { now: now(), until: now() + LEASE_MS, by, limit: RECOVERED_AT_A_TIME };
      const due = await database.transaction((tx) => leaseUnparsed(tx, lease));
      const fresh = due.filter(({ id }) => !seen.has(id));
      if (fresh.length === 0) return;
      for (const { id } of fresh) seen.add(id);
      await Promise.all(fresh.map(({ id, attempts }) => this.#resume(id, attempts)));
    }
  }

  /** Waits until every message that this process is parsing is stored. */
  idle(): Promise<void> {
    return this.#deps.arrivals.idle();
  }

  /** Stops recovery and waits up to 2 s for messages that are being parsed. The others stay pending. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await within(STOP_MS, this.idle(), () => undefined);
  }

  async #find(recipients: readonly string[]): Promise<Recipients> {
    const { database } = this.#deps;
    const found = await Promise.all([...new Set(recipients)].map((address) => findAddress(database, address)));
    const addresses = found.filter((address) => address !== null);
    return {
      readable: addresses.filter(({ publicKey }) => publicKey === null),
      encrypted: addresses.filter(({ publicKey }) => publicKey !== null),
    };
  }

  /** The same, counted as memory. */
  async #readInMemory(mail: AcceptedMail): Promise<ReadMail> {
    const [origin, bytes] = [originOf(mail), mail.raw.length];
    this.#deps.memory.take(origin, bytes);
    return this.#read(mail).finally(() => this.#deps.memory.giveBack(origin, bytes));
  }

  async #read(mail: AcceptedMail): Promise<ReadMail> {
    const { parser, authenticate } = this.#deps;
    const { raw, envelopeFrom, parsed: known } = mail;
    const parsing = known?.() ?? parser.parse(raw, originOf(mail));
    const [parsed, results] = await Promise.all([parsing, authenticate(raw, envelopeFrom)]);
    return { parsed, results };
  }

  /** @param read null if it is to be read later. No recipient has a public key then */
  async #store(
    tx: Tx,
    mail: AcceptedMail,
    { readable, encrypted }: Recipients,
    read: ReadMail | null,
    { id, createdAt, written }: { id: string; createdAt: number; written: Written },
  ): Promise<void> {
    const locked = await lockAddresses(tx, namesOf([...readable, ...encrypted]));
    // The sender gets 451 and tries again, and the next attempt encrypts.
    if (readable.some(({ address }) => locked.get(address)?.publicKey))
      throw new Error('an address was given a public key meanwhile');
    await this.#requireRoom(tx, mail, [...locked.values()], read, createdAt);
    if (read)
      await deliverRead(tx, this.#deps.appendEvents, { ...mail, written }, read, [...locked.values()], createdAt);
    else if (readable.length > 0)
      await storeUnparsed(tx, mail, readable, {
        id,
        createdAt,
        staged: written.staged,
        parseLeaseUntil: createdAt + LEASE_MS,
        parseLeasedBy: this.#deps.instance.id,
      });
  }

  /** In the order of the accounts, so that no two transactions wait for each other. @throws {QuotaExceededError} */
  async #requireRoom(tx: Tx, mail: AcceptedMail, addresses: readonly Address[], read: ReadMail | null, now: number) {
    const { raw, network } = mail;
    const accounts = [...new Set(addresses.map(({ accountId }) => accountId))].sort();
    for (const accountId of accounts) {
      const copies = addresses.filter((address) => address.accountId === accountId).length;
      const sender = senderKeyOf(read, network);
      const arriving = { accountId, sender, sizeBytes: raw.length * copies, isRead: read !== null };
      const reason = await this.#deps.storage.admit(tx, arriving, now);
      if (reason === 'read') throw new MustBeReadError();
      if (reason !== null) throw new QuotaExceededError(reason, accountId);
    }
  }

  /** Parses a stored mail. After a failure the content stays pending, and is parsed again when its lease expires. */
  async #parse(contentId: string, mail: AcceptedMail, reading: Promise<ReadMail> | null): Promise<void> {
    const [origin, bytes] = [originOf(mail), mail.raw.length];
    this.#deps.memory.take(origin, bytes);
    this.#parsing.add(contentId);
    try {
      await this.#finish(contentId, await (reading ?? this.#read(mail)));
    } catch (err) {
      this.#noteUnparsed(err, contentId);
    } finally {
      this.#deps.memory.giveBack(origin, bytes);
      this.#parsing.delete(contentId);
    }
  }

  #noteUnparsed(err: unknown, contentId: string): void {
    this.#deps.onFault(err, 'mail could not be parsed; it will be tried again', { contentId });
  }

  #finish(contentId: string, read: ReadMail): Promise<void> {
    return retryDuringOutage(() => this.#storeRead(contentId, read), { forMs: LEASE_MS / 2 });
  }

  async #storeRead(contentId: string, read: ReadMail): Promise<void> {
    const { database, appendEvents, now } = this.#deps;
    const files = read.parsed.attachments.map(({ content }) => content);
    await withStaged(database, files, now(), (staged) =>
      database.transaction((tx) => storeParsed(tx, appendEvents, contentId, { ...read, staged }, now())),
    );
  }

  async #resume(contentId: string, attempts: number): Promise<void> {
    if (this.#parsing.has(contentId)) return;
    const { database, arrivals } = this.#deps;
    const copies = await copiesOf(database, contentId);
    const raw = await readRaw(database, contentId);
    if (!raw) return;
    const addresses = copies.map(({ address }) => address);
    const envelopeFrom = copies[0]?.envelopeFrom ?? '';
    const finished =
      attempts > ATTEMPTS_MAX
        ? this.#finish(contentId, { parsed: fallbackParse(raw, 'worker_crashed'), results: NOT_EVALUATED })
        : this.#parse(contentId, { raw, envelopeFrom, recipients: addresses, network: '' }, null);
    const work = finished.catch((err: unknown) => this.#noteUnparsed(err, contentId));
    arrivals.track(addresses, work);
    await work;
  }
}

/** What is read in time, without its fault: who reads it later meets that. */
const soon = async (reading: Promise<ReadMail> | null): Promise<ReadMail | null> =>
  reading &&
  within(
    READ_FIRST_MS,
    reading.catch(() => null),
    () => null,
  );

const originOf = ({ network, recipients }: AcceptedMail): Origin => ({ network, addresses: recipients });
const TAKEN = { isRefused: false, read: null };
const namesOf = (addresses: readonly Address[]): string[] => addresses.map(({ address }) => address);
