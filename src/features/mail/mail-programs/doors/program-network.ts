import { LRUCache } from 'lru-cache';
import { DAY_MS } from '../../../../base/period.ts';
import type { MailProgramDeps } from '../mail-program-deps.ts';
import { findNetwork, purgeProgramNetworks, saveNetwork } from './program-network-store.ts';

export { purgeProgramNetworks };

/** Failures of one network, within this time, after which it opens no new connections for as long. */
const FAILURES_MAX = 60;
const WINDOW_MS = 600_000;
/** How long a login keeps the door open for its network. */
const KNOWN_MS = 30 * DAY_MS;
const NETWORKS_MAX = 10_000;

/**
 * Keeps those who try out keys from trying many. A login with a right key is never refused for it: only networks where
 * no program logged in are shut out, and only from new connections. Failures are counted by each instance for itself, because
 * a flood of them must not cost writes; logins are known to all.
 */
export class ProgramNetworks {
  readonly #deps: Pick<MailProgramDeps, 'database' | 'networksOf' | 'now'>;
  readonly #failures = new LRUCache<string, { at: number[]; closedUntil: number }>({ max: NETWORKS_MAX });
  /** When the last login of a network was written. */
  readonly #noted = new LRUCache<string, number>({ max: NETWORKS_MAX });

  constructor(deps: Pick<MailProgramDeps, 'database' | 'networksOf' | 'now'>) {
    this.#deps = deps;
  }

  async admits(ip: string): Promise<boolean> {
    const { database, networksOf, now } = this.#deps;
    const networks = networksOf(ip);
    if (networks.every(({ name }) => (this.#failures.peek(name)?.closedUntil ?? 0) <= now())) return true;
    const known = await findNetwork(database, networks[0].name);
    return known !== null && known.expiresAt > now();
  }

  failed(ip: string): void {
    const now = this.#deps.now();
    for (const { name, times } of this.#deps.networksOf(ip)) {
      const { at = [], closedUntil = 0 } = this.#failures.get(name) ?? {};
      const recent = [...at.filter((earlier) => earlier > now - WINDOW_MS), now];
      const isFull = recent.length >= FAILURES_MAX * times;
      this.#failures.set(name, isFull ? { at: [], closedUntil: now + WINDOW_MS } : { at: recent, closedUntil });
    }
  }

  /** Notes a login, once a day for each network. */
  async succeeded(ip: string): Promise<void> {
    const { database, networksOf, now } = this.#deps;
    const [{ name: network }] = networksOf(ip);
    const at = now();
    if (at < (this.#noted.get(network) ?? 0) + DAY_MS) return;
    await database.transaction((tx) => saveNetwork(tx, { network, expiresAt: at + KNOWN_MS }));
    this.#noted.set(network, at);
  }
}
