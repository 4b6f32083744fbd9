import { iso } from '../../kernel/clock.ts';
import type { Erasure } from '../../kernel/erasure.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { AppendEvent } from '../../kernel/events.ts';
import type { JobEffects } from '../../kernel/job-effects.ts';
import type { EnqueueJob } from '../../kernel/jobs.ts';
import type { Notices } from '../../kernel/notices.ts';
import type { Database, Tx } from '../../kernel/transaction.ts';
import {
  accountsUnder,
  applyOperatorChange,
  findAccount,
  lockAccounts,
  removeAccount,
} from '../accounts/account-rules.ts';
import { podIdsOf } from '../pods/pod-rules.ts';
import { DELETION_DELAY_MS, type Deletion } from './deletion-data.ts';
import {
  closeDeletion,
  dropDeletion,
  endDeletion,
  findDeletion,
  insertDeletion,
  saveAuditSeq,
} from './deletion-store.ts';

/** Who asks on the command line and the administration API. Only the administrator cancels what they asked for. */
export const ADMINISTRATOR = 'administrator';

/** What the audit log offers for an account that goes. */
export interface AuditErasure {
  /**
   * Erases the content of entries after `afterSeq`, and keeps their hashes.
   * @returns the last entry erased, and whether it was the last of the chain
   */
  erase(tx: Tx, accountId: string, afterSeq: number, limit: number): Promise<{ seq: number; isDone: boolean }>;
  /** Records on the service's own chain that a chain was erased, and where it ended. */
  witness(tx: Tx, accountId: string, now: number): Promise<void>;
}

export interface DeletionDeps {
  database: Database;
  /** Empties the tables of all features, in this order. Complete when the features are built. */
  erasures: readonly Erasure[];
  audit: AuditErasure;
  notices: Pick<Notices, 'tell'>;
  appendEvent: AppendEvent<Tx>;
  enqueueJob: EnqueueJob;
  jobEffects: JobEffects;
  /** Drops cached credentials of the account and its pods, on every instance. */
  accountChanged(tx: Tx, accountId: string): void;
}

/** Rows that one transaction deletes. Other writers wait for it. */
const CHUNK = 200;

/** Deletes accounts: announced, cancelled, and carried out in steps. */
export class DeletionRules {
  readonly #deps: DeletionDeps;

  constructor(deps: DeletionDeps) {
    this.#deps = deps;
  }

  /**
   * Schedules the deletion of an account and its pods. A second call changes nothing and answers the same.
   * @param by the prefix of a key, the address of a session, or {@link ADMINISTRATOR}
   */
  async schedule(
    tx: Tx,
    { accountId, by, now }: { accountId: string; by: string; now: number },
  ): Promise<{ deletesAt: number; pods: string[] }> {
    await lockAccounts(tx, [accountId]);
    const pods = await podIdsOf(tx, accountId);
    const known = await findDeletion(tx, accountId);
    if (known) return { deletesAt: known.deletesAt, pods };
    const deletesAt = now + DELETION_DELAY_MS;
    const deletion: Deletion = { accountId, askedAt: now, askedBy: by, deletesAt, closedAt: null, auditSeq: 0 };
    await insertDeletion(tx, deletion);
    await this.#deps.enqueueJob(tx, { kind: 'account.delete', payload: { accountId }, runAt: deletesAt });
    const data = { deletes_at: iso(deletesAt), asked_by: by };
    await this.#deps.appendEvent(tx, { accountId, type: 'account.deletion_scheduled', data, now });
    await this.#deps.notices.tell(tx, accountId, scheduledMail(deletion), now);
    this.#deps.accountChanged(tx, accountId);
    return { deletesAt, pods };
  }

