import type { Readable } from 'node:stream';
import { limitReached } from '../../kernel/limit-reached.ts';
import type { Tier } from '../../kernel/limits.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Database } from '../../kernel/transaction.ts';
import { AccountSlots } from '../../push/account-slots.ts';
import type { Feeds } from '../../push/event-feed.ts';
import { readEvents } from '../../push/event-log.ts';
import { openEventStream } from '../../push/sse.ts';
import type { StreamGrant } from '../../push/stream-grant.ts';
import { Waits } from '../../push/wait.ts';
import { type EventTypes, parseTypes, requireSeq, startOfStream } from './event-rules.ts';

/** What a reader asks to follow, as it came. */
export interface StreamRequest {
  /** The last id it has; absent: what happens from now on. */
  after: string | undefined;
  /** Types with commas between; absent: all. */
  type: string | undefined;
}

export interface WaitRequest {
  after: string | undefined;
  types: EventTypes;
  seconds: number;
  /** Ends the wait when the client has gone. */
  signal: AbortSignal;
}

export interface StreamRules {
  /** Admits a stream, which takes one of its account's slots. @throws ApiError `invalid_cursor`, `invalid_request`, `stream_limit` */
  admit(principal: Principal, request: StreamRequest): Promise<StreamGrant>;
  /** The same, as server-sent events that end with their reader. */
  open(principal: Principal, request: StreamRequest): Promise<Readable>;
  /**
   * Waits for an event behind `after`. It takes a slot meanwhile. @returns whether there is one
   * @throws ApiError `stream_limit`; `unauthorized` when the credential was revoked meanwhile
   */
  wait(principal: Principal, request: WaitRequest): Promise<boolean>;
  /** Requests that wait now, for the metrics. */
  waiting(): number;
  /** Answers all that wait. */
  close(): void;
}

export interface StreamDeps {
  database: Database;
  feeds: Feeds;
  limits: Record<Tier, { event_streams: number }>;
  /** Whether a credential still opens its account. */
  holds(principal: Principal): Promise<boolean>;
}

/** A slot is free again as soon as one of the streams has ended; a client that asks sooner only asks in vain. */
const RETRY_AFTER_SECONDS = 5;

export function createStreamRules({ database, feeds, limits, holds }: StreamDeps): StreamRules {
  const slots = new AccountSlots();

  /** Pods share their platform's slots, as they share its other quotas. */
  function takeSlot({ quotaAccountId, tier }: Principal): () => void {
    const limit = limits[tier].event_streams;
    const release = slots.take(quotaAccountId, limit);
    if (release) return release;
    const used = slots.used(quotaAccountId);
    throw limitReached(
      'event_streams',
      { used, max: limit },
      {
        message: `This account has ${used} streams open, and may have ${limit}; close one first.`,
        facts: { limit, retry_after: RETRY_AFTER_SECONDS },
        headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
      },
    );
  }

  const waits = new Waits({ database, stillAllowed: holds, admit: takeSlot });

  async function admit(principal: Principal, { after, type }: StreamRequest): Promise<StreamGrant> {
    const { accountId } = principal;
    const types = parseTypes(type);
    const start = { accountId, types, afterSeq: await startOfStream(database, accountId, after) };
    return { start, stillAllowed: () => holds(principal), release: takeSlot(principal) };
  }

  return {
    admit,
    open: async (principal, request) =>
      openEventStream(feeds, await admit(principal, request), request.after !== undefined),
    wait: async (principal, { after, types, seconds, signal }) => {
      const afterSeq = after === undefined ? 0 : requireSeq(after, '`after`');
      const { accountId } = principal;
      const found = await waits.until(
        { principal, gone: () => signal },
        seconds,
        () => readEvents(database, { accountId, types, limit: 1 }, afterSeq),
        (events) => events.length > 0,
      );
      return found.length > 0;
    },
    waiting: waits.size,
    close: () => waits.close(),
  };
}
