import { hash } from 'node:crypto';
import { ApiError } from '../../../api/errors.ts';
import type { EnqueueJob } from '../../../api/job-types.ts';
import type { Database, Tx } from '../../../api/transaction.ts';
import { newId } from '../../../base/ids.ts';
import { failedJobs, queueDepths, runJobNow } from '../../../jobs/queue.ts';
import { requirePersonalEmail } from '../../../mail/address/mail-address.ts';
import { createAccount, findAccount } from '../../account/accounts/account-lifecycle.ts';
import type { AddressRules } from '../../account/addresses/address.ts';
import type { KeyRules } from '../../account/keys/key.ts';
import type { NoticeRules } from '../../account/pending-removals/notice.ts';
import type { OperatorReplacement } from '../../account/people/operator-replacement.ts';
import { nameAtSignUp } from '../../account/people/person.ts';
import { createInvite, type MintedInvite, saveSignUpMode, storedSignUpMode } from '../../account/sign-up/invite.ts';
import type { SignUpMode } from '../../account/sign-up/invite-table.ts';
import type { DeletionRules } from '../../identity/deletion/account-deletion.ts';
import { ADMINISTRATOR } from '../../identity/deletion/deletion-authority.ts';
import { SERVICE_CHAIN } from '../../record/audit/audit-erasure.ts';
import { appendAudit, appendAudits, type CheckpointCheck } from '../../record/audit/audit-log.ts';
import type { UsageRules } from '../usage/usage-report.ts';
import { databaseBytes } from './operator-store.ts';

const FAILED_JOBS_SHOWN = 100;

/** How the service's own chain names an account: it must hold nothing of one that is deleted. */
const accountHash = (accountId: string): string => `sha256:${hash('sha256', accountId, 'hex')}`;

interface Act {
  action: string;
  resourceId: string;
  at: number;
}

/** The audit entry of what the administrator did. `status`: 201 for what was created. */
export const administratorEntry = ({ action, resourceId, at }: Act, accountId: string, status = 200) => ({
  accountId,
  action,
  resourceId,
  actor: { kind: 'administrator' as const },
  ip: 'local',
  requestId: newId('req', at),
  status,
  now: at,
});

/**
 * Records what the administrator did: on the chain of the account, which its owner sees, and on the service's own.
 * `accountId` null: it concerns no account.
 */
export async function auditAdministrator(
  tx: Tx,
  { accountId, ...act }: Act & { accountId: string | null },
): Promise<void> {
  const entry = administratorEntry(act, SERVICE_CHAIN);
  const own = accountId === null ? [] : [{ ...entry, accountId }];
  const named = accountId === null ? act.resourceId : accountHash(accountId);
  await appendAudits(tx, [...own, { ...entry, resourceId: named }]);
}

/** What the administrator's commands need. */
export interface OperatorDeps {
  database: Database;
  keys: Pick<KeyRules, 'list' | 'issue'>;
  addresses: Pick<AddressRules, 'find' | 'list'>;
  usage: UsageRules;
  deletions: DeletionRules;
  audit: { isGenuine: CheckpointCheck };
  notices: Pick<NoticeRules, 'startByAdministrator'>;
  replacement: Pick<OperatorReplacement, 'ask' | 'cancel'>;
  enqueueJob: EnqueueJob;
  signUp: SignUpMode;
  now(): number;
}

/** What the administrator does beside changing single accounts, on the command line and over `/admin/v1`. */
export function createAdministration({ database, keys, deletions, enqueueJob, signUp, now }: OperatorDeps) {
  const change = <T>(
    accountId: string,
    action: string,
    work: (tx: Tx, asked: { accountId: string; by: typeof ADMINISTRATOR; now: number }) => Promise<T>,
  ): Promise<T> =>
    database.transaction(async (tx) => {
      const at = now();
      const account = await findAccount(tx, accountId);
      if (!account) throw new ApiError('not_found', { message: 'There is no such account.' });
      if (account.parentId !== null)
        throw new ApiError('not_found', {
          message: `This is a pod. It is deleted with its platform, ${account.parentId}.`,
        });
      const result = await work(tx, { accountId, by: ADMINISTRATOR, now: at });
      await auditAdministrator(tx, { accountId, action, resourceId: accountId, at });
      return result;
    });
  return {
    /** Whatever `SIGNUP` is. @throws ApiError `invalid_request` for an invalid email address */
    createAccount: (name: string | null, email: string | null): Promise<{ id: string; key: string }> =>
      database.transaction(async (tx) => {
        const at = now();
        const personal = email === null ? null : requirePersonalEmail(email, '/email');
        const { id } = await createAccount(tx, { name }, at);
        if (personal !== null)
          await nameAtSignUp(tx, enqueueJob, { accountId: id, role: 'email', address: personal }, at);
        const { key } = await keys.issue(tx, id, 'platform', at);
        await appendAudit(tx, administratorEntry({ action: 'account.created', resourceId: id, at }, id, 201));
        return { id, key };
      }),
    createInvite: (): Promise<MintedInvite> =>
      database.transaction(async (tx) => {
        const at = now();
        const minted = await createInvite(tx, at);
        const act = { action: 'invite.created', resourceId: minted.id, at };
        await appendAudit(tx, administratorEntry(act, SERVICE_CHAIN, 201));
        return minted;
      }),
    /** Deletes an account in 72 hours. Its owner cannot cancel it. @throws ApiError `not_found` */
    deleteAccount: (id: string) =>
      change(id, 'account.deletion_scheduled', (tx, asked) => deletions.schedule(tx, asked)),
    /** @throws ApiError `not_found` */
    cancelDeletion: (id: string) =>
      change(id, 'account.deletion_cancelled', (tx, asked) => deletions.cancel(tx, asked)),
    signUpMode: async () => ({ mode: (await storedSignUpMode(database)) ?? signUp }),
    /** Decides who may sign up, from now on and whatever `SIGNUP` is. */
    setSignUpMode: (mode: SignUpMode) =>
      database.transaction(async (tx) => {
        await saveSignUpMode(tx, mode);
        await auditAdministrator(tx, { accountId: null, action: 'sign_up.mode_set', resourceId: mode, at: now() });
        return { mode };
      }),
    /** How many jobs wait in each lane, and since when the oldest is due. */
    queues: () => queueDepths(database, now()),
    /** Jobs that failed and are tried again, those with most attempts first. */
    failedJobs: () => failedJobs(database, FAILED_JOBS_SHOWN),
    /**
     * Tries a job that failed again before its time. @returns false if it is due or runs already
     * @throws ApiError `not_found`: there is none, or it did not fail
     */
    runJob: (id: string) =>
      database.transaction(async (tx) => {
        const at = now();
        const isChanged = await runJobNow(tx, id, at);
        if (isChanged === null) throw new ApiError('not_found', { message: 'There is no such failed job.' });
        if (isChanged) await auditAdministrator(tx, { accountId: null, action: 'job.run', resourceId: id, at });
        return isChanged;
      }),
    storageBytes: () => databaseBytes(database),
  };
}
