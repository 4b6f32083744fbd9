import { ApiError } from '../api/errors.ts';
import type { WaitFor } from '../api/long-poll.ts';
import { FIXED_LIMITS } from '../api/metering/fixed-limits.ts';
import { limitReachedUntil } from '../api/metering/limit-reached.ts';
import { type Principal, payerOf } from '../api/principal.ts';
import type { Database } from '../api/transaction.ts';
import { AccountSlots } from './account-slots.ts';
import { eventsTopic } from './event-log.ts';

export interface WaitOptions {
  database: Database;
  /** Whether the caller's credential still opens its account. */
  stillAllowed(principal: Principal): Promise<boolean>;
  /** Takes a place among the caller's waiting requests. @returns what gives it back @throws ApiError when all are taken */
  admit?(principal: Principal): () => void;
}

/** Requests of one account that may wait at a time: each holds a connection. */
export const WAITS_PER_ACCOUNT = FIXED_LIMITS.waiting_requests.value;
/** A notification between instances may be lost, so every request polls this often. */
const POLL_MS = 5000;

/** Remembers a wake-up that comes while nothing waits for one. */
class WakeUp {
  #isPending = false;
  #resume = (): void => {};

  readonly signal = (): void => {
    this.#isPending = true;
    this.#resume();
  };

  async next(): Promise<void> {
    if (!this.#isPending)
      await new Promise<void>((resolve) => {
        this.#resume = resolve;
      });
    this.#isPending = false;
  }
}

/** Admits {@link WAITS_PER_ACCOUNT} requests of each account. */
function defaultAdmission(): (principal: Principal) => () => void {
  const slots = new AccountSlots();
  return (principal) => {
    const { accountId } = payerOf(principal);
    const release = slots.take(accountId, WAITS_PER_ACCOUNT);
    if (release) return release;
    throw limitReachedUntil('waiting_requests', { used: slots.used(accountId), max: WAITS_PER_ACCOUNT }, 1, {
      message: `At most ${WAITS_PER_ACCOUNT} requests of an account can wait at a time. Wait until one ends.`,
      fields: { limit: WAITS_PER_ACCOUNT },
    });
  };
}

/** Requests that wait for an event of their account: long polls. */
export class Waits {
  readonly #database: Database;
  readonly #stillAllowed: WaitOptions['stillAllowed'];
  readonly #admit: (principal: Principal) => () => void;
  readonly #waiting = new Set<WakeUp>();
  #isClosed = false;

  constructor({ database, stillAllowed, admit = defaultAdmission() }: WaitOptions) {
    this.#database = database;
    this.#stillAllowed = stillAllowed;
    this.#admit = admit;
  }

  /** See {@link WaitFor}. A wait also ends when the client has gone or the service stops. */
  readonly until: WaitFor = async (call, seconds = 0, look, isFound) => {
    const first = await look();
    if (seconds === 0 || this.#isClosed || isFound(first)) return first;
    const release = this.#admit(call.principal);
    try {
      return await this.#wait(call, seconds, look, isFound);
    } finally {
      release();
    }
  };

  /** Requests that wait now. */
  readonly size = (): number => this.#waiting.size;

  /** Answers all waiting requests, and later ones without waiting. */
  close(): void {
    this.#isClosed = true;
    for (const wakeUp of this.#waiting) wakeUp.signal();
  }

  async #wait<T>(
    { principal, gone }: Parameters<WaitFor>[0],
    seconds: number,
    look: () => Promise<T>,
    isFound: (value: T) => boolean,
  ): Promise<T> {
    const wakeUp = new WakeUp();
    let isOver = false;
    const end = (): void => {
      isOver = true;
      wakeUp.signal();
    };
    const left = gone();
    left.addEventListener('abort', end);
    const unsubscribe = this.#database.onSignal(eventsTopic(principal.accountId), wakeUp.signal);
    const timer = setTimeout(end, seconds * 1000);
    const poll = setInterval(wakeUp.signal, POLL_MS);
    this.#waiting.add(wakeUp);
    try {
      for (;;) {
        // After listening began: what arrives in between wakes it up.
        const value = await look();
        if (isFound(value) || isOver || this.#isClosed || left.aborted) return value;
        await wakeUp.next();
        if (!(await this.#stillAllowed(principal))) throw new ApiError('unauthorized');
      }
    } finally {
      this.#waiting.delete(wakeUp);
      clearTimeout(timer);
      clearInterval(poll);
      unsubscribe();
      left.removeEventListener('abort', end);
    }
  }
}
