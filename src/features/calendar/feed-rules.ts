import { Readable } from 'node:stream';
import ical, { foldLines, ICalEvent } from 'ical-generator';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../../kernel/errors.ts';
import { hashSecret } from '../../kernel/secret.ts';
import type { Database, Tx } from '../../kernel/transaction.ts';
import { findAccount, isOpen } from '../accounts/account-rules.ts';
import {
  type Calendar,
  ensureCalendar,
  findCalendar,
  findCalendarByFeed,
  raiseFeedGeneration,
  renameCalendar,
  setFeed,
} from './calendar-store.ts';
import { type CalendarEvent, listEvents } from './event-store.ts';

export interface Feed {
  /** RFC 5545 text, written when it is asked for; as a stream where it is too large to be held. */
  content(): Promise<string | Readable>;
  /** Strong: the same calendar at the same revision has the same bytes. */
  etag: string;
  /** Milliseconds. */
  updatedAt: number;
}

export interface FeedRules {
  /** The token of the account's feed link, or null before the first look. */
  known(accountId: string): Promise<string | null>;
  /** The same, made where there is none. */
  token(tx: Tx, accountId: string, now: number): Promise<string>;
  /** A new one; the one before opens nothing from then on. */
  rotate(tx: Tx, accountId: string, now: number): Promise<string>;
  /** @returns what programs show from then on */
  rename(tx: Tx, accountId: string, name: string | null, now: number): Promise<string>;
  name(accountId: string): Promise<string>;
  /** @throws ApiError `not_found` for a token that opens nothing */
  open(token: string): Promise<Feed>;
}

export interface FeedDeps {
  database: Database;
  mailDomain: string;
  /** What the n-th link of an account ends in. */
  tokenFor(accountId: string, generation: number): string;
}

const DEFAULT_NAME = 'Calendar';
/** How often programs that heed it ask again. */
const REFRESH_SECONDS = 900;
/** Written without a pause: some milliseconds of work, and at most 8 MB. */
const CHUNK = 100;
const REMEMBERED_CHARS = 32_000_000;
/** The largest calendars hold hundreds of megabytes. */
const WHOLE_CHARS = 4_000_000;
const FIRST = Number.MIN_SAFE_INTEGER;
const ALL = { earliest: FIRST, from: FIRST, to: Number.MAX_SAFE_INTEGER };

/** What calendar programs cannot read: control characters other than line breaks and tabs (RFC 5545 3.3.11). */
const printable = (text: string): string => text.replace(/\p{Cc}/gu, (char) => (/[\n\r\t]/.test(char) ? char : ''));

const optional = (text: string | null, name: string) => (text === null ? {} : { [name]: printable(text) });

export function createFeedRules({ database, mailDomain, tokenFor }: FeedDeps): FeedRules {
  const written = new LRUCache<string, { text: string | null }>({
    maxSize: REMEMBERED_CHARS,
    sizeCalculation: ({ text }) => Math.max(1, text?.length ?? 0),
  });
  const writing = new Map<string, Promise<string | null>>();

  /** The link is public: what many ask for at the same time is written once. */
  function textOf(calendar: Calendar, key: string): Promise<string | null> {
    const underWay = writing.get(key);
    if (underWay) return underWay;
    const text = write(calendar).finally(() => writing.delete(key));
    writing.set(key, text);
    return text;
  }

  const setToken = async (tx: Tx, accountId: string, generation: number): Promise<string> => {
    const token = tokenFor(accountId, generation);
    await setFeed(tx, accountId, hashSecret(token));
    return token;
  };

  /** One VEVENT. The UID never changes, so that programs see a change and not another event. */
  function eventText(calendar: ReturnType<typeof ical>, event: CalendarEvent): string {
    const changed = new Date(event.updatedAt);
    const entry = new ICalEvent(
      {
        id: `${event.id}@${mailDomain}`,
        start: new Date(event.startAt),
        end: new Date(event.endAt),
        allDay: event.allDay,
        summary: printable(event.summary),
        ...optional(event.description, 'description'),
        ...optional(event.location, 'location'),
        attendees: event.attendees.map((email) => ({ email, name: email })),
        sequence: event.sequence,
        stamp: changed,
        created: new Date(event.createdAt),
        lastModified: changed,
      },
      calendar,
    );
    // The library folds whole calendars only.
    return foldLines(entry.toString());
  }

  /** The whole calendar, in slices, so that a large one holds nobody up. */
  async function* slices({ accountId, name }: Calendar): AsyncGenerator<string> {
    const calendar = ical({
      name: name ?? DEFAULT_NAME,
      prodId: '//Signet//Signet//EN',
      ttl: REFRESH_SECONDS,
    });
    const [head, tail] = calendar.toString().split(/(?=END:VCALENDAR)/) as [string, string];
    yield head;
    let after: { startAt: number; id: string } | null = null;
    for (;;) {
      const events: CalendarEvent[] = await listEvents(database, accountId, ALL, after, CHUNK);
      yield events.map((event) => eventText(calendar, event)).join('');
      after = events.at(-1) ?? null;
      if (events.length === CHUNK) continue;
      yield tail;
      return;
    }
  }

  /** In one piece, or null for what is too large to be. */
  async function write(calendar: Calendar): Promise<string | null> {
    const parts: string[] = [];
    let chars = 0;
    for await (const slice of slices(calendar)) {
      chars += slice.length;
      if (chars > WHOLE_CHARS) return null;
      parts.push(slice);
    }
    return parts.join('');
  }

  return {
    async known(accountId) {
      const generation = (await findCalendar(database, accountId))?.feedGeneration ?? 0;
      return generation === 0 ? null : tokenFor(accountId, generation);
    },

    async token(tx, accountId, now) {
      await ensureCalendar(tx, accountId, now);
      const first = await raiseFeedGeneration(tx, accountId, 0);
      if (first !== null) return setToken(tx, accountId, first);
      const calendar = await findCalendar(tx, accountId);
      return tokenFor(accountId, (calendar as Calendar).feedGeneration);
    },

    async rotate(tx, accountId, now) {
      await ensureCalendar(tx, accountId, now);
      const next = await raiseFeedGeneration(tx, accountId, Number.MAX_SAFE_INTEGER);
      return setToken(tx, accountId, next as number);
    },

    async rename(tx, accountId, name, now) {
      await ensureCalendar(tx, accountId, now);
      await renameCalendar(tx, accountId, name, now);
      return name ?? DEFAULT_NAME;
    },

    name: async (accountId) => (await findCalendar(database, accountId))?.name ?? DEFAULT_NAME,

    async open(token) {
      const calendar = await findCalendarByFeed(database, hashSecret(token));
      const account = calendar && (await findAccount(database, calendar.accountId));
      if (!(await isOpen(database, account)))
        throw new ApiError('not_found', { message: 'This feed link opens nothing.' });
      const { accountId, revision, updatedAt } = calendar as Calendar;
      const key = `${accountId}-${revision}`;
      // The revision is read before the events: a change in between makes the tag too old, and the next look newer.
      const content = async (): Promise<string | Readable> => {
        const text = written.get(key) ?? { text: await textOf(calendar as Calendar, key) };
        written.set(key, text);
        return text.text ?? Readable.from(slices(calendar as Calendar));
      };
      return { content, etag: `"${key}"`, updatedAt };
    },
  };
}