  /**
   * Keeps an account that was going to be deleted.
   * @returns who had asked for the deletion
   * @throws ApiError `not_found`: it is not going to be deleted; `account_deleting`: the administrator decided it
   */
  async cancel(tx: Tx, { accountId, by, now }: { accountId: string; by: string; now: number }): Promise<string> {
    await lockAccounts(tx, [accountId]);
    const deletion = await findDeletion(tx, accountId);
    if (deletion?.askedBy === ADMINISTRATOR && by !== ADMINISTRATOR)
      throw new ApiError('account_deleting', { message: 'The administrator of this service deletes this account.' });
    if (!deletion || !(await dropDeletion(tx, accountId)))
      throw new ApiError('not_found', { message: 'This account is not going to be deleted.' });
    const data = { cancelled_by: by };
    await this.#deps.appendEvent(tx, { accountId, type: 'account.deletion_cancelled', data, now });
    await this.#deps.notices.tell(tx, accountId, keptMail(accountId), now);
    this.#deps.accountChanged(tx, accountId);
    return deletion.askedBy;
  }

  /** Shuts out everybody once a deletion is due. From then on it cannot be cancelled. */
  async close(tx: Tx, accountId: string, now: number): Promise<void> {
    await lockAccounts(tx, [accountId]);
    if (!(await closeDeletion(tx, accountId, now))) return;
    // Mail to its addresses is refused, and its tokens are not active.
    await applyOperatorChange(tx, accountId, { set: 'status', status: 'suspended' });
    await this.#deps.jobEffects.note(tx, { accountId, action: 'account.closed', resourceId: accountId, now });
    await this.#deps.notices.tell(tx, accountId, deletedMail(accountId), now);
    this.#deps.accountChanged(tx, accountId);
  }

  /** Takes one step in the erasing of an account and its pods. @returns false when nothing is left */
  async eraseSome(accountId: string, now: number, chunk = CHUNK): Promise<boolean> {
    const { database } = this.#deps;
    const [pod] = await accountsUnder(database, accountId, 1);
    if (pod !== undefined) {
      await this.#eraseOne(pod.id, now, chunk);
      return true;
    }
    if (!(await findAccount(database, accountId))) return false;
    await this.#eraseOne(accountId, now, chunk);
    return true;
  }

  async #eraseOne(accountId: string, now: number, chunk: number): Promise<void> {
    const { database, erasures, audit } = this.#deps;
    await database.transaction(async (tx) => {
      // Another instance may have taken over the job, and be done by now.
      await lockAccounts(tx, [accountId]);
      if (!(await findAccount(tx, accountId))) return;
      let left = chunk;
      for (const erasure of erasures) {
        left -= await erasure.run(tx, accountId, left);
        if (left <= 0) return;
      }
      const deletion = (await findDeletion(tx, accountId)) ?? (await this.#ofPod(tx, accountId, now));
      const { seq, isDone } = await audit.erase(tx, accountId, deletion.auditSeq, left);
      if (!isDone) return saveAuditSeq(tx, accountId, seq);
      await audit.witness(tx, accountId, now);
      await endDeletion(tx, accountId);
      await removeAccount(tx, accountId);
    });
  }

  /** A pod gets a row of its own when its turn comes, to note how far its chain is erased. */
  async #ofPod(tx: Tx, accountId: string, now: number): Promise<Deletion> {
    const times = { askedAt: now, deletesAt: now, closedAt: now };
    const deletion: Deletion = { accountId, ...times, askedBy: ADMINISTRATOR, auditSeq: 0 };
    await insertDeletion(tx, deletion);
    return deletion;
  }
}

const minute = (ms: number): string => `${iso(ms).slice(0, 16).replace('T', ' ')} UTC`;

const scheduledMail = ({ accountId, deletesAt, askedBy }: Deletion) => ({
  subject: 'Your account will be deleted',
  text: `\
Account ${accountId} will be deleted at ${minute(deletesAt)}, with its mail, vault and addresses.

Asked for by ${askedBy}. ${
    askedBy === ADMINISTRATOR
      ? 'To keep the account, write to the administrator of this service.'
      : 'To keep the account, call POST /v1/account/delete/cancel with its key, its backup key or a session.'
  }
`,
});

const keptMail = (accountId: string) => ({
  subject: 'Your account stays',
  text: `The deletion of account ${accountId} was cancelled.\n`,
});

const deletedMail = (accountId: string) => ({
  subject: 'Your account was deleted',
  text: `Account ${accountId} is being deleted. Nobody else will ever get its addresses.\n`,
});
