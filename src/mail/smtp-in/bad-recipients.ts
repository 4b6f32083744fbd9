import { LRUCache } from 'lru-cache';
import { clientNetworks } from '../../base/client-network.ts';
import { HOUR_MS } from '../../base/period.ts';

const NETWORKS_MAX = 10_000;
/** Refusals of a session that are answered at once: lists of recipients are often a little out of date. */
const FREE = 5;
const DELAY_MS = 250;
/** For a network that has named too many in the hour. */
const LONG_DELAY_MS = 1000;

/** How many refused recipients are too many. */
export interface BadRecipientLimits {
  perSession: number;
  perNetworkPerHour: number;
}

/**
 * Slows down clients that try out recipients, and ends their sessions. What a network named is remembered for an hour, so
 * that a new session is no new beginning. Recipients that exist are never refused for it.
 */
export class BadRecipients<Session extends object> {
  readonly #limits: BadRecipientLimits;
  readonly #sessions = new WeakMap<Session, number>();
  readonly #networks = new LRUCache<string, { count: number; until: number }>({ max: NETWORKS_MAX });

  constructor(limits: BadRecipientLimits) {
    this.#limits = limits;
  }

  /** Counts a recipient that does not exist. @param now milliseconds @returns the wait before the reply, and whether the session ends */
  note(session: Session, remoteAddress: string, now: number): { delayMs: number; isLast: boolean } {
    const inSession = (this.#sessions.get(session) ?? 0) + 1;
    this.#sessions.set(session, inSession);
    const counts = clientNetworks(remoteAddress).map(({ name, times }) => this.#count(name, now) / times);
    if (Math.max(...counts) > this.#limits.perNetworkPerHour) return { delayMs: LONG_DELAY_MS, isLast: true };
    return { delayMs: inSession > FREE ? DELAY_MS : 0, isLast: inSession >= this.#limits.perSession };
  }

  #count(network: string, now: number): number {
    const known = this.#networks.get(network);
    const ofNetwork = known !== undefined && known.until > now ? known : { count: 0, until: now + HOUR_MS };
    ofNetwork.count += 1;
    this.#networks.set(network, ofNetwork);
    return ofNetwork.count;
  }
}
