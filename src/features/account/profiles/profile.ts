import type { LockdownHook } from '../../../api/account/lockdown-parts.ts';
import { ApiError } from '../../../api/errors.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { isId } from '../../../base/ids.ts';
import { localPartOf } from '../../../mail/address/mail-address.ts';
import { restored, type SettingHistory } from '../../service/settings/setting-history.ts';
import {
  type Account,
  findAccount,
  isOpen,
  lockAccounts,
  requireAccount,
  saveProfile,
} from '../accounts/account-lifecycle.ts';
import type { ProfileChange } from '../accounts/account-table.ts';
import type { AddressRules } from '../addresses/address.ts';
import { type TrustProfile, trustProfile } from '../trust/trust-score.ts';
import { type AgentKey, agentKeysOf } from './agent-key.ts';

/** What is public about an agent. */
export interface AgentProfile {
  id: string;
  /** Used in the paths of its documents: the local part of its address, or its id if it has no address. */
  handle: string;
  name: string;
  /** Null for an unlisted agent, which is found by its id alone. */
  email: string | null;
  description: string | null;
  capabilities: string[];
  registeredAt: number;
  /** Null when trust is switched off. */
  trust: TrustProfile | null;
  keys: AgentKey[];
}

export interface ProfileRules {
  /**
   * Finds a profile by the local part of an address or by account id.
   * @throws ApiError `not_found`, the same for an unknown and a suspended agent, and for the address of an unlisted one
   */
  profile(name: string, now: number): Promise<AgentProfile>;
  /** What the account itself sees and changes. */
  own(accountId: string): Promise<OwnProfile>;
  /** @throws ApiError `pod_auth_forbidden` for the name of a pod, which its platform chooses */
  change(tx: Tx, principal: Principal, change: ProfileChange, now: number): Promise<OwnProfile>;
}

export interface OwnProfile {
  account: Account;
  /** See {@link AgentProfile}. */
  handle: string;
}

export interface ProfileDeps {
  reader: Reader;
  addresses: Pick<AddressRules, 'find' | 'list'>;
  mailDomain: string;
  trustEnabled: boolean;
  history: Pick<SettingHistory, 'note'>;
}

export function createProfileRules(deps: ProfileDeps): ProfileRules {
  const { reader, addresses, mailDomain, trustEnabled, history } = deps;
  async function emailOf(from: Reader, { id, isUnlisted }: Account): Promise<string | null> {
    return isUnlisted ? null : ((await addresses.list(from, id))[0]?.address ?? null);
  }

  async function accountOf(name: string): Promise<{ account: Account | null; email: string | null }> {
    if (isId('acc', name)) {
      const account = await findAccount(reader, name);
      return { account, email: account && (await emailOf(reader, account)) };
    }
    const address = await addresses.find(reader, `${name.toLowerCase()}@${mailDomain}`);
    const account = address && (await findAccount(reader, address.accountId));
    return { account: account?.isUnlisted ? null : account, email: address?.address ?? null };
  }

  async function ownOf(from: Reader, account: Account): Promise<OwnProfile> {
    const email = await emailOf(from, account);
    return { account, handle: email === null ? account.id : localPartOf(email) };
  }

  return {
    async profile(name, now) {
      const { account, email } = await accountOf(name);
      if (!account || !(await isOpen(reader, account)))
        throw new ApiError('not_found', { message: 'There is no such agent.' });
      const { id, name: label, description, capabilities, createdAt } = account;
      const handle = email === null ? id : localPartOf(email);
      return {
        id,
        handle,
        name: label ?? handle,
        email,
        description,
        capabilities,
        registeredAt: createdAt,
        trust: trustEnabled ? await trustProfile(reader, id, now) : null,
        keys: await agentKeysOf(reader, id),
      };
    },
    own: async (accountId) => ownOf(reader, await requireAccount(reader, accountId)),
    async change(tx, principal, given, now) {
      const { accountId } = principal;
      await lockAccounts(tx, [accountId]);
      const account = await requireAccount(tx, accountId);
      if (account.parentId !== null && given.name !== undefined)
        throw new ApiError('pod_auth_forbidden', {
          message: 'The platform of a pod names it, with PATCH /v1/pods/{pod_id}.',
        });
      const changed = { ...account, ...given };
      await saveProfile(tx, changed);
      await history.note(tx, principal, { setting: 'profile', target: '', before: account, given }, now);
      return ownOf(tx, changed);
    },
  };
}

/** Puts back what a thief changed in the profile of an account. */
export const secureProfile =
  (history: SettingHistory): LockdownHook =>
  async (tx, securing) => {
    const { accountId, now } = securing;
    const [former] = await history.takeBack(tx, securing, 'profile');
    if (!former) return {};
    const before = await requireAccount(tx, accountId);
    await saveProfile(tx, { ...before, ...former.fields });
    return { changes: restored('profile', { ...before }, former, now) };
  };
