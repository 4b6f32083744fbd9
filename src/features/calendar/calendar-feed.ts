import type { Readable } from 'node:stream';
import type { LockdownResult } from '../../api/account/lockdown-parts.ts';
import { ApiError } from '../../api/errors.ts';
import type { Tx } from '../../api/transaction.ts';
import { deriveToken, hashSecret, mintToken } from '../../base/secret.ts';
import { findAccount, isOpen } from '../account/accounts/account-lifecycle.ts';
import type { CalendarDeps } from './calendar-event.ts';
import {
  calendarsWithoutCopy,
  ensureCalendar,
  findCalendar,
  findCalendarByFeed,
  raiseFeedGeneration,
  renameCalendar,
  setFeed,
  setFeedCopy,
} from './calendar-store.ts';
import { type Calendar, FEED_TOKEN } from './calendar-table.ts';
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

/** The feed link of each calendar, and the feed behind it. */
export class FeedRules {
  readonly #deps: CalendarDeps;
  readonly #text: FeedText;

  constructor(deps: CalendarDeps) {
    this.#deps = deps;
    this.#text = new FeedText(deps.database, deps.mailDomain, deps.watchCache);
  }

  /** Returns the token of the account's feed link, or null when it has none yet. */
  async findToken(accountId: string): Promise<string | null> {
    return this.#copyOf(await findCalendar(this.#deps.database, accountId));
  }

  /** Returns the token of the account's feed link, and creates the link when it has none yet. */
  async ensureToken(tx: Tx, accountId: string, now: number): Promise<string> {
    await ensureCalendar(tx, accountId, now);
    const isFirst = (await raiseFeedGeneration(tx, accountId, 0)) !== null;
    const known = isFirst ? null : this.#copyOf(await findCalendar(tx, accountId));
    return known ?? this.#setToken(tx, accountId);
  }

  /** Replaces the feed link. The previous token stops working. @returns the new token */
  async rotate(tx: Tx, accountId: string, now: number): Promise<string> {
    await ensureCalendar(tx, accountId, now);
    await raiseFeedGeneration(tx, accountId, Number.MAX_SAFE_INTEGER);
    return this.#setToken(tx, accountId);
  }

  /** Replaces the feed link of an account that is being secured, if it has one. */
  async replaceLink(tx: Tx, accountId: string, now: number): Promise<LockdownResult> {
    if (!(await findCalendar(tx, accountId))?.feedHash) return {};
    await this.rotate(tx, accountId, now);
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
  async open(token: string): Promise<Feed> {
    const { database } = this.#deps;
    const calendar = await findCalendarByFeed(database, hashSecret(token));
    const account = calendar && (await findAccount(database, calendar.accountId));
    if (calendar === null || !(await isOpen(database, account)))
      throw new ApiError('not_found', { message: 'This feed link is not valid.' });
    const { accountId, revision, updatedAt } = calendar;
    const key = `${accountId}-${revision}`;
    // The revision is read before the events. After a change in between, the tag is too old and the next fetch is new.
    return { content: () => this.#text.read(calendar, key), etag: `"${key}"`, updatedAt };
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

  #copyOf(calendar: Calendar | null): string | null {
    if (!calendar?.feedToken) return null;
    return this.#deps.secrets.sealer.open(FEED_TOKEN, calendar.accountId, calendar.feedToken);
  }

  async #setToken(tx: Tx, accountId: string): Promise<string> {
    const token = mintToken(TOKEN_PREFIX);
    const feedToken = this.#deps.secrets.sealer.seal(FEED_TOKEN, accountId, token);
    await setFeed(tx, { accountId, feedHash: hashSecret(token), feedToken });
    return token;
  }
}
