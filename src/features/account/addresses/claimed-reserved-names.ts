import type { Reader } from '../../../api/transaction.ts';
import { domainOf, localPartOf } from '../../../mail/address/mail-address.ts';
import type { ReservedNames } from '../../../mail/address/reserved-names.ts';
import { addressesAfter } from './address-store.ts';

const WALKED_AT_A_TIME = 10_000;

/** Finds the addresses at the mail domain that were claimed before their name was reserved. For the administrator. */
export async function claimedReserved(
  reader: Reader,
  mailDomain: string,
  reserved: ReservedNames,
): Promise<{ address: string; accountId: string }[]> {
  const found: { address: string; accountId: string }[] = [];
  let last = '';
  for (;;) {
    const page = await addressesAfter(reader, last, WALKED_AT_A_TIME);
    found.push(...page.filter(({ address }) => domainOf(address) === mailDomain && reserved.has(localPartOf(address))));
    if (page.length < WALKED_AT_A_TIME) return found;
    last = (page.at(-1) as { address: string }).address;
  }
}
