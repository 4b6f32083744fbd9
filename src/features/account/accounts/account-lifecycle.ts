import { ApiError } from '../../../api/errors.ts';
import type { Tier } from '../../../api/limits.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { newId } from '../../../base/ids.ts';
import {
  accountsUnder,
  findAccount,
  findAccounts,
  findAllSuspensions,
  findSuspensions,
  insertAccount,
  listAccounts,
  lockAccounts,
  moveStatus,
  removeAccount,
  saveProfile,
  setAllowedScopes,
  setName,
  setStatus,
  setSuspendedBy,
  setTier,
} from './account-store.ts';
import type { Account, AccountSuspensions, Suspension } from './account-table.ts';

export type { Account };

/** The signal that the tier, status or scopes of an account changed. Every instance then drops its cached credentials. */
export const ACCOUNTS_TOPIC = 'accounts';

export interface NewAccount {
  parentId?: string;
  name: string | null;
  capabilities?: string[];
  allowedScopes?: string[] | null;
}

export async function createAccount(tx: Tx, account: NewAccount, now: number): Promise<Account> {
  const created: Account = {
    id: newId('acc', now),
    parentId: account.parentId ?? null,
    name: account.name,
    tier: 'free',
    status: 'active',
    capabilities: account.capabilities ?? [],
    allowedScopes: account.allowedScopes ?? null,
    createdAt: now,
    suspendedBy: null,
    description: null,
    isUnlisted: false,
  };
  await insertAccount(tx, created);
  return created;
}

export async function requireAccount(reader: Reader, id: string): Promise<Account> {
  const account = await findAccount(reader, id);
  if (!account) throw new ApiError('not_found');
  return account;
}

/** A change that the operator makes on the command line. */
export type OperatorChange =
  | { set: 'tier'; tier: Tier }
  | { set: 'status'; status: 'active' | 'suspended' }
  | { set: 'scopes'; scopes: string[] | null };

/** @returns false when the account does not exist */
export async function applyOperatorChange(tx: Tx, id: string, change: OperatorChange): Promise<boolean> {
  tx.signal(ACCOUNTS_TOPIC);
  switch (change.set) {
    case 'tier':
      return setTier(tx, { id, tier: change.tier });
    case 'status':
      return setStatus(tx, { id, status: change.status });
    case 'scopes':
      return setAllowedScopes(tx, { id, allowedScopes: change.scopes });
  }
}

/** What a platform may change in the account of its pod. */
export interface PodAccountChange {
  name?: string | null;
  allowedScopes?: string[] | null;
}

export async function changePodAccount(tx: Tx, id: string, { name, allowedScopes }: PodAccountChange): Promise<void> {
  if (name !== undefined) await setName(tx, { id, name });
  if (allowedScopes !== undefined) await setAllowedScopes(tx, { id, allowedScopes });
}

/** How far an account is closed on its own, without regard to its platform. */
export const readSuspension = ({ status, isSuspended }: AccountSuspensions): Suspension =>
  status === 'active' ? (isSuspended ? 'agent' : 'none') : 'whole';

const ownSuspension = ({ status, suspendedBy }: Account): Suspension =>
  readSuspension({ status, isSuspended: suspendedBy !== null });

/** How far an account is closed. A pod is closed with its platform. */
export const suspensionWithin = (account: Account, platform: Account | null): Suspension => {
  const closures = [ownSuspension(account), ...(platform ? [ownSuspension(platform)] : [])];
  return closures.includes('whole') ? 'whole' : closures.includes('agent') ? 'agent' : 'none';
};

/** Whether an account is active and not suspended. A pod is closed with its platform. */
export async function isOpen(reader: Reader, account: Account | null): Promise<boolean> {
  if (!account) return false;
  const platform = account.parentId === null ? null : await findAccount(reader, account.parentId);
  return suspensionWithin(account, platform) === 'none';
}

export {
  accountsUnder,
  findAccount,
  findAccounts,
  findAllSuspensions,
  findSuspensions,
  listAccounts,
  lockAccounts,
  moveStatus,
  removeAccount,
  saveProfile,
  setSuspendedBy,
};
