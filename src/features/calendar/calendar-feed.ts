import type { Readable } from 'node:stream';
import type { LockdownResult } from '../../api/account/lockdown-parts.ts';
import { ApiError } from '../../api/errors.ts';
import type { Principal } from '../../api/principal.ts';
import type { Reader, Tx } from '../../api/transaction.ts';
import { deriveToken, hashSecret, mintToken } from '../../base/secret.ts';
import { findAccount, isOpen } from '../account/accounts/account-lifecycle.ts';
import { findPresentedKey } from '../account/keys/named-key.ts';
import type { CalendarDeps } from './calendar-event.ts';
import {
  calendarsWithoutCopy,
  ensureCalendar,
  findCalendar,
  findCalendarByFeed,
  findKeyFeed,
  findKeyFeedByToken,
  insertKeyFeed,
  listKeyFeeds,
  raiseFeedGeneration,
  removeKeyFeed,
  renameCalendar,
  setFeed,
  setFeedCopy,
} from './calendar-store.ts';
import { type Calendar, FEED_TOKEN, KEY_FEED_TOKEN } from './calendar-table.ts';
import { DEFAULT_NAME, FeedText } from './feed-text.ts';

const TOKEN_PREFIX = 'cal_';
const COPIES_AT_A_TIME = 100;

export interface Feed {
  /** Returns RFC 5545 text, as a stream when it is too large for memory. */
  content(): Promise<string | Readable>;
  /** Strong: one revision of a calendar always has the same bytes. */
  etag: string;
  /** Milliseconds. */
  updatedAt: number;
}

/** Who asks for a feed link. */
type FeedCaller = Pick<Principal, 'accountId' | 'namedKeyId' | 'keyHash'>;

const NOT_VALID = 'This feed link is not valid.';

/** Null for every other credential: these share the account's link. */
const namedKeyHash = ({ namedKeyId, keyHash }: FeedCaller): string | null => (namedKeyId === null ? null : keyHash);

/**
 * The feed links of each calendar, and the feed behind them. The account has one. A named key has one for itself, which ends
 * with the key, so that what it hands out does not outlive it.
 */
export class FeedRules {
  readonly #deps: CalendarDeps;
  readonly #text: FeedText;

  constructor(deps: CalendarDeps) {
    this.#deps = deps;
    this.#text = new FeedText(deps.database, deps.mailDomain, deps.watchCache);
  }

  /** Returns the token of the caller's feed link, or null when there is none yet. */
  async findToken(caller: FeedCaller): Promise<string | null> {
    const { database } = this.#deps;
    const keyHash = namedKeyHash(caller);
    if (keyHash !== null) return this.#tokenOfKey(database, keyHash);
    return this.#copyOf(await findCalendar(database, caller.accountId));
  }

