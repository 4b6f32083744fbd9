import { ApiError } from '../../kernel/errors.ts';
import type { Reader } from '../../kernel/transaction.ts';
import { eventSeq, type LoggedEvent, readEvents } from '../../push/event-log.ts';

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
