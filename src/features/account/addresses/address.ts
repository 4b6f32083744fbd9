import { randomInt } from 'node:crypto';
import type { Notices } from '../../../api/account/removal-notices.ts';
import { ApiError } from '../../../api/errors.ts';
import type { TierLimits } from '../../../api/limits.ts';
import { limitReached } from '../../../api/metering/limit-reached.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { agentAddress, domainOf, hostedAddress, localPartOf } from '../../../mail/address/mail-address.ts';
import type { ReservedNames } from '../../../mail/address/reserved-names.ts';
import { findAccount, isOpen, lockAccounts } from '../accounts/account-lifecycle.ts';
import type { Account } from '../accounts/account-table.ts';
import { ownerOfDomain } from '../domains/stack.ts';
import { accountKey, noteKey, rememberKeys, requireReplaceable } from '../e2e/rotation.ts';
import { isKept } from './address-hash-store.ts';
import {
  addressesOfAccounts,
  addressSlots,
  addToCounters,
  findAddress,
  hasRow,
  insertAddress,
  listAddresses,
  lockAddresses,
  lockAnyAddress,
  lockFreeAddresses,
  markReleased,
  savePublicKey,
} from './address-store.ts';
import type { Address } from './address-table.ts';

export { type Address, addressesOfAccounts, addToCounters, findAddress, lockAddresses, lockFreeAddresses };

/** The part of a caller that says which addresses it may use. */
export type Limited = Pick<Principal, 'accountId' | 'addresses'>;

/** Whether the caller may know of what an address of an account has. A credential may be limited to some addresses. */
export const mayUse = ({ accountId, addresses }: Limited, thing: Pick<Address, 'accountId' | 'address'>): boolean =>
  thing.accountId === accountId && (addresses?.includes(thing.address) ?? true);

/** The refusal of an address that no account has, and of one that the caller may not know of. */
const notClaimed = (): ApiError => new ApiError('not_found', { message: 'This address is not claimed.' });

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

/** How many addresses a refusal lists. */
const LISTED_MAX = 10;

/** Above the address limit of every tier. */
const LIST_MAX = 1000;
const IN_USE = { releasedAt: null, freedAt: null };
const NEW = { ...IN_USE, total: 0, unread: 0, displayName: null, retentionDays: null, retentionSince: null };

/** Lists every address that an account has in use, oldest first. */
export const addressesOf = async (reader: Reader, accountId: string): Promise<string[]> =>
  (await listAddresses(reader, accountId, LIST_MAX)).map(({ address }) => address);

/** Called in the transaction in which an account releases an address. */
export type AddressReleased = (tx: Tx, accountId: string, address: string) => Promise<void>;

/** Claims and looks up mail addresses. */
export class AddressRules {
  readonly #mailDomain: string;
  readonly #reserved: ReservedNames;
  readonly #notices: Notices;
  /** Computes the keyed hash of an address. */
  readonly #hash: (address: string) => string;
  readonly #released: AddressReleased[] = [];

  constructor(mailDomain: string, reserved: ReservedNames, notices: Notices, hash: (address: string) => string) {
    this.#notices = notices;
    this.#mailDomain = mailDomain;
    this.#reserved = reserved;
    this.#hash = hash;
  }

  /**
   * Returns the address that a request means, as it is stored. A property, so that it may be passed on as a function.
   * @throws ApiError `invalid_address`
   */
  readonly normalize = (text: string): string => {
    const address = this.parse(text);
    if (address === null) throw this.#invalid();
    return address;
  };

  /** The same for an address that must exist: what can be no address of ours is not found. @throws ApiError `not_found` */
  normalizeOwn(text: string): string {
    const address = this.parse(text);
    if (address === null) throw new ApiError('not_found');
    return address;
  }

