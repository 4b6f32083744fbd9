import type { Readable } from 'node:stream';
import { ApiError } from '../../../api/errors.ts';
import { limitReachedUntil } from '../../../api/metering/limit-reached.ts';
import { type Principal, payerOf } from '../../../api/principal.ts';
import type { Database } from '../../../api/transaction.ts';
import { lastId } from '../../../base/ids.ts';
import { AccountSlots } from '../../../events/account-slots.ts';
import type { Feeds } from '../../../events/event-feed.ts';
import { readEvents } from '../../../events/event-log.ts';
import { Waits } from '../../../events/event-wait.ts';
import { openEventStream, openMergedStream } from '../../../events/sse.ts';
import type { StreamGrant } from '../../../events/stream-grant.ts';
import { operatedBy } from '../../account/people/person.ts';
import {
  type EventTypes,
  type LoggedEvent,
  parseTypes,
  requireSeq,
  shownEvent,
  startOfStream,
} from './event-log-query.ts';

/** What a reader asks to follow, as sent. */
export interface StreamRequest {
  /** The last event id that the reader has. Undefined to start with the next event. */
  after: string | undefined;
  /** Types separated by commas. Undefined for all. */
  type: string | undefined;
}

export interface WaitRequest {
  after: string | undefined;
  types: EventTypes;
  seconds: number;
  /** Ends the wait when the client disconnects. */
  signal: AbortSignal;
}

export interface StreamDeps {
  database: Database;
  feeds: Feeds;
  /** Whether a credential still works. */
  isValid(principal: Principal): Promise<boolean>;
}

/** Agents of one operator that one stream follows: each costs a look at its log every five seconds. */
const OPERATED_MAX = 50;
/** A slot is free as soon as a stream has ended, so a client may retry soon. */
const RETRY_AFTER_SECONDS = 5;

/** Admits streams and waiting requests, each of which takes one of the account's slots. */
export class StreamRules {
  readonly #deps: StreamDeps;
  readonly #slots = new AccountSlots();
  /** The callers of the open streams. */
  readonly #open = new Set<{ principal: Principal }>();
  readonly #waits: Waits;

  constructor(deps: StreamDeps) {
    this.#deps = deps;
    this.#waits = new Waits({
      database: deps.database,
      stillAllowed: deps.isValid,
      admit: (principal) => this.#takeSlot(principal),
    });
  }

  /** Admits a stream. @throws ApiError `invalid_cursor`, `invalid_request`, `stream_limit` */
  readonly admit = async (principal: Principal, { after, type }: StreamRequest): Promise<StreamGrant> => {
    const { database, isValid } = this.#deps;
    const { accountId, addresses } = principal;
    const types = parseTypes(type);
    const afterSeq = await startOfStream(database, accountId, after);
    const shown = (event: LoggedEvent) => shownEvent(principal, event);
    const start = { accountId, types, addresses, afterSeq, shown };
    return { start, stillAllowed: () => isValid(principal), release: this.#enter(principal) };
  };

  /** Admits a stream and returns it as server-sent events. The stream ends with its reader. */
  async open(principal: Principal, request: StreamRequest): Promise<Readable> {
    return openEventStream(this.#deps.feeds, await this.admit(principal, request), request.after !== undefined);
  }

  /**
   * Streams what happens from now on to the agents of an operator, the latest to name the operator first.
   * @throws ApiError `operator_required`, `invalid_request`, `stream_limit`
   */
  async openOfOperator(principal: Principal, type: string | undefined): Promise<Readable> {
    const { database, isValid, feeds } = this.#deps;
    const types = parseTypes(type);
    const { person, operator } = principal;
    if (!operator || person === null) throw new ApiError('operator_required');
    const grants: Omit<StreamGrant, 'release'>[] = [];
    for (const { accountId } of await operatedBy(database, person, lastId('per'), OPERATED_MAX)) {
      const start = {
        accountId,
        types,
        addresses: null,
        afterSeq: await startOfStream(database, accountId, undefined),
        shown: (event: LoggedEvent) => shownEvent(principal, event),
      };
      // The session must still open each account: an operator who was removed from one keeps the others.
      grants.push({ start, stillAllowed: () => isValid({ ...principal, accountId }) });
    }
    if (grants.length === 0) throw new ApiError('operator_required');
    return openMergedStream(feeds, grants, this.#enter(principal));
  }

  /**
   * Waits for an event after `after`. @returns whether there is one
   * @throws ApiError `stream_limit`; `unauthorized` when the credential was revoked during the wait
   */
  async wait(principal: Principal, { after, types, seconds, signal }: WaitRequest): Promise<boolean> {
    const afterSeq = after === undefined ? 0 : requireSeq(after, '`after`');
    const { accountId, addresses } = principal;
    const found = await this.#waits.until(
      { principal, gone: () => signal },
      seconds,
      () => readEvents(this.#deps.database, { accountId, types, addresses, limit: 1 }, afterSeq),
      (events) => events.length > 0,
    );
    return found.length > 0;
  }

  /** Counts the open streams of an account on this instance, without those of one session and of operators. */
  countOf(accountId: string, keptSession: string | null): number {
    const ofAccount = [...this.#open].filter(({ principal }) => principal.accountId === accountId);
    return ofAccount.filter(({ principal: { sessionHash, operator } }) =>
      sessionHash === null ? true : !operator && sessionHash !== keptSession,
    ).length;
  }

  /** Counts the waiting requests, for the metrics. */
  waiting(): number {
    return this.#waits.size();
  }

  /** Answers all waiting requests. */
  close(): void {
    this.#waits.close();
  }

  /** Takes a slot for a stream. @returns what gives it back */
  #enter(principal: Principal): () => void {
    const giveBack = this.#takeSlot(principal);
    const stream = { principal };
    this.#open.add(stream);
    return () => {
      this.#open.delete(stream);
      giveBack();
    };
  }

  /** Pods share the slots of their platform, like its other quotas. @returns what gives the slot back */
  #takeSlot(principal: Principal): () => void {
    const { quotaAccountId, limits } = payerOf(principal);
    const limit = limits.event_streams;
    const release = this.#slots.take(quotaAccountId, limit);
    if (release) return release;
    const used = this.#slots.used(quotaAccountId);
    throw limitReachedUntil('event_streams', { used, max: limit }, RETRY_AFTER_SECONDS, {
      message: `This account has ${used} open streams. The limit is ${limit}. Close one first.`,
      fields: { limit },
    });
  }
}
