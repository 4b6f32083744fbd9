import { ApiError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { Tier } from '../../kernel/limits.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import {
  type Account,
  accountStatus,
  findAccount,
  findAccounts,
  findAccountsByEmail,
  insertAccount,
  listAccounts,
  lockAccounts,
  moveStatus,
  setAllowedScopes,
  setName,
  setOperatorEmail,
  setRecoveryEmail,
  setStatus,
  setTier,
} from './account-store.ts';

export type { Account };

/** Wakes every instance's authenticator: tier, status or scopes of some account changed. */
export const ACCOUNTS_TOPIC = 'accounts';

export interface NewAccount {
  parentId?: string;
  name: string | null;
  email?: string | null;
  recoveryEmail?: string | null;
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
    email: account.email ?? null,
    recoveryEmail: account.recoveryEmail ?? null,
    operatorEmail: null,
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

/** Sets the address that a login mail for this account goes to. @returns whether it is another one now */
export const changeRecoveryEmail = (tx: Tx, accountId: string, email: string): Promise<boolean> =>
  setRecoveryEmail(tx, accountId, email);

/**
 * Names the person who may decide for this account: approvals are mailed there, and a login through it is an operator
 * session. @returns whether it is another one now
 */
export const changeOperatorEmail = (tx: Tx, accountId: string, email: string): Promise<boolean> =>
  setOperatorEmail(tx, accountId, email);

/** At most this many accounts are listed in one login mail. */
const ACCOUNTS_PER_EMAIL = 100;

export const accountsOfEmail = (reader: Reader, email: string): Promise<Account[]> =>
  findAccountsByEmail(reader, email, ACCOUNTS_PER_EMAIL);

/** What the operator's command line may change. @returns false when there is no such account */
export type OperatorChange =
  | { set: 'tier'; tier: Tier }
  | { set: 'status'; status: 'active' | 'suspended' }
  | { set: 'scopes'; scopes: string[] | null };

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

/** Whether anything may be had of an account: a pod is closed with its platform. */
export async function isOpen(reader: Reader, account: Account | null): Promise<boolean> {
  if (account?.status !== 'active') return false;
  return account.parentId === null || (await findAccount(reader, account.parentId))?.status === 'active';
}

/** What a platform may change of its pod's account. */
export interface PodAccountChange {
  name?: string | null;
  allowedScopes?: string[] | null;
}

export async function changePodAccount(tx: Tx, accountId: string, change: PodAccountChange): Promise<void> {
  if (change.name !== undefined) await setName(tx, accountId, change.name);
  if (change.allowedScopes !== undefined) await setAllowedScopes(tx, accountId, change.allowedScopes);
}

export { accountStatus, findAccount, findAccounts, listAccounts, lockAccounts, moveStatus };
