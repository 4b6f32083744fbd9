import type { ClientNetworks } from '../../kernel/client-network.ts';
import { DAY_MS } from '../../kernel/period.ts';
import { keyedHash } from '../../kernel/secret.ts';
import type { Tx } from '../../kernel/transaction.ts';
import { type NamedRule, takeNetworkWindow, takeWindow } from '../limits/window-rules.ts';
import { deleteNetworks, findNetworks, lockNetworks, storeNetworks } from './login-network-store.ts';

/** How long a network stays known after the last login there. */
const KNOWN_MS = 90 * DAY_MS;
/** The newest are kept: more than a person logs in from, and few enough that their mails stay few. */
const NETWORKS_MAX = 20;

/**
 * Knows the networks in which an address logged in. Anybody can ask for a mail to an address, so the mails are few; and a
 * stranger who uses them up must not lock the person out. So each known network has mails of its own, and all others
 * together have as many. Nobody gets into a known network's lane without a login.
 */
export class LoginNetworks {
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  /**
   * Counts one mail that a client asks for. The work and the refusal are the same for an address without an account.
   * @param rules for each lane
   * @throws ApiError `rate_limited`
   */
  async takeMail(
    tx: Tx,
    { action, email, networks }: { action: 'login' | 'recover'; email: string; networks: ClientNetworks },
    rules: readonly NamedRule[],
    now: number,
  ): Promise<void> {
    const address = this.#hash(email);
    const known = await findNetworks(tx, address);
    const isKnown = known.some(([network, at]) => network === networks[0].name && at > now - KNOWN_MS);
    const bucket = `${action}:${address}`;
    if (isKnown) await takeNetworkWindow(tx, bucket, networks, rules, now);
    else await takeWindow(tx, bucket, rules, now);
  }

  /** Notes a login. */
  async note(tx: Tx, email: string, [{ name }]: ClientNetworks, now: number): Promise<void> {
    const address = this.#hash(email);
    const others = (await lockNetworks(tx, address)).filter(([network, at]) => network !== name && at > now - KNOWN_MS);
    const networks = [[name, now] as [string, number], ...others].slice(0, NETWORKS_MAX);
    await storeNetworks(tx, address, networks, now + KNOWN_MS);
  }

  /** Forgets an address. @returns how many rows were deleted */
  forget(tx: Tx, email: string): Promise<number> {
    return deleteNetworks(tx, this.#hash(email));
  }

  #hash(email: string): string {
    return keyedHash(this.#key, email);
  }
}
