import type { Readable } from 'node:stream';
import { ApiError } from '../../kernel/errors.ts';
import { hashSecret } from '../../kernel/secret.ts';
import type { Database, Tx } from '../../kernel/transaction.ts';
import { findAccount, isOpen } from '../accounts/account-rules.ts';
import type { Calendar } from './calendar-data.ts';
import {
  ensureCalendar,
  findCalendar,
  findCalendarByFeed,
  raiseFeedGeneration,
  renameCalendar,
  setFeed,
} from './calendar-store.ts';
import { DEFAULT_NAME, FeedText } from './feed-text-rules.ts';

export interface Feed {
  /** Returns RFC 5545 text, as a stream when it is too large for memory. */
  content(): Promise<string | Readable>;
  /** Strong: one revision of a calendar always has the same bytes. */
  etag: string;
  /** Milliseconds. */
  updatedAt: number;
}

export interface FeedDeps {
  database: Database;
  mailDomain: string;
  /** Derives the token of the n-th feed link of an account. */
  tokenFor(accountId: string, generation: number): string;
}

/** The feed link of each calendar, and the feed behind it. */
export class FeedRules {
  readonly #deps: FeedDeps;
  readonly #text: FeedText;

  constructor(deps: FeedDeps) {
    this.#deps = deps;
    this.#text = new FeedText(deps.database, deps.mailDomain);
  }

  /** Returns the token of the account's feed link, or null when it has none yet. */
  async findToken(accountId: string): Promise<string | null> {
    const { database, tokenFor } = this.#deps;
    const generation = (await findCalendar(database, accountId))?.feedGeneration ?? 0;
    return generation === 0 ? null : tokenFor(accountId, generation);
  }

  /** Returns the token of the account's feed link, and creates the link when it has none yet. */
  async ensureToken(tx: Tx, accountId: string, now: number): Promise<string> {
    await ensureCalendar(tx, accountId, now);
    const first = await raiseFeedGeneration(tx, accountId, 0);
    if (first !== null) return this.#setToken(tx, accountId, first);
    const calendar = await findCalendar(tx, accountId);
    return this.#deps.tokenFor(accountId, (calendar as Calendar).feedGeneration);
  }

  /** Replaces the feed link. The previous token stops working. @returns the new token */
  async rotate(tx: Tx, accountId: string, now: number): Promise<string> {
    await ensureCalendar(tx, accountId, now);
    const next = await raiseFeedGeneration(tx, accountId, Number.MAX_SAFE_INTEGER);
    return this.#setToken(tx, accountId, next as number);
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

  async #setToken(tx: Tx, accountId: string, generation: number): Promise<string> {
    const token = this.#deps.tokenFor(accountId, generation);
    await setFeed(tx, accountId, hashSecret(token));
    return token;
  }
}
