import type { SERVICE_LIMITS } from '../limits.ts';

/**
 * Buckets of calls with a separate hourly limit for each credential, so that nothing else can use it up.
 * `revoke` holds each write that takes something away, `inspect` the reads that show what can be taken away, `login` what
 * opens a console, `search` what reads many rows. Calls over `inspect` count against `requests_per_day` like other reads; the other buckets neither count against it nor depend on it.
 */
export const CALL_BUCKETS = {
  inspect: 'inspections_per_hour',
  rotate: 'key_rotations_per_hour',
  activate: 'backup_activations_per_hour',
  secure: 'secures_per_hour',
  revoke: 'revocations_per_hour',
  pods: 'pod_changes_per_hour',
  login: 'console_logins_per_hour',
  search: 'searches_per_hour',
} as const satisfies Record<string, keyof typeof SERVICE_LIMITS>;
export type CallBucket = keyof typeof CALL_BUCKETS;

/** What counts a call instead of the day: a bucket, or the reads of the console sessions of an account. */
export type CallCount = CallBucket | 'console';

/**
 * Calls that replace the caller's key. A refused call does not count, so a thief cannot use up the owner's rotations.
 */
export const replacesKey = (bucket: CallBucket | undefined): bucket is 'rotate' | 'secure' =>
  bucket === 'rotate' || bucket === 'secure';
