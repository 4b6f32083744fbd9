import { type Factor, isTrusted } from '../../../api/account/factor.ts';
import type { LockdownHook, RecentlyAdded } from '../../../api/account/lockdown-parts.ts';
import type { NoticeHandler, Notices } from '../../../api/account/removal-notices.ts';
import type { Authority } from '../../../api/authority.ts';
import { ApiError } from '../../../api/errors.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import type { Gate } from '../../../api/way-out.ts';
import { lockAccounts } from '../../account/accounts/account-lifecycle.ts';
import { confirmedPeople } from '../../account/people/person.ts';
import { deleteAccountSeed, findAccountSeeds, storeAccountSeed } from './recovery-store.ts';
import type { AccountSeed } from './recovery-table.ts';

export type AuthorityOf = (reader: Reader, accountId: string) => Promise<Authority>;

const factorOf = ({ storedAt, trustedFromStart }: AccountSeed): Factor => ({ since: storedAt, trustedFromStart });

/** Returns the address that recovers the vault of an account: the one stored last. Null: none. */
export const recoveryEmailOf = async (reader: Reader, accountId: string): Promise<string | null> =>
  (await findAccountSeeds(reader, accountId)).current?.email ?? null;

/** The recovery address of a vault as a factor: an old one is replaced only after its notice, and both recover until then. */
export class VaultRecoveryFactors {
  readonly #notices: Notices;
  readonly #authorityOf: AuthorityOf;
  readonly #gate: Gate;

  constructor(notices: Notices, authorityOf: AuthorityOf, gate: Gate) {
    this.#notices = notices;
    this.#authorityOf = authorityOf;
    this.#gate = gate;
  }

  /**
   * Stores a seed under an address. @throws ApiError `removal_disputed` when the old one may not go; `operator_required`
   */
  async store(
    tx: Tx,
    principal: Principal,
    seed: Pick<AccountSeed, 'email' | 'encryptedSeed'>,
    now: number,
  ): Promise<void> {
    const { accountId } = principal;
    await lockAccounts(tx, [accountId]);
    const { current, former } = await findAccountSeeds(tx, accountId);
    // The address can get all of the vault of a pod, so its platform has a say.
    if (principal.parentId !== null) await this.#gate.require(tx, principal, 'invite');
    if (seed.email !== current?.email) await this.#requireKnown(tx, principal, seed.email);
    const trustedFromStart = await this.#notices.isTrustedFromStart(tx, principal, now);
    // A third seed replaces the second: what the owner had is the former.
    if (current && !former && !(await this.#replacesAtOnce(tx, principal, current, now))) {
      const by = await this.#notices.askerOf(tx, principal);
      await this.#notices.start(tx, { accountId, what: 'vault_recovery_email', target: current.email, by, now });
      await storeAccountSeed(tx, { ...current, isFormer: true });
    }
    await storeAccountSeed(tx, { accountId, ...seed, storedAt: now, trustedFromStart, isFormer: false });
  }

  /** What the notices do about the address. Its target is the former address, or the only one. */
  readonly handler: NoticeHandler = {
    find: async (reader, accountId, target) => {
      const { current, former } = await findAccountSeeds(reader, accountId);
      const seed = [former, current].find((one) => one?.email === target);
      return seed ? { ...factorOf(seed), address: null } : null;
    },
    carryOut: async (tx, { accountId, target }) => {
      const { current, former } = await findAccountSeeds(tx, accountId);
      if (former?.email === target) await deleteAccountSeed(tx, accountId, true);
      else if (current?.email === target) await deleteAccountSeed(tx, accountId, false);
    },
    undo: async (tx, { accountId }) => void (await this.#putBack(tx, accountId)),
  };

  /** Takes back a young address; of a pod's former holder every one. */
  readonly secure: LockdownHook = async (tx, { accountId, revert, whole, now }) => {
    const { current } = await findAccountSeeds(tx, accountId);
    if (!revert || !current || !(whole || !isTrusted(factorOf(current), now))) return {};
    if (whole) {
      await deleteAccountSeed(tx, accountId, true);
      await deleteAccountSeed(tx, accountId, false);
    } else if (!(await this.#putBack(tx, accountId))) await deleteAccountSeed(tx, accountId, false);
    return { changes: [{ at: now, what: 'vault_recovery_email_removed', detail: current.email }] };
  };

  readonly young: RecentlyAdded = async (reader, accountId, now) => {
    const { current } = await findAccountSeeds(reader, accountId);
    return current && !isTrusted(factorOf(current), now) ? [`vault recovery address ${current.email}`] : [];
  };

  /**
   * Where the operators decide, a key sends the seed only to a confirmed person of the account. The agent alone has
   * the seed, so the operators cannot store it. @throws ApiError `operator_required`
   */
  async #requireKnown(tx: Tx, { accountId, operator }: Principal, email: string): Promise<void> {
    if (operator || (await this.#authorityOf(tx, accountId)) !== 'operator') return;
    const people = await confirmedPeople(tx, accountId);
    if (!people.some(({ address }) => address === email)) throw new ApiError('operator_required');
  }

  async #replacesAtOnce(tx: Tx, principal: Principal, current: AccountSeed, now: number): Promise<boolean> {
    if (await this.#notices.isSettingUp(tx, principal.accountId, now)) return true;
    const by = await this.#notices.askerOf(tx, principal);
    return this.#notices.removesAtOnce({ ...factorOf(current), address: null }, by, now);
  }

  /** Makes the former seed the current one again, and drops the one that stands beside it. */
  async #putBack(tx: Tx, accountId: string): Promise<boolean> {
    const { former } = await findAccountSeeds(tx, accountId);
    if (!former) return false;
    await deleteAccountSeed(tx, accountId, true);
    await storeAccountSeed(tx, { ...former, isFormer: false });
    return true;
  }
}