  /** Returns the token of the caller's feed link, and creates the link when there is none yet. */
  async ensureToken(tx: Tx, caller: Principal, now: number): Promise<string> {
    const { accountId } = caller;
    const keyHash = namedKeyHash(caller);
    const operatedBy = await this.#deps.gate.require(tx, caller, 'feed');
    await ensureCalendar(tx, accountId, now);
    if (keyHash !== null)
      return (await this.#tokenOfKey(tx, keyHash)) ?? this.#setKeyToken(tx, accountId, keyHash, now);
    const isFirst = (await raiseFeedGeneration(tx, accountId, 0)) !== null;
    const known = isFirst ? null : this.#copyOf(await findCalendar(tx, accountId));
    return known ?? this.#setToken(tx, accountId, operatedBy);
  }

  /** Replaces the caller's feed link. The previous token stops working. @returns the new token */
  async rotate(tx: Tx, caller: Principal, now: number): Promise<string> {
    const { accountId } = caller;
    const keyHash = namedKeyHash(caller);
    const operatedBy = await this.#deps.gate.require(tx, caller, 'feed');
    await ensureCalendar(tx, accountId, now);
    if (keyHash !== null) {
      await removeKeyFeed(tx, keyHash);
      return this.#setKeyToken(tx, accountId, keyHash, now);
    }
    await raiseFeedGeneration(tx, accountId, Number.MAX_SAFE_INTEGER);
    return this.#setToken(tx, accountId, operatedBy);
  }

  /** Replaces the feed link of an account that is being secured, if it has one. */
  async replaceLink(tx: Tx, accountId: string, now: number): Promise<LockdownResult> {
    const calendar = await findCalendar(tx, accountId);
    if (!calendar?.feedHash) return {};
    await raiseFeedGeneration(tx, accountId, Number.MAX_SAFE_INTEGER);
    await this.#setToken(tx, accountId, calendar.operatedBy);
    return { changes: [{ at: now, what: 'feed_link_replaced', detail: 'GET /v1/calendar/feed shows the new one' }] };
  }

  /** Names the calendar; null for the default. @returns the name that programs show */
  async rename(tx: Tx, accountId: string, name: string | null, now: number): Promise<string> {
    await ensureCalendar(tx, accountId, now);
    await renameCalendar(tx, accountId, name, now);
    return name ?? DEFAULT_NAME;
  }

  /** Returns the name that programs show. */
  async name(accountId: string): Promise<string> {
    return (await findCalendar(this.#deps.database, accountId))?.name ?? DEFAULT_NAME;
  }

  /** Opens the feed of a token. @throws ApiError `not_found` for an invalid token */
  async open(token: string, now: number): Promise<Feed> {
    const { database } = this.#deps;
    const feedHash = hashSecret(token);
    const own = await findCalendarByFeed(database, feedHash);
    const { calendar, addresses } = own ? { calendar: own, addresses: null } : await this.#calendarOfKey(feedHash, now);
    const account = calendar && (await findAccount(database, calendar.accountId));
    if (calendar === null || !(await isOpen(database, account)))
      throw new ApiError('not_found', { message: NOT_VALID });
    const { accountId, revision, updatedAt } = calendar;
    const refusal = await this.#deps.gate.mayLeave(
      database,
      { accountId, parentId: account?.parentId ?? null },
      'feed',
    );
    if (refusal({ target: null, operatedBy: own?.operatedBy ?? [] }))
      throw new ApiError('not_found', { message: NOT_VALID });
    const key = `${accountId}-${revision}${addresses === null ? '' : `-${hashSecret(addresses.join()).slice(0, 16)}`}`;
    // The revision is read before the events. After a change in between, the tag is too old and the next fetch is new.
    return { content: () => this.#text.read(calendar, key, addresses), etag: `"${key}"`, updatedAt };
  }

  /** Stores a copy of each link that an earlier version derived, so that it goes on being shown. */
  async copyDerivedLinks(): Promise<void> {
    const { database, secrets } = this.#deps;
    const { sealer, formerKey } = secrets;
    if (formerKey === null) return;
    for (let after = ''; ; ) {
      const calendars = await calendarsWithoutCopy(database, after, COPIES_AT_A_TIME);
      const last = calendars.at(-1);
      if (!last) return;
      await database.transaction(async (tx) => {
        for (const { accountId, feedGeneration, feedHash } of calendars) {
          const token = deriveToken(TOKEN_PREFIX, formerKey.key, `calendar feed ${accountId} ${feedGeneration}`);
          if (hashSecret(token) !== feedHash) continue;
          await setFeedCopy(tx, { accountId, feedHash, feedToken: sealer.seal(FEED_TOKEN, accountId, token) });
        }
      });
      after = last.accountId;
    }
  }

  /** The calendar of a named key's link, and the addresses that it is limited to. Null if the key has ended or may not read. */
  async #calendarOfKey(
    feedHash: string,
    now: number,
  ): Promise<{ calendar: Calendar | null; addresses: string[] | null }> {
    const { database } = this.#deps;
    const feed = await findKeyFeedByToken(database, feedHash);
    const key = feed && (await findPresentedKey(database, feed.keyHash));
    if (!key || key.endsAt <= now || !key.scopes.includes('calendar:read')) return { calendar: null, addresses: null };
    return { calendar: await findCalendar(database, key.accountId), addresses: key.addresses };
  }

  async #tokenOfKey(reader: Reader, keyHash: string): Promise<string | null> {
    const feed = await findKeyFeed(reader, keyHash);
    return feed && this.#deps.secrets.sealer.open(KEY_FEED_TOKEN, keyHash, feed.feedToken);
  }

  /** Also removes the links of keys that have ended, so that these do not add up. */
  async #setKeyToken(tx: Tx, accountId: string, keyHash: string, now: number): Promise<string> {
    for (const feed of await listKeyFeeds(tx, accountId))
      if (((await findPresentedKey(tx, feed.keyHash))?.endsAt ?? 0) <= now) await removeKeyFeed(tx, feed.keyHash);
    const token = mintToken(TOKEN_PREFIX);
    const feedToken = this.#deps.secrets.sealer.seal(KEY_FEED_TOKEN, keyHash, token);
    await insertKeyFeed(tx, { keyHash, accountId, feedHash: hashSecret(token), feedToken });
    return token;
  }

  #copyOf(calendar: Calendar | null): string | null {
    if (!calendar?.feedToken) return null;
    return this.#deps.secrets.sealer.open(FEED_TOKEN, calendar.accountId, calendar.feedToken);
  }

  async #setToken(tx: Tx, accountId: string, operatedBy: readonly string[]): Promise<string> {
    const token = mintToken(TOKEN_PREFIX);
    const feedToken = this.#deps.secrets.sealer.seal(FEED_TOKEN, accountId, token);
    await setFeed(tx, { accountId, feedHash: hashSecret(token), feedToken, operatedBy });
    return token;
  }
}
