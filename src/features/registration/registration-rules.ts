import { randomInt } from 'node:crypto';
import { ApiError, invalidField } from '../../kernel/errors.ts';
import { base32 } from '../../kernel/ids.ts';
import { type Limits, type Tier, type TierLimits, windowRule } from '../../kernel/limits.ts';
import { slugify } from '../../kernel/mail-address.ts';
import type { Tx } from '../../kernel/transaction.ts';
import { createAccount } from '../accounts/account-rules.ts';
import type { AddressRules } from '../addresses/address-rules.ts';
import type { KeyRules, MintedKey } from '../keys/key-rules.ts';
import { takeWindow } from '../limits/window-rules.ts';

export interface Registration {
  name: string | null;
  address: string | null;
  recoveryEmail: string | null;
  capabilities: string[];
  /** Keyed hash of the client's network. */
  network: string;
}

export interface Registered {
  minted: MintedKey;
  address: string;
  tier: Tier;
  limits: TierLimits;
}

export interface RegistrationRules {
  /**
   * Account, key and address in one step. @throws ApiError `invalid_address`, `address_unavailable`, `rate_limited`
   */
  register(tx: Tx, registration: Registration, now: number): Promise<Registered>;
}

/** The explicit address must be free; a name's address gets four digits when it is not. Five tries settle any race. */
const NAME_TRIES = 5;

/** A visible character outside ASCII: a name of such characters is a name, even one that has no reading in ASCII. */
const OTHER_CHARACTER = /[^\p{ASCII}\p{Z}\p{C}]/u;

/** For a name without a reading in ASCII: `agent-` and 40 random bits. */
const randomLocalPart = (): string => `agent-${base32(randomInt(2 ** 40), 8)}`;

export function createRegistrationRules(limits: Limits, keys: KeyRules, addresses: AddressRules): RegistrationRules {
  async function claimExplicit(tx: Tx, accountId: string, text: string, now: number): Promise<string> {
    const address = addresses.normalize(text);
    try {
      await addresses.claim(tx, { accountId, limits: limits.free, address, publicKey: null, now });
    } catch (err) {
      // Registration has one code for every address that cannot be had (spec, Errors).
      if (err instanceof ApiError && err.code === 'address_reserved')
        throw new ApiError('invalid_address', { message: 'This address is reserved.' });
      throw err;
    }
    return address;
  }

  async function claimByName(tx: Tx, accountId: string, name: string, now: number): Promise<string> {
    const slug = slugify(name);
    if (slug === null && !OTHER_CHARACTER.test(name))
      throw invalidField('/body/name', 'invalid_format', 'name must hold at least one letter or digit.');
    for (let tries = 1; ; tries++) {
      const address = await addresses.pickFree(tx, slug ?? randomLocalPart());
      try {
        await addresses.claim(tx, { accountId, limits: limits.free, address, publicKey: null, now });
        return address;
      } catch (err) {
        if (!(err instanceof ApiError && err.code === 'address_unavailable') || tries === NAME_TRIES) throw err;
      }
    }
  }

  return {
    register: async (tx, registration, now) => {
      const { name, address, recoveryEmail, capabilities, network } = registration;
      await takeWindow(tx, `register:${network}`, [windowRule(limits, 'registrations_per_ip_per_hour')], now);
      const account = await createAccount(tx, { name, recoveryEmail, capabilities }, now);
      const minted = await keys.issue(tx, account.id, 'platform', now);
      const claimed =
        address !== null
          ? await claimExplicit(tx, account.id, address, now)
          : await claimByName(tx, account.id, name as string, now);
      return { minted, address: claimed, tier: account.tier, limits: limits[account.tier] };
    },
  };
}
