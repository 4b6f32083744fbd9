import { ApiError, invalidField } from '../../../api/errors.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader } from '../../../api/transaction.ts';
import { addressesOf } from '../../account/addresses/address.ts';

/** How many addresses a refusal lists. */
const LISTED_MAX = 10;

/** The addresses that a credential may use. */
export const usableAddresses = async (
  reader: Reader,
  { accountId, addresses }: Principal,
): Promise<readonly string[]> => addresses ?? (await addressesOf(reader, accountId));

/**
 * The only address that a credential may use.
 * @param path the field that chooses one of several
 * @throws ApiError `invalid_request`, `not_found`
 */
export async function onlyAddress(reader: Reader, principal: Principal, path: string): Promise<string> {
  const [address, ...others] = await usableAddresses(reader, principal);
  if (address === undefined) throw new ApiError('not_found', { message: 'Claim an address first.' });
  const field = path.slice(path.lastIndexOf('/') + 1);
  if (others.length > 0) {
    const listed = [address, ...others].slice(0, LISTED_MAX).join(', ');
    throw invalidField(path, 'required', `Send \`${field}\`: this key has several addresses, such as ${listed}.`);
  }
  return address;
}
