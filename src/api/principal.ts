import type { RateLimits } from '../base/period.ts';
import type { PendingDeletion } from './account/pending-deletion.ts';
import type { Tier, TierLimits } from './limits.ts';
import type { Scope } from './scopes.ts';

/** The account whose streams, waiting calls and delegations a call counts against. */
export interface Payer {
  accountId: string;
  /** For a pod, its platform. */
  quotaAccountId: string;
  limits: TierLimits;
  rateLimits: RateLimits | null;
}

/** How a caller that holds an access token came to act for the account. */
export interface Delegated {
  /** The delegation that its token was got for. */
  id: string;
  /** The ids of all delegations from the first one to that one. */
  chain: readonly string[];
  /** The accounts that act: the holder first, then those that passed the delegation on. */
  actors: readonly [string, ...string[]];
  /** The named key that its token was got with: what is passed on ends with that key. */
  keyId: string | null;
  /** The holder, whose streams and waiting calls these are. Its requests are the account's. */
  payer: Payer;
}

/** The consent of a person by which a client came to act for the account. */
export interface GrantedClient {
  /** The grant, `grt_…`. */
  id: string;
  clientId: string;
}

/** How a session was opened: by a mailed link, a passkey, or a recovery code. */
export type SessionMethod = 'link' | 'passkey' | 'recovery';

/** What a person is for an account: one of its people, or who recovers its vault. */
export type ActingRole = 'email' | 'operator' | 'recovery' | 'vault_recovery';

/** A person who acts. The entry has an id in place of the address. */
export interface ActingPerson {
  kind: 'person';
  address: string;
  role: ActingRole;
}

/** Who acted, as an audit entry says it. The hash wants the fields in the order of their names. */
export type WrittenActor =
  | { id: string; kind: 'person'; role: ActingRole }
  /** `name` of a primary or backup key: its label, else its kind. */
  | { id: string; kind: 'key'; name: string; prefix: string }
  /** `chain`: the delegations from the first one to that of the token; `id`: the account that called. */
  | { chain: string[]; id: string; kind: 'delegate'; prefix: string }
  /** `id`: the grant; `name`: the client's id. */
  | { id: string; kind: 'client'; name: string; prefix: string }
  | { kind: 'administrator' | 'anonymous' | 'service' };

export type AuditActor = WrittenActor | ActingPerson;

export type CredentialKind = 'api_key' | 'session';

/** Who is calling, as the authenticator found it. */
export interface Principal {
  accountId: string;
  /** The platform of a pod; null for a platform account. */
  parentId: string | null;
  tier: Tier;
  /** What the tier allows. */
  limits: TierLimits;
  credential: CredentialKind;
  /** The kind of key. A session counts as the platform key of its account. */
  kind: 'platform' | 'pod' | 'backup';
  /** The id of the named key; null for every other credential. */
  namedKeyId: string | null;
  /** Set for an access token: `accountId` is the account that it acts on. Null: the account itself calls. */
  delegation: Delegated | null;
  /** Set for an access token that a client got with an authorization code. It is accepted at `/mcp` alone. */
  grant: GrantedClient | null;
  /** The scopes of a named key or an access token. Null: all. */
  scopes: readonly Scope[] | null;
  /** The addresses that a named key is limited to, or the delegation that it came by. Null: every address. */
  addresses: readonly string[] | null;
  /** What a named key may use of the requests that all of them share, in percent. Null: all. */
  requestsShare: number | null;
  /** When the credential ends, in milliseconds since the epoch; Infinity for a key without an end. */
  expiresAt: number;
  /** SHA-256 of the key; null for a person's session. */
  keyHash: string | null;
  /** SHA-256 of the token of a person's session; null for a key. */
  sessionHash: string | null;
  /**
   * SHA-256 of the token of a session that the key opened for a console. The caller is the key in all but its quota of
   * reads and its end. Null: the key itself calls, or no key.
   */
  consoleHash: string | null;
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
  /** Short public name of the credential: a key's prefix, or `session`. */
  actor: string;
  /** Who calls, as audit entries say it. */
  auditActor: AuditActor;
  /** The account whose quotas count; for a pod, its platform. */
  quotaAccountId: string;
  /** The deletion of the account, or of the platform of a pod. Until then it only reads. Null: it stays. */
  deletion: PendingDeletion | null;
  /** The limits that a platform set for this pod. Null: only the quota that they share. */
  rateLimits: RateLimits | null;
}

/** The credential that the caller presented, by which it is found again. */
export const findPresented = ({ credential, keyHash, sessionHash, consoleHash }: Principal) =>
  consoleHash === null
    ? { credential, hash: (keyHash ?? sessionHash) as string }
    : { credential: 'session' as const, hash: consoleHash };

/** Whether the console of a person calls. A session that a key opened is the key: else an agent could hide what it reads. */
export const isConsole = ({ auditActor }: Principal): boolean => auditActor.kind === 'person';

/** Whose streams, waiting calls and delegations a call counts against. */
export const payerOf = (principal: Principal): Payer => principal.delegation?.payer ?? principal;

/** Whether a caller may see addresses of people and the entries of lists: the primary key, and an operator. */
export const ownsAccount = ({ operator, namedKeyId, delegation, grant, person }: Principal): boolean =>
  operator || (namedKeyId === null && delegation === null && grant === null && person === null);
