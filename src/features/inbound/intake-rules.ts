import { within } from '../../kernel/deadline.ts';
import type { AppendEvents } from '../../kernel/events.ts';
import { newId } from '../../kernel/ids.ts';
import type { Database, Tx } from '../../kernel/transaction.ts';
import { fallbackParse } from '../../mail/mime-fallback.ts';
import type { ParsedMail } from '../../mail/parsed-mail.ts';
import { NOT_EVALUATED, type SenderAuth } from '../../mail/sender-auth.ts';
import { type Address, findAddress, lockAddresses } from '../addresses/address-rules.ts';
import { mayRejectAt } from '../mail-policy/mail-policy-rules.ts';
import type { Arrivals } from '../mailboxes/arrival-rules.ts';
import { hasUnparsed, leaseUnparsed, readRaw } from '../mailboxes/content-rules.ts';
import { refuses } from '../mailboxes/delivery-rules.ts';
import { copiesOf } from '../mailboxes/message-rules.ts';
import type { NoRoom, StorageRules } from '../storage/storage-rules.ts';
import {
  type AcceptedMail,
  authOf,
  deliverEncrypted,
  type ReadMail,
  senderKeyOf,
  storeParsed,
  storeUnparsed,
} from './incoming-mail-rules.ts';

export interface IntakeDeps {
  database: Database;
  /** Whose leases the contents get that this process parses. */
  instanceId: string;
  appendEvents: AppendEvents<Tx>;
  arrivals: Arrivals;
  storage: Pick<StorageRules, 'admit' | 'tellFull' | 'clear'>;
  /** Does not throw for any content; see `mail/mime.ts`. */
  parse(raw: Uint8Array): Promise<ParsedMail>;
  authenticate: SenderAuth;
  now(): number;
  onFault(err: unknown, contentId: string): void;
}

/** The addresses of a mail: those whose mail is stored readable, and those with a public key. */
interface Recipients {
  readable: Address[];
  encrypted: Address[];
}

/** A mail that an account has no room for now. The sender may try again. */
export class NoRoomError extends Error {
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

/** How long one process may parse a message before another one may take it. */
const LEASE_MS = 60_000;
/** After this many attempts that ended with the process, the message is shown unparsed. */
const ATTEMPTS_MAX = 3;
/** Bytes that this process parses at a time, in all and per address. Over it, senders get 451 and try again. */
const PARSING_BYTES_MAX = { all: 268_435_456, address: 67_108_864 };
/** Messages left by another process that are parsed at a time. */
const RECOVERED_AT_A_TIME = 16;
/** How long a stop waits for messages that are being parsed. The rest is parsed after the next start. */
const STOP_MS = 2000;

/** Counts the bytes of the messages that this process is parsing. */
class ParsingMemory {
  readonly #byAddress = new Map<string, number>();
  #all = 0;

