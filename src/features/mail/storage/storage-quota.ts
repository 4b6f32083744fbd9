import type { AppendEvent } from '../../../api/events.ts';
import type { Limits } from '../../../api/limits.ts';
import { limitReached } from '../../../api/metering/limit-reached.ts';
import type { Principal } from '../../../api/principal.ts';
import { type Database, pipeline, type Reader, type Tx } from '../../../api/transaction.ts';
import type { JobEffects } from '../../../jobs/job-effects.ts';
import { findAccount } from '../../account/accounts/account-lifecycle.ts';
import type { Account } from '../../account/accounts/account-table.ts';
import { quotasOf } from '../../identity/login/account-access.ts';
import { takeMailFrom } from '../../service/limits/email-quota.ts';
import { evictSent, evictSpamAndTrash } from '../mailboxes/eviction.ts';
import { lockStored, readShare, readStored, type Stored, saveTold } from './storage-store.ts';

export type { Stored };

export interface StorageDeps {
  database: Database;
  limits: Limits;
  appendEvent: AppendEvent<Tx>;
  jobEffects: JobEffects;
  now(): number;
}

/** A mail for one account. */
export interface Arriving {
  accountId: string;
  sizeBytes: number;
  /** A domain that DMARC proved, a network, or an account of this service. */
  sender: string;
  /** The account, if the caller has read it. */
  account?: Account;
  /** What {@link StorageRules.lock} found, if nothing was stored or deleted since. */
  stored?: Stored | undefined;
}

/** Why a mail is not taken now. */
export type NoRoom = 'storage_full' | 'sender_share' | 'sender_rate';

/** One sender's mail fills at most this part of an account's storage. */
const SENDER_PART = 4;
/** Percentages: from when the owner is told, and below which that is forgotten. */
const WARN_AT = 80;
const FORGET_BELOW = 70;
/** What a full account must have free before a server may begin to send it mail. */
const LEAST_FREE = 65_536;
/** What is cleared at least, so that the next mails do not clear again: each time leaves an audit entry. */
const CLEARED_LEAST = 1_048_576;
const NOTHING = { freed: 0, count: 0 };
/** Rounds of clearing in one transaction. Other writers wait for it. */
const CLEARINGS_MAX = 10;

/** Keeps each account below its share of the disk. Triggers count what is stored, in the transaction that stores it. */
export class StorageRules {
  readonly #deps: StorageDeps;

  constructor(deps: StorageDeps) {
    this.#deps = deps;
  }

  /** Bytes that an account stores. */
  async used(reader: Reader, accountId: string): Promise<number> {
    return (await readStored(reader, accountId)).used;
  }

  /** Locks the counts of several accounts in one order, so that no two transactions wait for each other. */
  async lock(tx: Tx, accountIds: readonly string[]): Promise<Map<string, Stored>> {
    const locked = new Map<string, Stored>();
    for (const accountId of [...new Set(accountIds)].sort()) locked.set(accountId, await lockStored(tx, accountId));
    return locked;
  }

  /**
   * Refuses what a caller stores beyond its limit. Trash and spam go first, then what is kept of sent mail, which no mail of
   * strangers pushes out.
   * @throws ApiError `storage_full`
   */
  async requireRoom(
    tx: Tx,
    { accountId, limits }: Pick<Principal, 'accountId' | 'limits'>,
    sizeBytes: number,
    now: number,
  ): Promise<void> {
    const max = limits.storage_bytes;
    // With room to spare: the caller may be storing it meanwhile.
    const stored = await this.#cleared(tx, accountId, { sizeBytes, spare: sizeBytes, isOwn: true }, max);
    if (stored.used + sizeBytes > max) throw limitReached('storage_bytes', { used: stored.used, max });
    await this.#tell(tx, accountId, stored, { used: stored.used + sizeBytes, max }, now);
  }

