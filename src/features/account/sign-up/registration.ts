import { randomInt } from 'node:crypto';
import { ApiError, invalidField } from '../../../api/errors.ts';
import type { EnqueueJob } from '../../../api/job-types.ts';
import { type Limits, type Tier, type TierLimits, windowRule } from '../../../api/limits.ts';
import type { Tx } from '../../../api/transaction.ts';
import type { ClientNetworks } from '../../../base/client-network.ts';
import { base32 } from '../../../base/ids.ts';
import { slugify } from '../../../mail/address/mail-address.ts';
import { takeNetworkWindow } from '../../service/limits/rate-window.ts';
import { createAccount } from '../accounts/account-lifecycle.ts';
import type { AddressRules } from '../addresses/address.ts';
import type { AdmitSignUp, KeyRules, MintedKey } from '../keys/key.ts';
import { nameAtSignUp } from '../people/person.ts';

export interface Registration {
  name: string | null;
  address: string | null;
  recoveryEmail: string | null;
  capabilities: string[];
  invite: string | undefined;
  /** Those of the client. */
  networks: ClientNetworks;
}

export interface Registered {
  minted: MintedKey;
  address: string;
  tier: Tier;
  limits: TierLimits;
}

/** A taken name gets four random digits. Five tries are enough, even when several registrations compete. */
const NAME_TRIES = 5;
/** Refusals after which another address may succeed. */
const OTHER_NAME: readonly string[] = ['address_unavailable', 'address_reserved'];

/** Matches a visible character outside ASCII. A name of such characters is valid, even without a spelling in ASCII. */
const OTHER_CHARACTER = /[^\p{ASCII}\p{Z}\p{C}]/u;

/** For a name without a spelling in ASCII: `agent-` and 40 random bits. */
const randomLocalPart = (): string => `agent-${base32(randomInt(2 ** 40), 8)}`;

export interface RegistrationDeps {
  limits: Limits;
  keys: KeyRules;
  addresses: AddressRules;
  admit: AdmitSignUp;
  enqueueJob: EnqueueJob;
  networksOf(ip: string): ClientNetworks;
}

/** Creates accounts together with their key and address. */
export class RegistrationRules {
  readonly #deps: RegistrationDeps;

  constructor(deps: RegistrationDeps) {
    this.#deps = deps;
  }

  /** @throws ApiError `invalid_address`, `address_unavailable`, `rate_limited`, `signup_closed`, `invite_required` */
  async register(tx: Tx, registration: Registration, now: number): Promise<Registered> {
    const { name, address, recoveryEmail, capabilities, invite, networks } = registration;
    const { limits, admit, enqueueJob, keys } = this.#deps;
    await takeNetworkWindow(tx, 'register', networks, [windowRule(limits, 'registrations_per_ip_per_hour')], now);
    await admit(tx, invite, now);
    const account = await createAccount(tx, { name, capabilities }, now);
    const person = recoveryEmail === null ? null : ({ role: 'recovery', address: recoveryEmail } as const);
    if (person) await nameAtSignUp(tx, enqueueJob, { accountId: account.id, ...person }, now);
    const minted = await keys.issue(tx, account.id, 'platform', now);
    const claimed =
      address !== null
        ? await this.#claimExplicit(tx, account.id, address, now)
        : await this.#claimByName(tx, account.id, name as string, now);
    return { minted, address: claimed, tier: account.tier, limits: limits[account.tier] };
  }

  async #claimExplicit(tx: Tx, accountId: string, text: string, now: number): Promise<string> {
    const { addresses, limits } = this.#deps;
    const address = addresses.normalize(text);
    try {
      await addresses.claim(tx, { accountId, limits: limits.free, address, publicKey: null, now });
    } catch (err) {
      // Registration has one code for every address that cannot be claimed.
      if (err instanceof ApiError && err.code === 'address_reserved')
        throw new ApiError('invalid_address', { message: 'This address is reserved.' });
      throw err;
    }
    return address;
  }

  async #claimByName(tx: Tx, accountId: string, name: string, now: number): Promise<string> {
    const { addresses, limits } = this.#deps;
    const slug = slugify(name);
    if (slug === null && !OTHER_CHARACTER.test(name))
      throw invalidField('/body/name', 'invalid_format', 'name must hold at least one letter or digit.');
    for (let tries = 1; ; tries++) {
      const address = await addresses.pickFree(tx, slug ?? randomLocalPart());
      try {
        await addresses.claim(tx, { accountId, limits: limits.free, address, publicKey: null, now });
        return address;
      } catch (err) {
        if (!(err instanceof ApiError && OTHER_NAME.includes(err.code)) || tries === NAME_TRIES) throw err;
      }
    }
  }
}
