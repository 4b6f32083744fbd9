import { randomInt } from 'node:crypto';
import { ApiError, invalidField } from '../../kernel/errors.ts';
import { limitReached } from '../../kernel/limit-reached.ts';
import type { TierLimits } from '../../kernel/limits.ts';
import { agentAddress, domainOf, hostedAddress, localPartOf } from '../../kernel/mail-address.ts';
import type { Notices } from '../../kernel/notices.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { ReservedNames } from '../../kernel/reserved-names.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import { findAccount, isOpen, lockAccounts } from '../accounts/account-rules.ts';
import { parsePublicKey } from '../e2e/e2e-rules.ts';
import { accountKey, noteKey, rememberKeys, requireReplaceable } from '../e2e/rotation-rules.ts';
import { ownerOfDomain } from '../stacks/stack-rules.ts';
import type { Address } from './address-data.ts';
import {
  addressesAfter,
  addressSlots,
  addToCounters,
  findAddress,
  insertAddress,
  listAddresses,
  lockAddresses,
  setPublicKey,
} from './address-store.ts';

export { type Address, addToCounters, findAddress, lockAddresses };

/** How many addresses an account has. */
export const countAddresses = addressSlots.used;

export interface Claim {
  accountId: string;
  /** The limits of the account's tier. */
  limits: Pick<TierLimits, 'addresses'>;
  /** As {@link AddressRules.normalize} returns it. */
  address: string;
  /** X25519, base64url. Null: the account's key if it has one, else none. */
  publicKey: string | null;
  /** Who sends the key. */
  principal?: Principal;
  now: number;
}

export interface Claimed {
  /** True if the account had the address before. */
  alreadyOwned: boolean;
  address: Address;
}

/** Above the address limit of every tier. */
const LIST_MAX = 1000;
const WALKED_AT_A_TIME = 10_000;

/** @throws ApiError `invalid_request` naming the field */
export function requirePublicKey(text: string, path: string): string {
  const key = parsePublicKey(text);
  if (key === null)
    throw invalidField(path, 'invalid_format', `${path} must be an X25519 public key: 32 bytes as base64url or hex.`);
  return key;
}

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

/** Claims and looks up mail addresses. */
export class AddressRules {
  readonly #mailDomain: string;
  readonly #reserved: ReservedNames;
  readonly #notices: Notices;

  constructor(mailDomain: string, reserved: ReservedNames, notices: Notices) {
    this.#notices = notices;
    this.#mailDomain = mailDomain;
    this.#reserved = reserved;
  }

  /**
   * Returns the address that a request means, as it is stored. A property, so that it may be passed on as a function.
   * @throws ApiError `invalid_address`
   */
  readonly normalize = (text: string): string => {
    const address = this.#parse(text);
    if (address === null) throw this.#invalid();
    return address;
  };

  /**
   * Gives an address to an account. Exactly one of several parallel claims succeeds. Without a key of its own, a new
   * address gets the account's public key.
   * @throws ApiError `address_reserved`, `address_unavailable`, `address_limit`; for a key in the place of a protected
   *   one `seed_mismatch`, `older_factor_required`
   */
  async claim(tx: Tx, claim: Claim): Promise<Claimed> {
    const { accountId, address, now } = claim;
    // Makes the claim wait for a key rotation in progress, so that it sees the new key.
    await lockAccounts(tx, [accountId]);
    const found = await findAddress(tx, claim.address);
    const owned = found?.accountId === accountId ? found : null;
    const { principal } = claim;
    const replaced = claim.publicKey === null ? null : (owned?.publicKey ?? null);
    if (principal && replaced !== null && replaced !== claim.publicKey)
      await requireReplaceable(tx, this.#notices, principal, replaced, now);
    const publicKey = claim.publicKey ?? (owned ? null : await accountKey(tx, accountId));
    const claimed = await this.#claimWithKey(tx, { ...claim, publicKey });
    await rememberKeys(tx, accountId, [owned?.publicKey], now);
    if (principal && claim.publicKey !== null) await this.#noteKey(tx, principal, claim.publicKey, address, now);
    return claimed;
  }

  /** Begins the age of a key, unless mail of the account is encrypted to it already. */
  async #noteKey(tx: Tx, principal: Principal, publicKey: string, claimed: string, now: number): Promise<void> {
    const { accountId } = principal;
    const others = (await this.list(tx, accountId)).filter(({ address }) => address !== claimed);
    const inUse = [await accountKey(tx, accountId), ...others.map((other) => other.publicKey)];
    const bornOld = await this.#notices.isBornOld(tx, principal, now);
    await noteKey(tx, { accountId, publicKey, isUsed: inUse.includes(publicKey), bornOld, now });
  }

  /** Replaces the key of an address that the caller has found. The caller holds the lock of the account. */
  setPublicKey(tx: Tx, address: string, publicKey: string | null): Promise<void> {
    return setPublicKey(tx, address, publicKey);
  }