  /**
   * Decides whether a mail may be stored, and counts it against the rate of its sender.
   * @returns null when it may. `read`: only the domain of its sender can tell, so it must be read first
   */
  async admit(tx: Tx, mail: Arriving & { isRead: boolean }, now: number): Promise<NoRoom | 'read' | null> {
    const { accountId, sizeBytes, sender, isRead, account, stored: known } = mail;
    const rate = this.#deps.limits.mails_per_sender_per_hour;
    const max = await this.#maxOf(tx, accountId, account);
    const [stored, share, taken] = await pipeline([
      this.#cleared(tx, accountId, { sizeBytes, spare: 0 }, max, known),
      readShare(tx, accountId, sender),
      takeMailFrom(tx, { accountId, sender }, rate, now),
    ]);
    const most = max / SENDER_PART;
    if (stored.used + sizeBytes > max) return 'storage_full';
    // As long as all mail fits a quarter, so does that of each domain.
    if (!isRead && (!taken || stored.used + sizeBytes > most)) return 'read';
    if (!taken) return 'sender_rate';
    if (sender !== accountId && share + sizeBytes > most) return 'sender_share';
    await this.#tell(tx, accountId, stored, { used: stored.used + sizeBytes, max }, now);
    return null;
  }

  /** Whether mail for an account need not be sent at all, because it was full and still is. */
  async isShut(accountId: string): Promise<boolean> {
    const { database } = this.#deps;
    if ((await readStored(database, accountId)).told < 100) return false;
    const max = await this.#maxOf(database, accountId);
    const isFull = async (): Promise<boolean> => (await this.used(database, accountId)) + LEAST_FREE > max;
    if (!(await isFull())) return false;
    return (await this.clear(accountId, LEAST_FREE)) === 0 || isFull();
  }

  /** Deletes the oldest mail in trash and spam. @returns the bytes that were freed */
  clear(accountId: string, sizeBytes: number): Promise<number> {
    const bytes = Math.max(sizeBytes, CLEARED_LEAST);
    return this.#deps.database.transaction((tx) => this.#clearIn(tx, accountId, bytes, false));
  }

  async #clearIn(tx: Tx, accountId: string, bytes: number, hasStored: boolean, isOwn = false): Promise<number> {
    const others = await evictSpamAndTrash(tx, accountId, bytes, hasStored);
    const sent = isOwn && others.freed < bytes ? await evictSent(tx, accountId, bytes - others.freed) : NOTHING;
    const [freed, count] = [others.freed + sent.freed, others.count + sent.count];
    const effect = { accountId, action: 'storage.cleared', resourceId: null, count };
    if (count > 0) await this.#deps.jobEffects.note(tx, { ...effect, now: this.#deps.now() });
    return freed;
  }

  /** Tells the owner that mail was deferred because the account is full. */
  async tellFull(accountId: string, now: number): Promise<void> {
    const { database, appendEvent } = this.#deps;
    if ((await readStored(database, accountId)).told === 100) return;
    await database.transaction(async (tx) => {
      const { used, told } = await lockStored(tx, accountId);
      if (told === 100) return;
      await saveTold(tx, accountId, 100);
      const data = { percent: 100, used, max: await this.#maxOf(tx, accountId) };
      await appendEvent(tx, { accountId, type: 'storage.filling', data, now });
    });
  }

  /** Locks what is counted. When the account has no room left, the oldest mail in trash and spam goes, enough for many mails. */
  async #cleared(
    tx: Tx,
    accountId: string,
    { sizeBytes, spare, isOwn = false }: { sizeBytes: number; spare: number; isOwn?: boolean },
    max: number,
    known?: Stored,
  ): Promise<Stored> {
    let stored = known ?? (await lockStored(tx, accountId));
    for (let round = 0; round < CLEARINGS_MAX; round += 1) {
      const missing = stored.used + sizeBytes - max;
      if (missing <= 0) break;
      const bytes = Math.max(missing + spare, CLEARED_LEAST);
      if ((await this.#clearIn(tx, accountId, bytes, true, isOwn)) === 0) break;
      stored = await lockStored(tx, accountId);
    }
    return stored;
  }

  async #maxOf(reader: Reader, accountId: string, known?: Account): Promise<number> {
    const account = known ?? (await findAccount(reader, accountId));
    if (account === null) return 0;
    return (await quotasOf(reader, account, this.#deps.limits)).payer.limits.storage_bytes;
  }

  async #tell(tx: Tx, accountId: string, { told }: Stored, after: { used: number; max: number }, now: number) {
    const percent = (after.used / after.max) * 100;
    if (percent >= WARN_AT && told < WARN_AT) {
      await saveTold(tx, accountId, WARN_AT);
      const data = { percent: WARN_AT, ...after };
      await this.#deps.appendEvent(tx, { accountId, type: 'storage.filling', data, now });
    } else if (told > 0 && percent < FORGET_BELOW) await saveTold(tx, accountId, 0);
  }
}
