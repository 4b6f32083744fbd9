import { hash } from 'node:crypto';
import {
  ADDRESS_EVENTS,
  type AppendEvent,
  type AppendEvents,
  addressOf,
  type EventType,
  type NewEvent,
  type ReserveEvents,
} from '../api/events.ts';
import type { Reader, Tx } from '../api/transaction.ts';
import { iso } from '../base/clock.ts';
import { base32, parseBase32 } from '../base/ids.ts';
import { BACKWARD, deleteBefore, EVENTS, type EventRow, FORWARD, headOf, setWatched } from './event-statements.ts';

/** An event in the form that every API returns. */
export interface LoggedEvent {
  id: string;
  /** Its number in the account's order; the wire has it inside the id. */
  seq: number;
  type: EventType;
  created_at: string;
  data: unknown;
}

/**
 * An event's id is its cursor: 13 characters of its number in the account's order, then 13 of the account's hash so
 * that ids differ between accounts and a webhook receiver can recognize repeats.
 */
export function eventId(accountId: string, seq: number): string {
  if (told.accountId !== accountId) told = { accountId, ending: endingOf(accountId) };
  return `ev_${base32(seq, 13)}${told.ending}`;
}

/** 48 bits. As text, because a buffer for each event would be one more to collect. */
const endingOf = (accountId: string): string =>
  base32(Number.parseInt(hash('sha256', accountId, 'hex').slice(0, 12), 16), 13);

/** The last account. Events of one account come together: those of a list, and those of calls that share a commit. */
let told = { accountId: '', ending: endingOf('') };

/** The number inside an event id, or null for other text. */
export function eventSeq(id: string): number | null {
  const seq = /^ev_[0-9a-z]{26}$/.test(id) ? parseBase32(id.slice(3, 16)) : null;
  return seq !== null && Number.isSafeInteger(seq) ? seq : null;
}

/** The topic that wakes readers of an account's events. */
export const eventsTopic = (accountId: string): string => `events:${accountId}`;

/** Appends an event to the log of its account. */
async function append(tx: Tx, event: NewEvent): Promise<{ event: AppendedEvent; isWatched: boolean }> {
  const { accountId, type, data, now } = event;
  const { seq, isWatched } = await tx.append(EVENTS, accountId, (end) => ({
    end: { seq: end.seq + 1, isWatched: end.isWatched },
    row: {
      account_id: accountId,
      seq: end.seq + 1,
      type,
      data: JSON.stringify(data),
      created_at: now,
      address: addressOf(type, data),
    },
  }));
  return { event: { ...event, id: eventId(accountId, seq) }, isWatched };
}

/** Appends each account's events in their order. The accounts have one too, so that no two transactions wait for each other. */
async function appendAll(tx: Tx, events: readonly NewEvent[]): Promise<{ event: AppendedEvent; isWatched: boolean }[]> {
  const logs = Map.groupBy(events, ({ accountId }) => accountId);
  const appended: { event: AppendedEvent; isWatched: boolean }[] = [];
  await tx.lockLogs(EVENTS, [...logs.keys()]);
  for (const accountId of [...logs.keys()].sort()) {
    for (const event of logs.get(accountId) as NewEvent[]) appended.push(await append(tx, event));
    tx.signal(eventsTopic(accountId));
  }
  return appended;
}

/** An event with the id that the log gave it. */
export type AppendedEvent<T extends EventType = EventType> = Extract<NewEvent, { type: T }> & { id: string };

/** Called in the transaction that appends the event. */
type Watcher = (tx: Tx, event: AppendedEvent) => Promise<void>;

/**
 * The one way to append an event. Watchers write in the same transaction, so that an event never exists without its
 * consequences. They are called for accounts that {@link EventLog.setWatched} has marked, so that events of all others
 * cost nothing more.
 */
export class EventLog {
  readonly #watchers: Watcher[] = [];
  readonly #everywhere = new Map<EventType, Watcher[]>();

  /** Calls `watcher` with each event of a type, of any account. */
  watchType<T extends EventType>(type: T, watcher: (tx: Tx, event: AppendedEvent<T>) => Promise<void>): void {
    this.#everywhere.set(type, [...(this.#everywhere.get(type) ?? []), watcher as Watcher]);
  }

  /** Calls `watcher` with each event of a watched account. */
  watch(watcher: Watcher): void {
    this.#watchers.push(watcher);
  }

