import type { RefusingLimit } from '../../../api/limits.ts';
import { limitReachedUntil, rateLimitHeaders } from '../../../api/metering/limit-reached.ts';
import type { Tx } from '../../../api/transaction.ts';
import type { ClientNetwork, ClientNetworks } from '../../../base/client-network.ts';
import { secondsUntil } from '../../../base/period.ts';
import { admitHit, type WindowDecision, type WindowRule } from '../../../base/sliding-window.ts';
import { lockHits, storeHits } from './rate-window-store.ts';

/** A rule with the name of its limit, for the refusal. */
export interface NamedRule extends WindowRule {
  name: RefusingLimit;
}

/** Counts one hit on a bucket if every rule admits it. */
async function takeHit<R extends WindowRule>(
  tx: Tx,
  bucket: string,
  rules: readonly R[],
  now: number,
): Promise<WindowDecision<R>> {
  const decision = admitHit(await lockHits(tx, bucket), now, rules);
  const widest = Math.max(...rules.map((rule) => rule.windowMs));
  if (decision.admitted) await storeHits(tx, bucket, decision.hits, now + widest);
  return decision;
}

/**
 * Counts one hit on a bucket if every rule admits it, for work that waits instead of being refused.
 * @returns null when it counts, else when it would, in milliseconds
 */
export async function admits(
  tx: Tx,
  bucket: string,
  rules: readonly WindowRule[],
  now: number,
): Promise<number | null> {
  const decision = await takeHit(tx, bucket, rules, now);
  return decision.admitted ? null : decision.retryAt;
}

/** Makes those who count on a bucket wait for the end of the transaction. Counts nothing. */
export const lockWindow = async (tx: Tx, bucket: string): Promise<void> => void (await lockHits(tx, bucket));

/**
 * Counts one hit on a bucket, such as the hash of an action and an address, in the transaction of that action.
 * @param cause the network whose bucket it is
 * @throws ApiError `rate_limited` with `Retry-After` when a rule is used up. The hit does not count then
 */
export async function takeWindow(
  tx: Tx,
  bucket: string,
  rules: readonly NamedRule[],
  now: number,
  cause?: ClientNetwork,
): Promise<void> {
  const decision = await takeHit(tx, bucket, rules, now);
  if (decision.admitted) return;
  const { rule, used, retryAt } = decision;
  const seconds = secondsUntil(retryAt, now);
  const headers = rateLimitHeaders(rules[0]?.limit ?? 0, 0, seconds);
  throw limitReachedUntil(rule.name, { used, max: rule.limit }, seconds, { cause, headers });
}

/**
 * Counts one hit of a client on an action, for each of its networks.
 * @throws ApiError `rate_limited`, as {@link takeWindow}. Its cause is the network that has used up a rule
 */
export async function takeNetworkWindow(
  tx: Tx,
  action: string,
  networks: ClientNetworks,
  rules: readonly NamedRule[],
  now: number,
): Promise<void> {
  for (const network of networks) {
    const ofNetwork = rules.map((rule) => ({ ...rule, limit: rule.limit * network.times }));
    await takeWindow(tx, `${action}:${network.name}`, ofNetwork, now, network);
  }
}
