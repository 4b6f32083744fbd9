import { isDeepStrictEqual } from 'node:util';
import type { Notice } from '../../../api/account/removal-notices.ts';
import { ApiError } from '../../../api/errors.ts';
import type { Tier } from '../../../api/limits.ts';
import type { Reader } from '../../../api/transaction.ts';
import { utcDay } from '../../../base/period.ts';
import {
  ACCOUNTS_TOPIC,
  type Account,
  applyOperatorChange,
  findAccount,
  listAccounts,
  type OperatorChange,
} from '../../account/accounts/account-lifecycle.ts';
import { peopleOfAccount } from '../../account/people/person.ts';
import { deletionOf } from '../../identity/deletion/deletion-state.ts';
import { computeAnchor } from '../../record/audit/anchor.ts';
import { appendAudit, verifyChains } from '../../record/audit/audit-log.ts';
import { appliedMigrations } from './operator-store.ts';
import {
  administratorEntry,
  auditAdministrator,
  createAdministration,
  type OperatorDeps,
} from './service-administration.ts';

export type ChangeOutcome =
  | { outcome: 'changed' | 'unchanged'; account: Account }
  | { outcome: 'not_found' }
  | { outcome: 'pod'; parentId: string };

const PAGE = 500;

/** Changes accounts for the operator. A signal tells running instances about each change (`ACCOUNTS_TOPIC`). */
export function createAccountChanges({ database, now }: Pick<OperatorDeps, 'database' | 'now'>) {
  /** The change and its audit entry commit together. A call that changes nothing writes no entry. */
  const change = (id: string, action: string, wanted: OperatorChange): Promise<ChangeOutcome> =>
    database.transaction(async (tx): Promise<ChangeOutcome> => {
      const before = await findAccount(tx, id);
      if (!before) return { outcome: 'not_found' };
      // The tier of its platform applies to a pod. Its own is never read.
      if (wanted.set === 'tier' && before.parentId !== null) return { outcome: 'pod', parentId: before.parentId };
      const after = changed(before, wanted);
      if (isDeepStrictEqual(before, after)) {
        // Signals again: an operator may repeat the command because the signal of the first one was lost.
        tx.signal(ACCOUNTS_TOPIC);
        return { outcome: 'unchanged', account: before };
      }
      await applyOperatorChange(tx, id, wanted);
      const at = now();
      await auditAdministrator(tx, { accountId: id, action, resourceId: id, at });
      return { outcome: 'changed', account: after };
    });

  return {
    setTier: (id: string, tier: Tier) => change(id, 'account.tier_set', { set: 'tier', tier }),
    setScopes: (id: string, scopes: string[] | null) => change(id, 'account.scopes_set', { set: 'scopes', scopes }),
    setStatus: (id: string, status: 'active' | 'suspended') =>
      change(id, status === 'suspended' ? 'account.suspended' : 'account.unsuspended', { set: 'status', status }),
  };
}

/** Removes a factor that its account cannot agree about. Takes 72 hours, is told to all, and cannot be undone. */
const createFactorRemoval = ({ database, notices, replacement, now }: OperatorDeps) => ({
  /** `target`: the prefix of a backup key, a public key, or an address. @returns one notice for each role of it */
  removeFactor: (accountId: string, target: string): Promise<Notice[]> =>
    database.transaction(async (tx) => {
      const at = now();
      const started = await notices.startByAdministrator(tx, accountId, target, at);
      const action = 'account.factor_removal_asked';
      for (const { id: resourceId } of started)
        await appendAudit(tx, administratorEntry({ action, resourceId, at }, accountId));
      return started;
    }),
  /**
   * Replaces the operators of an account by another, when that one confirms after 72 hours.
   * @throws ApiError `not_found`, `address_refused`, `invalid_request`
   */
  replaceOperator: (accountId: string, address: string): Promise<Notice> =>
    database.transaction(async (tx) => {
      const at = now();
      const notice = await replacement.ask(tx, accountId, address, at);
      await auditAdministrator(tx, {
        accountId,
        action: 'account.operator_replacement_asked',
        resourceId: address,
        at,
      });
      return notice;
    }),
  /** Takes that back, until the new operator has confirmed. @returns false when nothing of this kind waits */
  cancelReplacement: (accountId: string, address: string): Promise<boolean> =>
    database.transaction(async (tx) => {
      const at = now();
      if (!(await replacement.cancel(tx, accountId, address, at))) return false;
      const action = 'account.operator_replacement_cancelled';
      await auditAdministrator(tx, { accountId, action, resourceId: address, at });
      return true;
    }),
});

