import type { Endpoint } from '../../../api/endpoint.ts';
import { ApiError } from '../../../api/errors.ts';
import type { Principal } from '../../../api/principal.ts';
import { pipeline, type Reader } from '../../../api/transaction.ts';
import { findAllSuspensions, readSuspension } from '../../account/accounts/account-lifecycle.ts';
import { keyStatuses } from '../../account/keys/key.ts';
import { requireActive } from './active-account.ts';

/** A caller with a key of the account itself: no named key, token or session. */
type KeyHolder = Principal & { keyHash: string };

/**
 * Checks the keys of many callers again, in the transaction that they share.
 * @returns for each what {@link Credentials.confirm} throws, or null
 */
export async function confirmKeys(
  tx: Reader,
  principals: readonly KeyHolder[],
  { auth, whileSuspended }: Pick<Endpoint, 'auth' | 'whileSuspended'>,
): Promise<(ApiError | null)[]> {
  const accountsOf = ({ accountId, parentId }: Principal): string[] =>
    parentId === null ? [accountId] : [accountId, parentId];
  const [keys, bars] = await pipeline([
    keyStatuses(tx, [...new Set(principals.map(({ keyHash }) => keyHash))]),
    findAllSuspensions(tx, [...new Set(principals.flatMap(accountsOf))]),
  ]);
  return principals.map((principal) => {
    if (!keys.has(principal.keyHash)) return new ApiError('unauthorized');
    try {
      for (const id of accountsOf(principal)) {
        const barsOfOne = bars.get(id);
        if (barsOfOne === undefined) return new ApiError('unauthorized');
        requireActive({ principal, suspension: readSuspension(barsOfOne) }, { auth, whileSuspended });
      }
      return null;
    } catch (err) {
      if (err instanceof ApiError) return err;
      throw err;
    }
  });
}
