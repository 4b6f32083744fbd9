import type { Tier, TierLimits } from './limits.ts';
import type { RateLimits } from './period.ts';

/** Who is calling, as the authenticator found it. */
export interface Principal {
  accountId: string;
  /** The platform of a pod; null for a platform account. */
  parentId: string | null;
  tier: Tier;
  /** What the tier allows. */
  limits: TierLimits;
  credential: 'api_key' | 'session';
  /** Which key: a session stands for its account's platform key. */
  kind: 'platform' | 'pod' | 'backup';
  /** SHA-256 of the key that was presented; null for a session. */
  keyHash: string | null;
  /** SHA-256 of the session's token; null for a key. */
  sessionHash: string | null;
  /** True for a session opened through the operator email. */
  operator: boolean;
  /** Short public name of the credential for the audit trail: a key's prefix, or `session`. */
  actor: string;
  /** Whose quotas count: the platform's for a pod. */
  quotaAccountId: string;
  /** What the platform of a pod allows it; null: no more than the quota they share. */
  rateLimits: RateLimits | null;
}