/** The operations of the command line on accounts. */
export function createOperator(deps: OperatorDeps) {
  const { database, keys, addresses, usage, audit, now } = deps;
  return {
    accounts: async function* (after: string, limit: number): AsyncGenerator<Account> {
      let last = after;
      for (let left = limit; left > 0; ) {
        const size = Math.min(PAGE, left);
        const page = await listAccounts(database, last, size);
        yield* page;
        left -= page.length;
        last = page.at(-1)?.id ?? last;
        if (page.length < size) return;
      }
    },
    /** Finds an account by its id or by an address of it. */
    accountNamed: async (name: string): Promise<Account | null> => {
      if (!name.includes('@')) return findAccount(database, name);
      const address = await addresses.find(database, name.toLowerCase());
      return address && findAccount(database, address.accountId);
    },
    anchorAudit: async () => ({ ...(await computeAnchor(database)), at: now() }),
    verifyAudit: (id: string | null) => verifyChains(database, id, audit.isGenuine),
    show: async (id: string) => {
      const account = await findAccount(database, id);
      if (!account) return null;
      const payer = account.parentId === null ? account : await findAccount(database, account.parentId);
      const { id: quotaId, tier } = payer ?? account;
      const at = now();
      const { requests, emails } = await usage.usage(quotaId, tier, at);
      const listed = await keys.list(database, id);
      const deletion = await deletionOf(database, id);
      return {
        account,
        deletesAt: deletion?.endsAt ?? null,
        people: (await peopleOfAccount(database, id)).map(({ role, address, confirmedAt, removalDueAt }) => ({
          role,
          address,
          confirmedAt,
          removalDueAt,
        })),
        keys: listed.map(({ prefix, kind, status, label, createdAt }) => ({ prefix, kind, status, label, createdAt })),
        addresses: (await addresses.list(database, id)).map(({ address, total, unread, createdAt }) => ({
          address,
          total,
          unread,
          createdAt,
        })),
        usage: { day: utcDay(at), requests, emails: { used: emails.dailyUsed, limit: emails.dailyLimit } },
      };
    },
    ...createAccountChanges({ database, now }),
    ...createFactorRemoval(deps),
    ...createAdministration(deps),
  };
}

export type OperatorRules = ReturnType<typeof createOperator>;

function changed(account: Account, wanted: OperatorChange): Account {
  switch (wanted.set) {
    case 'tier':
      return { ...account, tier: wanted.tier };
    case 'status':
      // Only the platform may resume a pod that it suspended.
      return account.status === 'paused' && wanted.status === 'active'
        ? account
        : { ...account, status: wanted.status };
    case 'scopes':
      return { ...account, allowedScopes: wanted.scopes };
  }
}

const lacksTable = ({ code, message }: NodeJS.ErrnoException): boolean =>
  code === '42P01' || /no such table/.test(message);

/** Compares the schema of the database with the migrations of this version. A new database has none. */
export async function compareSchema(
  reader: Reader,
  known: readonly string[],
): Promise<{ missing: string[]; unknown: string[] }> {
  const done = await appliedMigrations(reader).catch((err: unknown): string[] => {
    if (err instanceof ApiError && err.cause instanceof Error && lacksTable(err.cause)) return [];
    throw err;
  });
  return {
    missing: known.filter((id) => !done.includes(id)),
    unknown: done.filter((id) => !known.includes(id)),
  };
}
