import type { Tier, TierLimits } from './limits.ts';
import type { RateLimits } from './period.ts';
import type { Scope } from './scopes.ts';

/** How a session was opened: by a mailed link, a passkey, or a recovery code. */
export type SessionMethod = 'link' | 'passkey' | 'recovery';

/** Who is calling, as the authenticator found it. */
export interface Principal {
  accountId: string;
  /** The platform of a pod; null for a platform account. */
  parentId: string | null;
  tier: Tier;
  /** What the tier allows. */
  limits: TierLimits;
  credential: 'api_key' | 'session';
  /** The kind of key. A session counts as the platform key of its account. */
  kind: 'platform' | 'pod' | 'backup';
  /** The id of the named key; null for every other credential. */
  namedKeyId: string | null;
  /** The scopes of a named key. Null: all. */
  scopes: readonly Scope[] | null;
  /** The addresses that a named key is limited to, or the delegation that it came by. Null: every address. */
  addresses: readonly string[] | null;
  /** When the credential ends, in milliseconds since the epoch; Infinity for a key without an end. */
  expiresAt: number;
  /** SHA-256 of the presented key; null for a session. */
  keyHash: string | null;
  /** SHA-256 of the session's token; null for a key. */
  sessionHash: string | null;
  /**
   * What the buckets `rotate` and `activate` count by: the hash of the first key of the line of rotations that the key
   * continues, or of the session's token.
   */
  lineage: string;
  /** True for a session that an operator's login link opened, on an account of which its address is a confirmed operator. */
  operator: boolean;
  /** The person's address that opened the session; null for a key. */
  person: string | null;
  /** How the session was opened; null for a key. */
  method: SessionMethod | null;
  /** The person whose own quota the requests count against. Null: they count as the account's. */
  quotaPerson: string | null;
  /** Whether the account, or the platform of a pod, has a confirmed operator, who can suspend it at any time. */
  isOperated: boolean;
  /** Short public name of the credential in the audit log: a key's prefix, or `session`. */
  actor: string;
  /** The account whose quotas count; for a pod, its platform. */
  quotaAccountId: string;
  /** The limits that a platform set for this pod. Null: only the quota that they share. */
  rateLimits: RateLimits | null;
}