  /** Marks whether an account is watched, from its next event on. */
  readonly setWatched = async (tx: Tx, accountId: string, isWatched: boolean): Promise<void> =>
    void (await tx.run(setWatched, { account_id: accountId, watched: isWatched ? 1 : 0 }));

  /** Appends an event in the transaction of its cause. */
  readonly append: AppendEvent<Tx> = async (tx, event) => {
    const { event: appended, isWatched } = await append(tx, event as NewEvent);
    tx.signal(eventsTopic(event.accountId));
    await this.#call(tx, appended, isWatched);
  };

  /** Appends events in the transaction of their cause, each account's in their order. */
  readonly appendAll: AppendEvents<Tx> = async (tx, events) => {
    for (const { event, isWatched } of await appendAll(tx, events)) await this.#call(tx, event, isWatched);
  };

  /** Locks event logs that are free and not watched, with one statement, to append to them. */
  readonly reserve: ReserveEvents<Tx> = (tx, accountIds) => tx.tryLockLogs(EVENTS, accountIds);

  async #call(tx: Tx, event: AppendedEvent, isWatched: boolean): Promise<void> {
    for (const watcher of this.#everywhere.get(event.type) ?? []) await watcher(tx, event);
    if (isWatched) for (const watcher of this.#watchers) await watcher(tx, event);
  }
}

const toEvent = (accountId: string, row: EventRow): LoggedEvent => ({
  id: eventId(accountId, row.seq),
  seq: row.seq,
  type: row.type as EventType,
  created_at: iso(row.created_at),
  data: JSON.parse(row.data) as unknown,
});

/** Which events are read; null: all types. */
export type EventTypes = readonly EventType[] | null;

export interface EventRange {
  accountId: string;
  types: EventTypes;
  /** Only events about these addresses of the account, in each list once. Null: every event. */
  addresses: readonly string[] | null;
  limit: number;
}

/**
 * Each type, or each type of each address, is read along its index and the lists are merged. They are read one after the
 * other, and events may be added meanwhile: up to the head as it stood before the first, every list is whole, so a reader
 * that goes on from its last event has missed none.
 */
async function rowsOfLists(
  reader: Reader,
  { accountId, types, addresses, limit }: EventRange,
  between: { after: number; before: number },
  { ofType, ofAddress }: typeof FORWARD,
): Promise<EventRow[]> {
  const before = Math.min(between.before, (await lastEventSeq(reader, accountId)) + 1);
  const range = { account_id: accountId, after: between.after, before, limit };
  if (before - range.after <= 1) return [];
  const kinds = addresses === null ? (types ?? []) : ADDRESS_EVENTS.filter((type) => types?.includes(type) ?? true);
  const lists = kinds.flatMap((type) =>
    addresses === null
      ? [reader.all(ofType, { ...range, type })]
      : addresses.map((address) => reader.all(ofAddress, { ...range, type, address })),
  );
  return (await Promise.all(lists)).flat();
}

async function readBetween(
  reader: Reader,
  range: EventRange,
  between: { after: number; before: number },
  lists: typeof FORWARD,
): Promise<LoggedEvent[]> {
  const { accountId, types, addresses, limit } = range;
  const rows =
    types === null && addresses === null
      ? await reader.all(lists.all, { account_id: accountId, ...between, limit })
      : await rowsOfLists(reader, range, between, lists);
  rows.sort((a, b) => (lists.direction === 'asc' ? a.seq - b.seq : b.seq - a.seq));
  return rows.slice(0, limit).map((row) => toEvent(accountId, row));
}

/** Up to `limit` events after number `seq`, in order. */
export const readEvents = (reader: Reader, range: EventRange, seq: number): Promise<LoggedEvent[]> =>
  readBetween(reader, range, { after: seq, before: Number.MAX_SAFE_INTEGER }, FORWARD);

/** Up to `limit` events before number `seq`, newest first. */
export const readEventsBefore = (reader: Reader, range: EventRange, seq: number): Promise<LoggedEvent[]> =>
  readBetween(reader, range, { after: 0, before: seq }, BACKWARD);

/** The number of the account's latest event; 0 before the first. */
export const lastEventSeq = async (reader: Reader, accountId: string): Promise<number> =>
  (await reader.first(headOf, { account_id: accountId }))?.last_seq ?? 0;

export const purgeEvents = (tx: Tx, before: number): Promise<number> => tx.run(deleteBefore, { before });
