import { ApiError } from '../../../api/errors.ts';
import { EVENT_TYPES, type EventType } from '../../../api/events.ts';
import type { Reader } from '../../../api/transaction.ts';
import { nearestWord } from '../../../base/nearest-word.ts';
import {
  type EventRange,
  type EventTypes,
  eventId,
  eventSeq,
  type LoggedEvent,
  lastEventSeq,
  readEvents,
  readEventsBefore,
} from '../../../events/event-log.ts';
import { shownEvent } from '../../mail/mailboxes/messages/shown-mail.ts';

export type { EventTypes, LoggedEvent };
export { shownEvent };

export interface EventPage {
  events: LoggedEvent[];
  hasMore: boolean;
  /** Where to continue. Forward: the last id of the page, or the id that the reader sent. Backward: null at the end. */
  cursor: string | null;
}

/** Parses a `type` parameter. Returns null for all types. @throws ApiError `invalid_request` for an unknown type */
export function parseTypes(text: string | undefined): EventTypes {
  if (text === undefined) return null;
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  const unknown = names.find((name) => !(EVENT_TYPES as readonly string[]).includes(name));
  if (unknown === undefined) return names as EventType[];
  const message = `${JSON.stringify(unknown)} is not an event type. Send one or more of ${EVENT_TYPES.join(', ')}, separated by commas.`;
  const [path, suggestion] = ['/query/type', nearestWord(unknown, EVENT_TYPES)];
  throw new ApiError('invalid_request', { message, details: [{ path, code: 'not_allowed', message, suggestion }] });
}

/** Returns the number in an event id. @throws ApiError `invalid_cursor` with the name of the parameter */
export function requireSeq(id: string, name: string, others = ''): number {
  const seq = eventSeq(id);
  if (seq === null) throw new ApiError('invalid_cursor', { message: `${name} must be the id of an event${others}.` });
  return seq;
}

/** Reads the events after `after`, oldest first. @throws ApiError `invalid_cursor` */
export async function readEventPage(
  reader: Reader,
  request: EventRange,
  after: string | undefined,
): Promise<EventPage> {
  const { limit } = request;
  const seq = after === undefined ? 0 : requireSeq(after, '`after`', ', or `latest`');
  const events = await readEvents(reader, { ...request, limit: limit + 1 }, seq);
  const page = events.slice(0, limit);
  return { events: page, hasMore: events.length > limit, cursor: page.at(-1)?.id ?? after ?? null };
}

/** Reads the events before `before`, or the latest ones, newest first. @throws ApiError `invalid_cursor` */
export async function readEventPageBack(
  reader: Reader,
  request: EventRange,
  before: string | undefined,
): Promise<EventPage> {
  const { limit } = request;
  const seq = before === undefined ? Number.MAX_SAFE_INTEGER : requireSeq(before, '`before`');
  const events = await readEventsBefore(reader, { ...request, limit: limit + 1 }, seq);
  const page = events.slice(0, limit);
  const hasMore = events.length > limit;
  return { events: page, hasMore, cursor: hasMore ? (page.at(-1)?.id ?? null) : null };
}

/** `after` that stands for the last event at the time of the call. */
const LATEST = 'latest';

/** Resolves `after=latest` to the id of the last event, so that the reply can name where to continue. */
export const resolveAfter = async (
  reader: Reader,
  accountId: string,
  after: string | undefined,
): Promise<string | undefined> =>
  after === LATEST ? eventId(accountId, await lastEventSeq(reader, accountId)) : after;

/** Returns where a stream begins: after the given id, or with the next event. @throws ApiError `invalid_cursor` */
export const startOfStream = async (reader: Reader, accountId: string, after: string | undefined): Promise<number> =>
  after === undefined ? lastEventSeq(reader, accountId) : requireSeq(after, 'The last id');
