import { requireNoDeletion } from '../../api/account/pending-deletion.ts';
import type { Endpoint } from '../../api/endpoint.ts';
import { ApiError } from '../../api/errors.ts';
import type { Principal } from '../../api/principal.ts';

/** Taking access away needs little space, and must not wait. @throws ApiError `storage_unavailable` */
export function requireDiskSpace(
  { effect, bucket }: Endpoint,
  method: string,
  { mayStore }: { mayStore(): boolean },
): void {
  if (effect === 'none' || method === 'GET' || method === 'DELETE' || bucket !== undefined || mayStore()) return;
  throw new ApiError('storage_unavailable', {
    message:
      'The disk of this service is almost full. Nothing was changed. Reading and deleting work. Try again later.',
    headers: { 'retry-after': '60' },
    cause: 'DISK_FREE_MIN',
  });
}

/** An account that is going to be deleted only reads; its people go on. @throws ApiError `account_deleting` */
export function requireNotDeleting(principal: Principal, { auth, effect, method, whileSuspended }: Endpoint): void {
  if (auth === 'person' || effect !== 'write' || method === 'GET' || whileSuspended) return;
  requireNoDeletion(principal);
}