  /** Returns the address that a text means, as it is stored; null when it cannot be one. */
  parse(text: string): string | null {
    const own = agentAddress(text, this.#mailDomain);
    if (own !== null) return own;
    const hosted = hostedAddress(text);
    return hosted === null || domainOf(hosted) === this.#mailDomain ? null : hosted;
  }

  /**
   * Gives an address to an account. Exactly one of several parallel claims succeeds. Without its own key, a new
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
    const trustedFromStart = await this.#notices.isTrustedFromStart(tx, principal, now);
    await noteKey(tx, { accountId, publicKey, isUsed: inUse.includes(publicKey), trustedFromStart, now });
  }

  /** Replaces the key of an address that the caller has found. The caller holds the lock of the account. */
  async setPublicKey(tx: Tx, address: string, publicKey: string | null): Promise<void> {
    await savePublicKey(tx, { address, publicKey });
  }

  /**
   * Returns an address of the caller. For a credential that is limited to addresses, every other address looks as if no
   * account had it.
   * @param foreign what another account's address is: told, or as if no account had it
   * @throws ApiError `address_forbidden` if another account has it, `not_found` if no account has it
   */
  async requireOwned(
    reader: Reader,
    principal: Limited,
    text: string,
    foreign: 'told' | 'missing' = 'told',
  ): Promise<Address> {
    const address = this.parse(text);
    if (address === null) throw new ApiError('invalid_address');
    if (principal.addresses?.includes(address) === false) throw notClaimed();
    const known = await findAddress(reader, address);
    const found = foreign === 'told' || known?.accountId === principal.accountId ? known : null;
    if (!found && domainOf(address) !== this.#mailDomain) throw new ApiError('invalid_address');
    if (!found) throw notClaimed();
    if (found.accountId !== principal.accountId) throw new ApiError('address_forbidden');
    return found;
  }

  /**
   * Returns an address that the caller may send from.
   * @throws ApiError `sender_not_owned`, the same for another account's address and for one that no account has. It lists
   *   the addresses that the caller may use.
   */
  async requireSender(reader: Reader, principal: Limited, text: string): Promise<Address> {
    try {
      const found = await this.requireOwned(reader, principal, text);
      if (!(await this.#isServed(reader, found))) throw new ApiError('sender_not_owned');
      return found;
    } catch (err) {
      if (!(err instanceof ApiError && err.status < 500)) throw err;
      const own = principal.addresses ?? (await addressesOf(reader, principal.accountId));
      const listed = own.slice(0, LISTED_MAX).join(', ');
      throw new ApiError('sender_not_owned', {
        message: `The sender must be an address of this account${listed === '' ? '. Claim one first.' : `: ${listed}.`}`,
      });
    }
  }

  /** The account that gets the mail of an address. Null when it gets none: it is not open, or lost its domain. */
  async receiver(reader: Reader, address: Address): Promise<Account | null> {
    if (!(await this.#isServed(reader, address))) return null;
    const account = await findAccount(reader, address.accountId);
    return (await isOpen(reader, account)) ? account : null;
  }

  /** Whether no account has or ever had an address. */
  async isFree(reader: Reader, address: string): Promise<boolean> {
    return !(await hasRow(reader, address)) && !(await isKept(reader, this.#hash(address)));
  }

  /**
   * Gives up an address. It then looks like one that is not claimed, but no other account ever gets it. Its mail stays
   * for
   * `RELEASED_MAIL_MS`, out of sight, and fills its slot.
   */
  async release(tx: Tx, { accountId, address }: Pick<Address, 'accountId' | 'address'>, now: number): Promise<void> {
    await lockAccounts(tx, [accountId]);
    const found = await lockAnyAddress(tx, address);
    if (found?.accountId !== accountId || found.releasedAt !== null) throw new ApiError('not_found');
    await markReleased(tx, address, now);
    for (const released of this.#released) await released(tx, accountId, address);
  }

  /** Registers what follows when an address is released. */
  onReleased(released: AddressReleased): void {
    this.#released.push(released);
  }

  find(reader: Reader, address: string): Promise<Address | null> {
    return findAddress(reader, address);
  }

  /** Oldest first. */
  list(reader: Reader, accountId: string): Promise<Address[]> {
    return listAddresses(reader, accountId, LIST_MAX);
  }

  /** The addresses that the caller may use, oldest first. */
  async listOf(reader: Reader, principal: Limited): Promise<Address[]> {
    return (await this.list(reader, principal.accountId)).filter((address) => mayUse(principal, address));
  }

  /** Returns `localPart@domain`, with four random digits if that address is taken. */
  async pickFree(reader: Reader, localPart: string): Promise<string> {
    const plain = `${localPart}@${this.#mailDomain}`;
    if (!this.#reserved.has(localPart) && (await this.isFree(reader, plain))) return plain;
    return `${localPart.slice(0, 59)}${randomInt(1000, 10_000)}@${this.#mailDomain}`;
  }

  /** Claims an address with exactly this key or none. The caller holds the account's lock. */
  async #claimWithKey(tx: Tx, claim: Claim): Promise<Claimed> {
    const { accountId, limits, address, publicKey, now } = claim;
    const existing = await lockAnyAddress(tx, address);
    await this.#requireClaimable(tx, claim, existing);
    if (existing?.releasedAt != null) return this.#reclaim(tx, existing, claim);
    if (existing) return claimAgain(tx, existing, claim);
    if (await isKept(tx, this.#hash(address))) throw new ApiError('address_unavailable');
    if (!(await addressSlots.take(tx, accountId, limits.addresses))) {
      // A parallel claim of this address by the same account may have taken the last slot.
      const meanwhile = await findAddress(tx, address);
      if (meanwhile) return claimAgain(tx, meanwhile, claim);
      throw await this.#slotsUsedUp(tx, accountId, limits.addresses);
    }
    const claimed: Address = { ...NEW, address, accountId, publicKey, createdAt: now };
    if (await insertAddress(tx, claimed)) return { alreadyOwned: false, address: claimed };
    // A parallel claim inserted it first. If that was ours, this one claimed nothing new.
    await addressSlots.giveBack(tx, accountId);
    return claimAgain(tx, (await findAddress(tx, address)) as Address, claim);
  }

  /** Gives a released address back to its account, with the mail that is still there. */
  async #reclaim(tx: Tx, released: Address, claim: Claim): Promise<Claimed> {
    const { accountId, limits } = claim;
    if (released.accountId !== accountId) throw new ApiError('address_unavailable');
    if (released.freedAt !== null && !(await addressSlots.take(tx, accountId, limits.addresses)))
      throw await this.#slotsUsedUp(tx, accountId, limits.addresses);
    await markReleased(tx, released.address, null);
    const { address } = await claimAgain(tx, { ...released, ...IN_USE }, claim);
    return { alreadyOwned: false, address };
  }

  async #slotsUsedUp(reader: Reader, accountId: string, max: number): Promise<ApiError> {
    const counts = { used: await addressSlots.used(reader, accountId), max };
    return limitReached('addresses', counts, { fields: { limit: max } });
  }

  #invalid(): ApiError {
    return new ApiError('invalid_address', {
      message: `An address is 1 to 64 of a-z, 0-9, ".", "_" and "-", alphanumeric at both ends, at @${this.#mailDomain} or at a domain this account has verified (POST /v1/stack).`,
    });
  }

  /**
   * On its own domain, an account may claim any name. An account keeps an address that it claimed before the name
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
  await savePublicKey(tx, { address: existing.address, publicKey });
  return { alreadyOwned: true, address: { ...existing, publicKey } };
}
