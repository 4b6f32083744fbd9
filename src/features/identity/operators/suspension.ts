import type { Principal } from '../../../api/principal.ts';
import type { Tx } from '../../../api/transaction.ts';
import { lockAccounts, requireAccount, setSuspendedBy } from '../../account/accounts/account-lifecycle.ts';
import type { Account } from '../../account/accounts/account-table.ts';
import { type OperatorDeps, requireOperated } from './operated-agents.ts';

/** An operator, and the account to suspend or resume. */
interface SuspensionChange {
  accountId: string;
  /** The operator's address. */
  operator: string;
  now: number;
}

type Suspenders = (before: readonly string[], operator: string) => readonly string[];

async function change(
  tx: Tx,
  { appendEvent }: OperatorDeps,
  { accountId, operator, now }: SuspensionChange,
  type: 'account.suspended' | 'account.resumed',
  next: Suspenders,
): Promise<{ account: Account; isChanged: boolean }> {
  await lockAccounts(tx, [accountId]);
  const account = await requireAccount(tx, accountId);
  const before = account.suspendedBy ?? [];
  const after = [...next(before, operator)];
  if (after.length === before.length) return { account, isChanged: false };
  await setSuspendedBy(tx, accountId, after);
  await appendEvent(tx, { accountId, type, data: { operator }, now });
  return { account: { ...account, suspendedBy: after.length === 0 ? null : after }, isChanged: true };
}

/** The change for an operator who asks. @throws ApiError `not_found`, `operator_required` */
const changeAsked =
  (type: 'account.suspended' | 'account.resumed', next: Suspenders) =>
  async (tx: Tx, deps: OperatorDeps, principal: Principal, accountId: string, now: number): Promise<Account> => {
    // Before the check: an operator who is being removed must leave no suspension behind.
    await lockAccounts(tx, [accountId]);
    const operator = await requireOperated(tx, principal, accountId);
    const { account, isChanged } = await change(tx, deps, { accountId, operator, now }, type, next);
    if (isChanged) deps.credentials.accountChanged(tx, accountId);
    return account;
  };

/** Suspends an account for an operator. It says who does, so that the suspension ends when that operator is removed. */
export const suspendAccount = changeAsked('account.suspended', (others, operator) => [
  ...new Set([...others, operator]),
]);

/** Ends the suspension by operators, as any one of them decides. The administrator's is another flag. */
export const resumeAccount = changeAsked('account.resumed', () => []);

/** Ends the suspension by an operator who is removed. Another operator's stays. */
export async function endSuspensionBy(tx: Tx, deps: OperatorDeps, by: SuspensionChange): Promise<void> {
  await change(tx, deps, by, 'account.resumed', (all, removed) => all.filter((operator) => operator !== removed));
  deps.credentials.accountChanged(tx, by.accountId);
}
