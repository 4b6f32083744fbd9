import { randomInt } from 'node:crypto';
import { ApiError, invalidField } from '../../kernel/errors.ts';
import { limitReached } from '../../kernel/limit-reached.ts';
import type { Limits, Tier } from '../../kernel/limits.ts';
import { agentAddress, domainOf, hostedAddress, isReservedLocalPart, localPartOf } from '../../kernel/mail-address.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import { parsePublicKey } from '../e2e/e2e-rules.ts';
import { ownerOfDomain } from '../stacks/stack-rules.ts';
import {
  type Address,
  addToCounters,
  countAddresses,
  findAddress,
  insertAddress,
  listAddresses,
  lockAddresses,
  returnAddressSlot,
  setPublicKey,
  takeAddressSlot,
} from './address-store.ts';

export { type Address, addToCounters, countAddresses, findAddress, lockAddresses };

export interface Claim {
  accountId: string;
  tier: Tier;
  /** In the service's own form; see {@link AddressRules.normalize}. */
  address: string;
  publicKey: string | null;
  now: number;
}

export interface AddressRules {
  /** The address a request means, in the form it is stored. @throws ApiError `invalid_address` */
  normalize(text: string): string;
  /**
   * Gives the address to the account; one of any number of racing claims wins.
   * @returns whether the account had it already
   * @throws ApiError `address_reserved`, `address_unavailable`, `address_limit`
   */
  claim(tx: Tx, claim: Claim): Promise<{ alreadyOwned: boolean; address: Address }>;
  /** An address the caller owns. @throws ApiError `address_forbidden` for another's, `not_found` for nobody's */
  requireOwned(reader: Reader, principal: Principal, text: string): Promise<Address>;
  /** The same for a sender. @throws ApiError `sender_not_owned`, alike for another's address and for nobody's */
  requireSender(reader: Reader, principal: Principal, text: string): Promise<Address>;
  /** Whether mail to and from it passes: it does not where its account no longer holds the domain. */
  isServed(reader: Reader, address: Address): Promise<boolean>;
  find(reader: Reader, address: string): Promise<Address | null>;
  list(reader: Reader, accountId: string): Promise<Address[]>;
  /** `name@domain`, or with four random digits when that is taken. */
  pickFree(reader: Reader, localPart: string): Promise<string>;
}

/** @throws ApiError `invalid_request` naming the field */
export function requirePublicKey(text: string, path: string): string {
  const key = parsePublicKey(text);
  if (key === null)
    throw invalidField(path, 'invalid_format', `${path} must be an X25519 public key: 32 bytes as base64url or hex.`);
  return key;
}

export function createAddressRules(limits: Limits, mailDomain: string): AddressRules {
  const spelled = (text: string): string | null => agentAddress(text, mailDomain) ?? elsewhere(text);

  function elsewhere(text: string): string | null {
    const address = hostedAddress(text);
    return address === null || domainOf(address) === mailDomain ? null : address;
  }

  const invalid = (): ApiError =>
    new ApiError('invalid_address', {
      message: `An address is 1 to 64 of a-z, 0-9, ".", "_" and "-", alphanumeric at both ends, at @${mailDomain} or at a domain this account has verified (POST /v1/stack).`,
    });

  /** At an account's own domain every name is its own to give. */
  async function requireClaimable(tx: Tx, { accountId, address }: Claim): Promise<void> {
    if (domainOf(address) === mailDomain) {
      if (isReservedLocalPart(localPartOf(address))) throw new ApiError('address_reserved');
    } else if ((await ownerOfDomain(tx, domainOf(address))) !== accountId) throw invalid();
  }

  async function owned(tx: Tx, existing: Address, claim: Claim): Promise<{ alreadyOwned: boolean; address: Address }> {
    if (existing.accountId !== claim.accountId) throw new ApiError('address_unavailable');
    if (claim.publicKey === null) return { alreadyOwned: true, address: existing };
    await setPublicKey(tx, existing.address, claim.publicKey);
    return { alreadyOwned: true, address: { ...existing, publicKey: claim.publicKey } };
  }

  async function isServed(reader: Reader, { address, accountId }: Address): Promise<boolean> {
    return domainOf(address) === mailDomain || (await ownerOfDomain(reader, domainOf(address))) === accountId;
  }

  async function requireOwned(reader: Reader, principal: Principal, text: string): Promise<Address> {
    const address = spelled(text);
    if (address === null) throw new ApiError('invalid_address');
    const found = await findAddress(reader, address);
    if (!found && domainOf(address) !== mailDomain) throw new ApiError('invalid_address');
    if (!found) throw new ApiError('not_found', { message: 'Nobody has this address.' });
    if (found.accountId !== principal.accountId) throw new ApiError('address_forbidden');
    return found;
  }

  return {
    normalize: (text) => {
      const address = spelled(text);
      if (address === null) throw invalid();
      return address;
    },
    claim: async (tx, claim) => {
      const { accountId, tier, address, publicKey, now } = claim;
      await requireClaimable(tx, claim);
      const existing = await findAddress(tx, address);
      if (existing) return owned(tx, existing, claim);
      if (!(await takeAddressSlot(tx, accountId, limits[tier].addresses))) {
        // The last slot may have gone to a claim of this very address, which this one waited for.
        const meanwhile = await findAddress(tx, address);
        if (meanwhile) return owned(tx, meanwhile, claim);
        const limit = limits[tier].addresses;
        throw limitReached(
          'addresses',
          { used: await countAddresses(tx, accountId), max: limit },
          { facts: { limit } },
        );
      }
      if (await insertAddress(tx, { address, accountId, publicKey, createdAt: now })) {
        return { alreadyOwned: false, address: { address, accountId, publicKey, total: 0, unread: 0, createdAt: now } };
      }
      // Another transaction got here between the look and the insert. If it was our own, nothing new was claimed.
      await returnAddressSlot(tx, accountId);
      return owned(tx, (await findAddress(tx, address)) as Address, claim);
    },
    requireOwned,
    isServed,
    requireSender: async (reader, principal, text) => {
      try {
        const found = await requireOwned(reader, principal, text);
        if (!(await isServed(reader, found))) throw new ApiError('sender_not_owned');
        return found;
      } catch (err) {
        throw err instanceof ApiError && err.status < 500 ? new ApiError('sender_not_owned') : err;
      }
    },
    find: findAddress,
    list: (reader, accountId) => listAddresses(reader, accountId, 1000),
    pickFree: async (reader, localPart) => {
      const plain = `${localPart}@${mailDomain}`;
      if (!isReservedLocalPart(localPart) && !(await findAddress(reader, plain))) return plain;
      return `${localPart.slice(0, 59)}${randomInt(1000, 10_000)}@${mailDomain}`;
    },
  };
}
