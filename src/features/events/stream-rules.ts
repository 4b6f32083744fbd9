import type { Readable } from 'node:stream';
import type { Principal } from '../../kernel/principal.ts';
import type { Database } from '../../kernel/transaction.ts';
import type { Feeds } from '../../push/event-feed.ts';
import { openEventStream } from '../../push/sse.ts';
import { startOfStream } from './event-rules.ts';

export interface StreamRules {
  /** The events behind `after`, or from now on, until the reader leaves. @throws ApiError `invalid_cursor` */
  open(principal: Principal, after: string | undefined, stillAllowed: () => Promise<boolean>): Promise<Readable>;
}

export const createStreamRules = (database: Database, feeds: Feeds): StreamRules => ({
  open: async ({ accountId }, after, stillAllowed) =>
    openEventStream(feeds, accountId, await startOfStream(database, accountId, after), stillAllowed),
});