  /**
   * Returns an address of the caller.
   * @throws ApiError `address_forbidden` if another account has it, `not_found` if no account has it
   */
  async requireOwned(reader: Reader, principal: Principal, text: string): Promise<Address> {
    const address = this.#parse(text);
    if (address === null) throw new ApiError('invalid_address');
    const found = await findAddress(reader, address);
    if (!found && domainOf(address) !== this.#mailDomain) throw new ApiError('invalid_address');
    if (!found) throw new ApiError('not_found', { message: 'This address is not claimed.' });
    if (found.accountId !== principal.accountId) throw new ApiError('address_forbidden');
    return found;
  }

  /**
   * Returns an address that the caller may send from.
   * @throws ApiError `sender_not_owned`, the same for another account's address and for one that no account has
   */
  async requireSender(reader: Reader, principal: Principal, text: string): Promise<Address> {
    try {
      const found = await this.requireOwned(reader, principal, text);
      if (!(await this.#isServed(reader, found))) throw new ApiError('sender_not_owned');
      return found;
    } catch (err) {
      throw err instanceof ApiError && err.status < 500 ? new ApiError('sender_not_owned') : err;
    }
  }

  /** Whether an address receives mail: its account is open and still has its domain. */
  async receivesMail(reader: Reader, address: Address): Promise<boolean> {
    return (await this.#isServed(reader, address)) && isOpen(reader, await findAccount(reader, address.accountId));
  }

  find(reader: Reader, address: string): Promise<Address | null> {
    return findAddress(reader, address);
  }

  /** Oldest first. */
  list(reader: Reader, accountId: string): Promise<Address[]> {
    return listAddresses(reader, accountId, LIST_MAX);
  }

  /** Returns `localPart@domain`, with four random digits if that address is taken. */
  async pickFree(reader: Reader, localPart: string): Promise<string> {
    const plain = `${localPart}@${this.#mailDomain}`;
    if (!this.#reserved.has(localPart) && !(await findAddress(reader, plain))) return plain;
    return `${localPart.slice(0, 59)}${randomInt(1000, 10_000)}@${this.#mailDomain}`;
  }

  /** Claims an address with exactly this key or none. The caller holds the account's lock. */
  async #claimWithKey(tx: Tx, claim: Claim): Promise<Claimed> {
    const { accountId, limits, address, publicKey, now } = claim;
    const existing = await findAddress(tx, address);
    await this.#requireClaimable(tx, claim, existing);
    if (existing) return claimAgain(tx, existing, claim);
    if (!(await addressSlots.take(tx, accountId, limits.addresses))) {
      // A parallel claim of this address by the same account may have taken the last slot.
      const meanwhile = await findAddress(tx, address);
      if (meanwhile) return claimAgain(tx, meanwhile, claim);
      const counts = { used: await addressSlots.used(tx, accountId), max: limits.addresses };
      throw limitReached('addresses', counts, { fields: { limit: limits.addresses } });
    }
    const claimed: Address = { address, accountId, publicKey, total: 0, unread: 0, createdAt: now };
    if (await insertAddress(tx, claimed)) return { alreadyOwned: false, address: claimed };
    // A parallel claim inserted it first. If that was ours, this one claimed nothing new.
    await addressSlots.giveBack(tx, accountId);
    return claimAgain(tx, (await findAddress(tx, address)) as Address, claim);
  }

  #parse(text: string): string | null {
    const own = agentAddress(text, this.#mailDomain);
    if (own !== null) return own;
    const hosted = hostedAddress(text);
    return hosted === null || domainOf(hosted) === this.#mailDomain ? null : hosted;
  }

  #invalid(): ApiError {
    return new ApiError('invalid_address', {
      message: `An address is 1 to 64 of a-z, 0-9, ".", "_" and "-", alphanumeric at both ends, at @${this.#mailDomain} or at a domain this account has verified (POST /v1/stack).`,
    });
  }

  /**
   * On a domain of its own, an account may claim any name. An account keeps an address that it claimed before the name
   * was reserved.
   */
  async #requireClaimable(tx: Tx, { accountId, address }: Claim, existing: Address | null): Promise<void> {
    if (domainOf(address) === this.#mailDomain) {
      const isOwn = existing?.accountId === accountId;
      if (!isOwn && this.#reserved.has(localPartOf(address))) throw new ApiError('address_reserved');
    } else if ((await ownerOfDomain(tx, domainOf(address))) !== accountId) throw this.#invalid();
  }

  async #isServed(reader: Reader, { address, accountId }: Address): Promise<boolean> {
    return domainOf(address) === this.#mailDomain || (await ownerOfDomain(reader, domainOf(address))) === accountId;
  }
}

/** A claim of an address that exists: replaces its key if the claim has one. */
async function claimAgain(tx: Tx, existing: Address, { accountId, publicKey }: Claim): Promise<Claimed> {
  if (existing.accountId !== accountId) throw new ApiError('address_unavailable');
  if (publicKey === null) return { alreadyOwned: true, address: existing };
  await setPublicKey(tx, existing.address, publicKey);
  return { alreadyOwned: true, address: { ...existing, publicKey } };
}
