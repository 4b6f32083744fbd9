import { invalidField } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Tx } from '../../kernel/transaction.ts';
import type { Address } from './address-data.ts';
import type { AddressRules } from './address-rules.ts';
import { lockAddresses, setDisplayName } from './address-store.ts';

/**
 * Characters that would let a name pass for another address or show something else than it holds: `@`, angle brackets,
 * and invisible ones.
 */
const MISLEADING = /[@<>\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/**
 * Changes the name in the From header of mail from an address of the caller. Null: no name.
 * @throws ApiError `invalid_request`, `address_forbidden`, `not_found`, `invalid_address`
 */
export async function changeDisplayName(
  tx: Tx,
  addresses: AddressRules,
  { principal, text, name }: { principal: Principal; text: string; name: string | null },
): Promise<Address> {
  const { address } = await addresses.requireOwned(tx, principal, text);
  await lockAddresses(tx, [address]);
  const found = await addresses.requireOwned(tx, principal, address);
  const displayName = name?.trim() || null;
  if (displayName !== null && MISLEADING.test(displayName))
    throw invalidField(
      '/body/display_name',
      'invalid_text',
      'A display name has no @, < or > and no invisible characters.',
    );
  await setDisplayName(tx, address, displayName);
  return { ...found, displayName };
}