  /** Whether `bytes` more may be parsed. One sender must not fill the memory or delay the mail of other addresses. */
  fits(addresses: readonly string[], bytes: number): boolean {
    const fits = (address: string): boolean => (this.#byAddress.get(address) ?? 0) + bytes <= PARSING_BYTES_MAX.address;
    return this.#all + bytes <= PARSING_BYTES_MAX.all && addresses.every(fits);
  }

  take(addresses: readonly string[], bytes: number): void {
    this.#all += bytes;
    for (const address of addresses) {
      const sum = (this.#byAddress.get(address) ?? 0) + bytes;
      if (sum > 0) this.#byAddress.set(address, sum);
      else this.#byAddress.delete(address);
    }
  }

  giveBack(addresses: readonly string[], bytes: number): void {
    this.take(addresses, -bytes);
  }
}

/**
 * Takes mail from other servers: stores the raw bytes, lets the server answer 250, then parses. Parsing runs in a worker
 * thread. A crash loses nothing, because the unparsed rows are the queue.
 */
export class Intake {
  readonly #deps: IntakeDeps;
  readonly #memory = new ParsingMemory();
  /** Ids of the contents that this process is parsing. */
  readonly #parsing = new Set<string>();
  #stopping = false;

  constructor(deps: IntakeDeps) {
    this.#deps = deps;
  }

  /**
   * Stores a mail durably. The caller may answer 250 when this resolves.
   * @param known what was read of it already
   * @returns the number of inboxes that have it
   * @throws {NoRoomError} when an account has no room for it
   */
  async accept(mail: AcceptedMail, known: ReadMail | null = null): Promise<number> {
    const { database, arrivals, now } = this.#deps;
    const { raw, envelopeFrom } = mail;
    if (!this.#memory.fits(mail.recipients, raw.length)) throw new Error('too much mail waits to be parsed');
    const createdAt = now();
    const recipients = await this.#find(mail.recipients);
    const { readable, encrypted } = recipients;
    // Read before the transaction: the readable bytes of a mail that will be encrypted must never reach the disk.
    const read = known ?? (encrypted.length > 0 ? await this.#read(raw, envelopeFrom) : null);
    const contentId = newId('mail', createdAt);
    try {
      await database.transaction((tx) => this.#store(tx, mail, recipients, read, { id: contentId, createdAt }));
    } catch (err) {
      if (err instanceof MustBeReadError) return this.accept(mail, await this.#read(raw, envelopeFrom));
      if (err instanceof NoRoomError && err.reason === 'storage_full') await this.#noteFull(err.accountId, raw.length);
      throw err;
    }
    const names = namesOf(readable);
    if (readable.length > 0) arrivals.track(names, this.#parse(contentId, raw, envelopeFrom, names, read));
    return readable.length + encrypted.length;
  }

  /** The clearing of the refused mail was rolled back with it, and may not have been enough. The next attempt finds more room. */
  async #noteFull(accountId: string, sizeBytes: number): Promise<void> {
    await this.#deps.storage.clear(accountId, sizeBytes);
    await this.#deps.storage.tellFull(accountId, this.#deps.now());
  }

  /**
   * Whether every recipient refuses the mail by its policy. It is read only where a policy may refuse. A mail that only
   * some refuse is taken, and kept back from those: SMTP has one answer for all (RFC 5321 4.2.5). `read`: for `accept`.
   */
  async judge({ recipients, raw, envelopeFrom }: AcceptedMail): Promise<{ isRefused: boolean; read: ReadMail | null }> {
    const { database } = this.#deps;
    const { readable, encrypted } = await this.#find(recipients);
    const all = [...readable, ...encrypted];
    for (const { accountId, address } of all) if (!(await mayRejectAt(database, accountId, address))) return TAKEN;
    if (all.length === 0 || !this.#memory.fits(recipients, raw.length)) return TAKEN;
    const read = await this.#read(raw, envelopeFrom);
    const mail = { parsed: read.parsed, auth: authOf(read), envelopeFrom };
    for (const address of all) if (!(await refuses(database, address, mail))) return { isRefused: false, read };
    return { isRefused: true, read };
  }

  /** Parses what another process left unparsed, a few messages at a time. */
  async recover(): Promise<void> {
    const { database, now, instanceId: by } = this.#deps;
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

  async #read(raw: Uint8Array, envelopeFrom: string): Promise<ReadMail> {
    const { parse, authenticate } = this.#deps;
    const [parsed, results] = await Promise.all([parse(raw), authenticate(raw, envelopeFrom)]);
    return { parsed, results };
  }

  /** @param read null if no recipient has a public key */
  async #store(
    tx: Tx,
    mail: AcceptedMail,
    { readable, encrypted }: Recipients,
    read: ReadMail | null,
    { id, createdAt }: { id: string; createdAt: number },
  ): Promise<void> {
    const locked = await lockAddresses(tx, namesOf([...readable, ...encrypted]));
    // The sender gets 451 and tries again, and the next attempt encrypts.
    if (readable.some(({ address }) => locked.get(address)?.publicKey))
      throw new Error('an address was given a public key meanwhile');
    await this.#requireRoom(tx, mail, [...locked.values()], read, createdAt);
    if (readable.length > 0)
      await storeUnparsed(tx, mail, readable, {
        ...{ id, createdAt, parseLeaseUntil: createdAt + LEASE_MS, parseLeasedBy: this.#deps.instanceId },
      });
    if (read) await deliverEncrypted(tx, this.#deps.appendEvents, mail, read, namesOf(encrypted), createdAt);
  }

  /** In the order of the accounts, so that no two transactions wait for each other. @throws {NoRoomError} */
  async #requireRoom(tx: Tx, mail: AcceptedMail, addresses: readonly Address[], read: ReadMail | null, now: number) {
    const { raw, network } = mail;
    const accounts = [...new Set(addresses.map(({ accountId }) => accountId))].sort();
    for (const accountId of accounts) {
      const copies = addresses.filter((address) => address.accountId === accountId).length;
      const sender = senderKeyOf(read, network);
      const arriving = { accountId, sender, sizeBytes: raw.length * copies, isRead: read !== null };
      const reason = await this.#deps.storage.admit(tx, arriving, now);
      if (reason === 'read') throw new MustBeReadError();
      if (reason !== null) throw new NoRoomError(reason, accountId);
    }
  }

  /** Parses a stored mail. After a failure the content stays pending, and is parsed again when its lease expires. */
  async #parse(
    contentId: string,
    raw: Uint8Array,
    envelopeFrom: string,
    addresses: readonly string[],
    read: ReadMail | null,
  ): Promise<void> {
    this.#memory.take(addresses, raw.length);
    this.#parsing.add(contentId);
    try {
      await this.#finish(contentId, read ?? (await this.#read(raw, envelopeFrom)));
    } catch (err) {
      this.#deps.onFault(err, contentId);
    } finally {
      this.#memory.giveBack(addresses, raw.length);
      this.#parsing.delete(contentId);
    }
  }

  #finish(contentId: string, read: ReadMail): Promise<void> {
    const { database, appendEvents, now } = this.#deps;
    return database.transaction((tx) => storeParsed(tx, appendEvents, contentId, read, now()));
  }

  async #resume(contentId: string, attempts: number): Promise<void> {
    if (this.#parsing.has(contentId)) return;
    const { database, arrivals, onFault } = this.#deps;
    const copies = await copiesOf(database, contentId);
    const raw = await readRaw(database, contentId);
    if (!raw) return;
    const addresses = copies.map(({ address }) => address);
    const finished =
      attempts > ATTEMPTS_MAX
        ? this.#finish(contentId, { parsed: fallbackParse(raw, 'worker_crashed'), results: NOT_EVALUATED })
        : this.#parse(contentId, raw, copies[0]?.envelopeFrom ?? '', addresses, null);
    const work = finished.catch((err: unknown) => onFault(err, contentId));
    arrivals.track(addresses, work);
    await work;
  }
}

const TAKEN = { isRefused: false, read: null };

const namesOf = (addresses: readonly Address[]): string[] => addresses.map(({ address }) => address);
