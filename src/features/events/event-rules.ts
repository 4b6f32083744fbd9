import { ApiError } from '../../kernel/errors.ts';
import type { Reader } from '../../kernel/transaction.ts';
import { eventSeq, type LoggedEvent, lastEventSeq, readEvents } from '../../push/event-log.ts';

export type { LoggedEvent };

export interface EventPage {
  events: LoggedEvent[];
  hasMore: boolean;
  /** The last id of the page, or where the reader stood; null at the very beginning. */
  cursor: string | null;
}

/** The facts behind `after`, oldest first. @throws ApiError `invalid_cursor` */
export async function readEventPage(
  reader: Reader,
  accountId: string,
  after: string | undefined,
  limit: number,
): Promise<EventPage> {
  const seq = after === undefined ? 0 : eventSeq(after);
  if (seq === null) throw new ApiError('invalid_cursor', { message: '`after` must be the id of an event.' });
  const events = await readEvents(reader, accountId, seq, limit + 1);
  const page = events.slice(0, limit);
  return { events: page, hasMore: events.length > limit, cursor: page.at(-1)?.id ?? after ?? null };
}

/** Where a stream begins: behind the given id, or with what happens from now on. @throws ApiError `invalid_cursor` */
export async function startOfStream(reader: Reader, accountId: string, after: string | undefined): Promise<number> {
  if (after === undefined) return lastEventSeq(reader, accountId);
  const seq = eventSeq(after);
  if (seq === null) throw new ApiError('invalid_cursor', { message: 'The last id must be the id of an event.' });
  return seq;
}
