import type { AppendEvent } from '../../../api/events.ts';
import type { Tx } from '../../../api/transaction.ts';
import { lockAccounts, requireAccount, setSuspendedBy } from '../../account/accounts/account-lifecycle.ts';
import type { Account } from '../../account/accounts/account-table.ts';

/** An operator, and the account to suspend or resume. */
export interface SuspensionChange {
  accountId: string;
  /** The operator's address. */
  operator: string;
  now: number;
}

type ChangeDeps = { appendEvent: AppendEvent<Tx> };

async function change(
  tx: Tx,
  { appendEvent }: ChangeDeps,
  { accountId, operator, now }: SuspensionChange,
  type: 'account.suspended' | 'account.resumed',
  next: (by: readonly string[]) => readonly string[],
): Promise<{ account: Account; isChanged: boolean }> {
  await lockAccounts(tx, [accountId]);
  const account = await requireAccount(tx, accountId);
  const before = account.suspendedBy ?? [];
  const after = [...next(before)];
  if (after.length === before.length) return { account, isChanged: false };
  await setSuspendedBy(tx, accountId, after);
  await appendEvent(tx, { accountId, type, data: { operator }, now });
  return { account: { ...account, suspendedBy: after.length === 0 ? null : after }, isChanged: true };
}

/** Suspends an account for an operator. It says who does, so that the suspension ends when that operator is removed. */
export const suspendAccount = (tx: Tx, deps: ChangeDeps, by: SuspensionChange) =>
  change(tx, deps, by, 'account.suspended', (others) => [...new Set([...others, by.operator])]);

/** Ends the suspension by operators, as any one of them decides. The administrator's is another flag. */
export const resumeAccount = (tx: Tx, deps: ChangeDeps, by: SuspensionChange) =>
  change(tx, deps, by, 'account.resumed', () => []);

/** Ends the suspension by an operator who is removed. Another operator's stays. */
export const endSuspensionBy = (tx: Tx, deps: ChangeDeps, by: SuspensionChange) =>
  change(tx, deps, by, 'account.resumed', (all) => all.filter((operator) => operator !== by.operator));
