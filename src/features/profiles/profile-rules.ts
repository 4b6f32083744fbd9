import { ApiError } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { localPartOf } from '../../kernel/mail-address.ts';
import type { Reader } from '../../kernel/transaction.ts';
import { type Account, findAccount, isOpen } from '../accounts/account-rules.ts';
import type { AddressRules } from '../addresses/address-rules.ts';
import { type TrustProfile, trustProfile } from '../trust/trust-rules.ts';
import { type AgentKey, agentKeysOf } from './agent-key-rules.ts';

/** What is public about an agent. */
export interface AgentProfile {
  id: string;
  /** Used in the paths of its documents: the local part of its address, or its id if it has no address. */
  handle: string;
  name: string;
  email: string | null;
  capabilities: string[];
  registeredAt: number;
  /** Null when trust is switched off. */
  trust: TrustProfile | null;
  keys: AgentKey[];
}

export interface ProfileRules {
  /**
   * Finds a profile by the local part of an address or by account id.
   * @throws ApiError `not_found`, the same for an unknown and a suspended agent
   */
  profile(name: string, now: number): Promise<AgentProfile>;
}

export interface ProfileDeps {
  reader: Reader;
  addresses: Pick<AddressRules, 'find' | 'list'>;
  mailDomain: string;
  trustEnabled: boolean;
}

export function createProfileRules({ reader, addresses, mailDomain, trustEnabled }: ProfileDeps): ProfileRules {
  async function accountOf(name: string): Promise<{ account: Account | null; email: string | null }> {
    if (isId('acc', name)) {
      const account = await findAccount(reader, name);
      return { account, email: account && ((await addresses.list(reader, account.id))[0]?.address ?? null) };
    }
    const address = await addresses.find(reader, `${name.toLowerCase()}@${mailDomain}`);
    return { account: address && (await findAccount(reader, address.accountId)), email: address?.address ?? null };
  }

  return {
    async profile(name, now) {
      const { account, email } = await accountOf(name);
      if (!account || !(await isOpen(reader, account)))
        throw new ApiError('not_found', { message: 'There is no such agent.' });
      const { id, name: label, capabilities, createdAt } = account;
      const handle = email === null ? id : localPartOf(email);
      return {
        id,
        handle,
        name: label ?? handle,
        email,
        capabilities,
        registeredAt: createdAt,
        trust: trustEnabled ? await trustProfile(reader, id, now) : null,
        keys: await agentKeysOf(reader, id),
      };
    },
  };
}
