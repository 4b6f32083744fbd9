import type { SERVICE_LIMITS } from './limits.ts';

/**
 * Buckets of calls that have an hourly limit of their own for each credential, and no other. They neither count against
 * `requests_per_day` nor depend on it.
 */
export const CALL_BUCKETS = {
  rotate: 'key_rotations_per_hour',
  activate: 'backup_activations_per_hour',
  revoke: 'revocations_per_hour',
  pods: 'pod_changes_per_hour',
} as const satisfies Record<string, keyof typeof SERVICE_LIMITS>;
export type CallBucket = keyof typeof CALL_BUCKETS;
