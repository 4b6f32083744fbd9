import { LRUCache } from 'lru-cache';
import { monotonicMs } from '../../base/clock.ts';

/** A quarter of the mails of agents that are sent at a time: one domain that is slow must not hold all of them. */
const CONNECTIONS_MAX = 4;
/** For the service's own mails, such as login links: agents that send much to a domain must not hold them up. */
const CONNECTIONS_OWN_MAX = 6;
/** Of the mails of one account: domains are free, and a server may take an attempt's time. */
const CONNECTIONS_SENDER_MAX = 3;
/** Of the mails of a platform and all its pods: pods are free too. One pod leaves room for the others. */
const CONNECTIONS_PLATFORM_MAX = 6;
/** The delay of the first mail that finds no slot, and of each after it. */
const BUSY_FIRST_MS = 1000;
const BUSY_STEP_MS = 250;
/** A domain whose servers did not answer is left alone for this long, which doubles with each failure. */
const DOWN_FIRST_MS = 5000;
const DOWN_LAST_MS = 55_000;
const DOMAINS_MAX = 5000;

interface Open {
  open: number;
  /** When the last mail that found no slot may try again. */
  nextAt: number;
}

interface Domain extends Open {
  failures: number;
  downUntil: number;
  reason: string;
}

/** Whose mail it is. `platformId` is the account itself unless it is a pod. */
export interface MailSender {
  accountId: string;
  platformId: string;
}

/** A permit to connect. `release` with the reason when no server of the domain could be reached. */
export type Slot = { release(down: string | null): void };
/** `busyMs`: no slot is free; milliseconds until it is worth a try. */
export type NoSlot = { reason: string; busyMs?: number };

/** Which domains have connections, and which are down, as this process knows. Times are monotonic milliseconds. */
export class DomainSlots {
  /** With connections. */
  readonly #active = new Map<string, Domain>();
  readonly #idle = new LRUCache<string, Domain>({ max: DOMAINS_MAX });

  /** Accounts with connections. */
  readonly #senders = new Map<string, Open>();
  /** Connections of platforms with their pods. */
  readonly #platforms = new Map<string, number>();

  /** `sender`: whose mail it is; undefined for the service's own. */
  take(name: string, { isOwn, sender }: { isOwn: boolean; sender?: MailSender | undefined }): Slot | NoSlot {
    const domain = this.#active.get(name) ?? this.#idle.get(name) ?? newDomain();
    const now = monotonicMs();
    if (domain.downUntil > now) return { reason: domain.reason };
    if (domain.open >= (isOwn ? CONNECTIONS_OWN_MAX : CONNECTIONS_MAX)) return noSlot(name, domain, now);
    const account = sender === undefined ? null : this.#takeSender(sender, now);
    if (account && 'reason' in account) return account;
    domain.open += 1;
    this.#active.set(name, domain);
    return {
      release: (down) => {
        this.#release(name, domain, down);
        account?.release();
      },
    };
  }

  #takeSender({ accountId, platformId }: MailSender, now: number): { release(): void } | NoSlot {
    const account = this.#senders.get(accountId) ?? { open: 0, nextAt: 0 };
    const ofPlatform = this.#platforms.get(platformId) ?? 0;
    if (account.open >= CONNECTIONS_SENDER_MAX) return noSlot('the account', account, now);
    this.#senders.set(accountId, account);
    // The wait is that of the account: a pod with much mail does not delay the next attempts of the others.
    if (ofPlatform >= CONNECTIONS_PLATFORM_MAX)
      return { ...noSlot('the account', account, now), reason: `the platform has ${ofPlatform} connections already` };
    account.open += 1;
    this.#platforms.set(platformId, ofPlatform + 1);
    return {
      release: () => {
        if (--account.open === 0) this.#senders.delete(accountId);
        const open = (this.#platforms.get(platformId) ?? 1) - 1;
        if (open === 0) this.#platforms.delete(platformId);
        else this.#platforms.set(platformId, open);
      },
    };
  }

  #release(name: string, domain: Domain, down: string | null): void {
    domain.open -= 1;
    if (down === null) {
      domain.failures = 0;
      domain.downUntil = 0;
    } else {
      domain.failures += 1;
      domain.downUntil = monotonicMs() + Math.min(DOWN_LAST_MS, DOWN_FIRST_MS * 2 ** (domain.failures - 1));
      domain.reason = down;
    }
    if (domain.open > 0) return;
    this.#active.delete(name);
    if (domain.failures > 0) this.#idle.set(name, domain);
  }
}

function noSlot(name: string, holder: Open, now: number): NoSlot {
  holder.nextAt = Math.max(now + BUSY_FIRST_MS, holder.nextAt + BUSY_STEP_MS);
  return { reason: `${name} has ${holder.open} connections already`, busyMs: Math.ceil(holder.nextAt - now) };
}

const newDomain = (): Domain => ({ open: 0, nextAt: 0, failures: 0, downUntil: 0, reason: '' });
