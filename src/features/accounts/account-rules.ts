import { ApiError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { Tier } from '../../kernel/limits.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import type { Account } from './account-data.ts';
import {
  accountStatus,
  findAccount,
  findAccounts,
  insertAccount,
  listAccounts,
  lockAccounts,
  moveStatus,
  setAllowedScopes,
  setName,
  setStatus,
  setTier,
} from './account-store.ts';

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
export async function applyOperatorChange(tx: Tx, accountId: string, change: OperatorChange): Promise<boolean> {
  tx.signal(ACCOUNTS_TOPIC);
  switch (change.set) {
    case 'tier':
      return setTier(tx, accountId, change.tier);
    case 'status':
      return setStatus(tx, accountId, change.status);
    case 'scopes':
      return setAllowedScopes(tx, accountId, change.scopes);
  }
}

/** What a platform may change in the account of its pod. */
export interface PodAccountChange {
  name?: string | null;
  allowedScopes?: string[] | null;
}

export async function changePodAccount(tx: Tx, accountId: string, change: PodAccountChange): Promise<void> {
  if (change.name !== undefined) await setName(tx, accountId, change.name);
  if (change.allowedScopes !== undefined) await setAllowedScopes(tx, accountId, change.allowedScopes);
}

/** Whether an account is active. A pod is closed with its platform. */
export async function isOpen(reader: Reader, account: Account | null): Promise<boolean> {
  if (account?.status !== 'active') return false;
  return account.parentId === null || (await findAccount(reader, account.parentId))?.status === 'active';
}

export { accountStatus, findAccount, findAccounts, listAccounts, lockAccounts, moveStatus };
