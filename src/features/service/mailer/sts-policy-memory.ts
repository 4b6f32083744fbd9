import type { Database } from '../../../api/transaction.ts';
import { systemClock } from '../../../base/clock.ts';
import { DAY_MS } from '../../../base/period.ts';
import type { PolicyMemory, StsPolicy } from '../../../mail/smtp-out/sts-policies.ts';
import { findPolicy, forgetPolicies, savePolicy } from './sts-policy-store.ts';

export { forgetPolicies };

/** A longer policy is used, and not remembered. */
const POLICY_CHARS_MAX = 16_384;

/**
 * Remembers MTA-STS policies in the database, so that a restart or another instance still enforces them when the domain's
 * records or its policy host cannot be reached (RFC 8461 5.1). A policy that is a day old is fetched again, so that it does
 * not run out (RFC 8461 10.2); if that fails, it holds until it expires. Times are those of the world, as in the policy.
 */
export function createPolicyMemory(database: Database): PolicyMemory {
  return {
    find: async (domain) => {
      const now = systemClock.now();
      const found = await findPolicy(database, domain, now);
      if (found === null) return null;
      return { policy: JSON.parse(found.policy) as StsPolicy, isOld: now - found.fetchedAt > DAY_MS };
    },
    keep: async (domain, { id, mode, mx, maxAge, version, expires }) => {
      const policy = JSON.stringify({ id, version, mode, mx, maxAge, expires });
      if (policy.length > POLICY_CHARS_MAX) return;
      const [fetchedAt, expiresAt] = [systemClock.now(), Date.parse(expires)];
      await database.transaction((tx) => savePolicy(tx, { domain, policy, fetchedAt, expiresAt }));
    },
  };
}
