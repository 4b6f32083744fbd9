import type { AuthNeed } from '../../../api/endpoint.ts';
import { ApiError } from '../../../api/errors.ts';
import type { CallBucket } from '../../../api/metering/call-bucket.ts';
import type { Principal } from '../../../api/principal.ts';
import type { FoundCredential } from './principal-reader.ts';

/** What a call says about the account, and what its endpoint needs. */
export interface Access {
  /** The account that the call names. Undefined: the credential's own. */
  account?: string | undefined;
  /** Where a call of the API came from. Undefined: the credential only proves who asks. */
  ip?: string | undefined;
  /** Whether an operator's suspension does not bar the call. */
  whileSuspended?: boolean | undefined;
  /** `person`: the call is about the person of the session, not about an account. */
  auth?: AuthNeed | undefined;
  /** Whether the call takes an access token that a client got with an authorization code. */
  forClients?: boolean | undefined;
  /** Whether the effect would outlive or exceed a named key. */
  wholeAccount?: boolean | undefined;
  /** Whether the effect would outlast an access token. */
  outlives?: boolean | undefined;
  /** Whether the effect acts without the credential that made it. */
  leavesAccess?: boolean | undefined;
  bucket?: CallBucket | undefined;
}

/**
 * Whether a call leaves something behind that acts without the credential that makes it: a key, a person, a webhook, a
 * pod, the key that mail is sealed to, a scheduled mail. Such a call waits for a running `secure`. It then fails,
 * because `secure` revoked its credential.
 */
export const leavesAccess = ({ wholeAccount, outlives, leavesAccess: leaves, bucket }: Access): boolean =>
  wholeAccount === true || outlives === true || leaves === true || bucket === 'pods';

/**
 * Accounts that a platform or an operator can suspend on another instance: a platform its pod,
 * an operator an agent. Only the administrator closes others, within seconds. Read the state of these from the
 * database.
 */
export const externallySuspendable = ({ accountId, parentId, isOperated }: Principal): string[] =>
  parentId === null ? (isOperated ? [accountId] : []) : isOperated ? [accountId, parentId] : [accountId];

/**
 * An operator's suspension stops the agent: its keys, and sessions that are not the operator's. It never bars what
 * takes access
 * away. @throws ApiError `account_suspended`, `pod_suspended`
 */
export function requireActive(
  { principal, suspension }: Pick<FoundCredential, 'principal' | 'suspension'>,
  { whileSuspended, auth }: Access,
): void {
  const { operator, parentId, person } = principal;
  if (suspension === 'none' || (auth === 'person' && person !== null)) return;
  if (suspension === 'agent' && (operator || whileSuspended)) return;
  const message = suspension === 'agent' ? { message: 'An operator suspended this account.' } : {};
  throw new ApiError(parentId === null ? 'account_suspended' : 'pod_suspended', parentId === null ? message : {});
}
