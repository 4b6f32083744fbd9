import type { Principal } from '../../../api/principal.ts';
import type { Database, Reader, Tx } from '../../../api/transaction.ts';
import { networkOf } from '../../../base/client-network.ts';
import { DAY_MS, dayStart, utcDay } from '../../../base/period.ts';
import { findAllSuspensions } from '../accounts/account-lifecycle.ts';
import { addToKeyDays, listKeyDays, purgeKeyDays } from './key-day-store.ts';
import { saveLastUse } from './named-key.ts';

/** The days that an account sees of the calls of its keys, with the current one. */
export const KEY_USE_DAYS = 30;

/** The uses of one transaction. On SQLite, requests wait for one. */
const SAVED_TOGETHER = 200;

/** What a key did on a day, and is not saved yet. */
interface Unsaved {
  accountId: string;
  keyId: string;
  isNamed: boolean;
  dayStart: number;
  requests: number;
  lastUsedAt: number;
  /** Null: not known. */
  ip: string | null;
}

/** What an account sees of a key's calls. */
export interface KeyUse {
  lastUsedAt: number;
  /** A /24 or a /48; null where it is not known. */
  network: string | null;
  /** The calls of each day that had any, oldest first. */
  days: Map<string, number>;
}

/**
 * When each key was last used, from where, and how often on each day. Kept in memory and saved once a minute, because a
 * write for each call would cost too much.
 */
export class KeyUses {
  readonly #database: Database;
  #unsaved = new Map<string, Unsaved>();
  /** Of days that have ended. */
  #ended: Unsaved[] = [];

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Notes that a key was presented. A session that it opened is not the key. This runs for every call.
   * @param ip of a call of the API; undefined where a key only proves who asks
   */
  note({ accountId, auditActor, namedKeyId, consoleHash }: Principal, now: number, ip: string | undefined): void {
    if (auditActor.kind !== 'key' || consoleHash !== null) return;
    const { id: keyId } = auditActor;
    const known = this.#unsaved.get(keyId);
    if (known !== undefined && now < known.dayStart + DAY_MS) {
      known.lastUsedAt = now;
      if (ip === undefined) return;
      known.requests += 1;
      known.ip = ip;
      return;
    }
    if (known !== undefined) this.#ended.push(known);
    const isNamed = namedKeyId !== null;
    const [requests, day] = [ip === undefined ? 0 : 1, dayStart(now)];
    const of = { accountId, keyId, isNamed };
    this.#unsaved.set(keyId, { ...of, dayStart: day, requests, lastUsedAt: now, ip: ip ?? null });
  }

  readonly save = async (): Promise<void> => {
    if (this.#unsaved.size === 0) return;
    const uses = [...this.#ended, ...this.#unsaved.values()];
    // In one order on every instance, so that two instances do not wait for each other.
    uses.sort((a, b) => (a.keyId < b.keyId ? -1 : a.keyId > b.keyId ? 1 : a.dayStart - b.dayStart));
    [this.#unsaved, this.#ended] = [new Map(), []];
    for (let from = 0; from < uses.length; from += SAVED_TOGETHER) {
      const some = uses.slice(from, from + SAVED_TOGETHER);
      await this.#database.transaction(async (tx) => {
        // What was erased since its key was used must not leave a row behind.
        const known = await findAllSuspensions(
          tx,
          some.map(({ accountId }) => accountId),
        );
        const days = some.filter(({ accountId }) => known.has(accountId));
        await addToKeyDays(
          tx,
          days.map(({ isNamed: _, ip, ...use }) => ({ ...use, network: ip === null ? null : networkOf(ip) })),
        );
        for (const { isNamed, keyId, lastUsedAt } of some) if (isNamed) await saveLastUse(tx, keyId, lastUsedAt);
      });
    }
  };

  /** The last 30 days of an account's keys, by key. What other instances did not save yet, for a minute, is not in. */
  async read(reader: Reader, accountId: string, now: number): Promise<Map<string, KeyUse>> {
    const uses = new Map<string, KeyUse>();
    const saved = await listKeyDays(reader, accountId);
    const from = firstDay(now);
    for (const { keyId, dayStart: day, requests, lastUsedAt, network } of saved)
      if (day >= from) add(uses, { keyId, dayStart: day, requests, lastUsedAt }, network);
    for (const use of [...this.#ended, ...this.#unsaved.values()])
      if (use.accountId === accountId) add(uses, use, use.ip === null ? null : networkOf(use.ip));
    return uses;
  }
}

const firstDay = (now: number): number => dayStart(now) - (KEY_USE_DAYS - 1) * DAY_MS;

function add(
  uses: Map<string, KeyUse>,
  { keyId, dayStart: start, requests, lastUsedAt }: Pick<Unsaved, 'keyId' | 'dayStart' | 'requests' | 'lastUsedAt'>,
  network: string | null,
): void {
  const { days, network: before } = uses.get(keyId) ?? { days: new Map<string, number>(), network: null };
  const day = utcDay(start);
  if (requests > 0) days.set(day, (days.get(day) ?? 0) + requests);
  uses.set(keyId, { lastUsedAt, network: network ?? before, days });
}

/** Forgets the days that no account sees any more. */
export const expireKeyDays = async (tx: Tx, now: number): Promise<void> =>
  void (await purgeKeyDays(tx, firstDay(now) - 1));
