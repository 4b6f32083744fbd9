import { isTrusted } from '../../../api/account/factor.ts';
import type { LockdownHook, RecentChange, RecentlyAdded } from '../../../api/account/lockdown-parts.ts';
import type { Asker, Notice, NoticedFactor, NoticeHandler, Notices } from '../../../api/account/removal-notices.ts';
import { ApiError } from '../../../api/errors.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { lockAccounts } from '../accounts/account-lifecycle.ts';
import { deleteEncryption, findEncryption, findHistoryKey } from './rotation-store.ts';

/** The addresses of accounts, as rotation uses them. A port: addresses import this feature, so it cannot import them. */
export interface AddressPort {
  list(reader: Reader, accountId: string): Promise<readonly { address: string; publicKey: string | null }[]>;
  /** Replaces the key of an address that {@link list} returned. */
  setPublicKey(tx: Tx, address: string, publicKey: string | null): Promise<void>;
}

/** What the keys that encrypt mail need. Each part takes what it uses of this. */
export interface KeyFactorDeps {
  addresses: AddressPort;
  notices: Notices;
}

/** How old a public key of an account is. A key that is not in its history yet is new. */
export async function factorOfKey(reader: Reader, accountId: string, publicKey: string): Promise<NoticedFactor> {
  const known = await findHistoryKey(reader, accountId, publicKey);
  return { since: known?.createdAt ?? null, trustedFromStart: known?.trustedFromStart ?? false, address: null };
}

/** Whether the caller may put another key in the place of one without notice: it is young, or the account is new. */
export async function mayReplaceKey(
  reader: Reader,
  notices: Notices,
  { accountId, publicKey, by, now }: { accountId: string; publicKey: string; by: Asker; now: number },
): Promise<boolean> {
  if (await notices.isSettingUp(reader, accountId, now)) return true;
  return notices.removesAtOnce(await factorOfKey(reader, accountId, publicKey), by, now);
}

/** Every public key that mail of the account is encrypted to, each once. */
async function keysInUse(reader: Reader, addresses: AddressPort, accountId: string): Promise<string[]> {
  const active = (await findEncryption(reader, accountId))?.publicKey;
  const ofAddresses = (await addresses.list(reader, accountId)).map(({ publicKey }) => publicKey);
  return [...new Set([active, ...ofAddresses])].filter((key): key is string => typeof key === 'string');
}

/** Removes the keys that encrypt mail: young ones at once, old ones with notice. Mail is then stored readable. */
export class KeyFactors {
  readonly #deps: KeyFactorDeps;

  constructor(deps: KeyFactorDeps) {
    this.#deps = deps;
  }

  /** @throws ApiError `not_found` without a key, `removal_disputed` @returns when the last one is gone */
  async remove(tx: Tx, principal: Principal, now: number): Promise<{ status: 'ended' | 'scheduled'; endsAt: number }> {
    const { addresses, notices } = this.#deps;
    const { accountId } = principal;
    await lockAccounts(tx, [accountId]);
    const keys = await keysInUse(tx, addresses, accountId);
    if (keys.length === 0) throw new ApiError('not_found', { message: 'This account has no encryption key.' });
    const by = await notices.askerOf(tx, principal);
    let last: Notice | null = null;
    for (const publicKey of keys) {
      const target = { accountId, what: 'e2e_key' as const, target: publicKey };
      if (notices.removesAtOnce(await factorOfKey(tx, accountId, publicKey), by, now)) {
        await notices.drop(tx, target);
        await this.#drop(tx, accountId, publicKey);
      } else last = await notices.start(tx, { ...target, by, now });
    }
    return last ? { status: 'scheduled', endsAt: last.endsAt } : { status: 'ended', endsAt: now };
  }

  /** What the notices do about a key. */
  readonly handler: NoticeHandler = {
    find: async (reader, accountId, target) => {
      const isUsed = (await keysInUse(reader, this.#deps.addresses, accountId)).includes(target);
      return isUsed ? factorOfKey(reader, accountId, target) : null;
    },
    carryOut: (tx, { accountId, target }) => this.#drop(tx, accountId, target),
  };

  /** Takes back young keys, of a pod's former holder all. */
  readonly secure: LockdownHook = async (tx, { accountId, revert, whole, now }) => {
    const changes: RecentChange[] = [];
    if (!revert) return {};
    for (const key of await keysInUse(tx, this.#deps.addresses, accountId)) {
      if (!whole && isTrusted(await factorOfKey(tx, accountId, key), now)) continue;
      await this.#drop(tx, accountId, key);
      changes.push({ at: now, what: 'e2e_key_removed', detail: key });
    }
    return { changes };
  };

  readonly young: RecentlyAdded = async (reader, accountId, now) => {
    const named: string[] = [];
    for (const key of await keysInUse(reader, this.#deps.addresses, accountId))
      if (!isTrusted(await factorOfKey(reader, accountId, key), now)) named.push(`mail encryption key ${key}`);
    return named;
  };

  /** Takes a key out of use. An address that had it gets the account's key, if that is another one. */
  async #drop(tx: Tx, accountId: string, publicKey: string): Promise<void> {
    const { addresses } = this.#deps;
    const active = (await findEncryption(tx, accountId))?.publicKey ?? null;
    if (active === publicKey) await deleteEncryption(tx, accountId);
    const next = active === publicKey ? null : active;
    const owned = (await addresses.list(tx, accountId)).filter((address) => address.publicKey === publicKey);
    for (const { address } of owned.toSorted((a, b) => (a.address < b.address ? -1 : 1)))
      await addresses.setPublicKey(tx, address, next);
  }
}
