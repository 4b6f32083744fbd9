import type { Tx } from '../../../api/transaction.ts';
import type { ClientNetworks } from '../../../base/client-network.ts';
import { DAY_MS } from '../../../base/period.ts';
import { keyedHash } from '../../../base/secret.ts';
import { type NamedRule, takeNetworkWindow, takeWindow } from '../../service/limits/rate-window.ts';
import { deleteNetworks, findNetworks, lockNetworks, storeNetworks } from './login-network-store.ts';

/** How long a network stays known after the last login there. */
const KNOWN_MS = 90 * DAY_MS;
/** The newest are kept. A person logs in from fewer. */
const NETWORKS_MAX = 20;

/**
 * Knows the networks in which an address logged in. A stranger can ask for mails to any address, so an address gets few; and
 * a stranger who uses them up must not lock the person out. So each known network has a lane, and all other networks
 * share one. Only a login makes a network known.
 */
export class LoginNetworks {
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  /**
   * Counts one mail that a client asks for, in its lane. An address without an account has a lane too, with the same
   * refusal.
   * @param rules of each lane
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
    await storeNetworks(tx, { addressHash: address, networks, expiresAt: now + KNOWN_MS });
  }

  /** Forgets an address. @returns how many rows were deleted */
  forget(tx: Tx, email: string): Promise<number> {
    return deleteNetworks(tx, this.#hash(email));
  }

  #hash(email: string): string {
    return keyedHash(this.#key, email);
  }
}
