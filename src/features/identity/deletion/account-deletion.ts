import type { Erasure } from '../../../api/account/erasure.ts';
import type { SecuringCaller } from '../../../api/account/lockdown-parts.ts';
import type { Notices } from '../../../api/account/removal-notices.ts';
import { ApiError } from '../../../api/errors.ts';
import type { AppendEvent } from '../../../api/events.ts';
import type { EnqueueJob } from '../../../api/job-types.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Database, Tx } from '../../../api/transaction.ts';
import { iso } from '../../../base/clock.ts';
import type { JobEffects } from '../../../jobs/job-effects.ts';
import {
  accountsUnder,
  applyOperatorChange,
  findAccount,
  lockAccounts,
  removeAccount,
} from '../../account/accounts/account-lifecycle.ts';
import { podIdsOf } from '../pods/pod.ts';
import {
  ADMINISTRATOR,
  askerFieldsOf,
  type DeletionCaller,
  isByYoungOperator,
  mayCancel,
  nameOf,
  refuseCancelling,
} from './deletion-authority.ts';
import { deletedMail, keptMail, scheduledMail } from './deletion-mails.ts';
import {
  closeDeletion,
  dropDeletion,
  endDeletion,
  findDeletion,
  insertDeletion,
  saveAuditSeq,
} from './deletion-store.ts';
import { DELETION_DELAY_MS, type Deletion } from './deletion-table.ts';

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

/** What deleting accounts needs. Each part takes what it uses of this. */
export interface DeletionDeps {
  database: Database;
  /** Empties the tables of all features, in this order. Complete when the features are built. */
  erasures: readonly Erasure[];
  audit: AuditErasure;
  notices: Notices;
  appendEvent: AppendEvent<Tx>;
  enqueueJob: EnqueueJob;
  jobEffects: JobEffects;
  credentials: {
    /** Drops cached credentials of the account and its pods, on every instance. */
    accountChanged(tx: Tx, accountId: string): void;
  };
  /** Under `authority: operator` only an operator deletes the account. @throws ApiError `operator_required` */
  requireAddressAuthority(tx: Tx, principal: Principal): Promise<void>;
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
   * Schedules the deletion of an account and its pods. A second call changes nothing and answers the same, but an
   * operator or the administrator makes the deletion theirs: a key could cancel what a key began.
   */
  async schedule(
    tx: Tx,
    { accountId, by, now }: { accountId: string; by: DeletionCaller; now: number },
  ): Promise<{ deletesAt: number; pods: string[] }> {
    await lockAccounts(tx, [accountId]);
    const pods = await podIdsOf(tx, accountId);
    const known = await findDeletion(tx, accountId);
    const deletesAt = known?.deletesAt ?? now + DELETION_DELAY_MS;
    if (known && !((await this.#takesOver(tx, known, by, now)) && (await dropDeletion(tx, accountId))))
      return { deletesAt, pods };
    const asker = await askerFieldsOf(tx, by);
    const deletion: Deletion = { accountId, askedAt: now, ...asker, deletesAt, closedAt: null, auditSeq: 0 };
    await insertDeletion(tx, deletion);
    if (!known) await this.#deps.enqueueJob(tx, { kind: 'account.delete', payload: { accountId }, runAt: deletesAt });
    const data = { deletes_at: iso(deletesAt), by: asker.askerKind, asked_by: asker.askedBy };
    await this.#deps.appendEvent(tx, { accountId, type: 'account.deletion_scheduled', data, now });
    await this.#deps.notices.notify(tx, accountId, scheduledMail(deletion, now), now);
    this.#deps.credentials.accountChanged(tx, accountId);
    return { deletesAt, pods };
  }

  /** Whether a second call makes a deletion the caller's. A younger operator takes nothing from an older one. */
  async #takesOver(tx: Tx, known: Deletion, by: DeletionCaller, now: number): Promise<boolean> {
    if (by === ADMINISTRATOR) return known.askerKind !== 'administrator';
    if (!by.operator || (known.askerKind === 'operator' && known.askedBy === by.person)) return false;
    return this.#mayCancel(tx, known, by, now);
  }

  #mayCancel(tx: Tx, deletion: Deletion, caller: Principal, now: number): Promise<boolean> {
    return mayCancel(tx, deletion, { caller, asker: () => this.#deps.notices.askerOf(tx, caller) }, now);
  }

  /**
   * Keeps an account that was going to be deleted.
   * @throws ApiError `not_found`: it is not going to be deleted; `operator_required`, `account_deleting`: the operator
   * or the administrator decided it
   */
  async cancel(tx: Tx, { accountId, by, now }: { accountId: string; by: DeletionCaller; now: number }): Promise<void> {
    await lockAccounts(tx, [accountId]);
    const deletion = await findDeletion(tx, accountId);
    if (deletion && by !== ADMINISTRATOR && !(await this.#mayCancel(tx, deletion, by, now))) refuseCancelling(deletion);
    if (!deletion || !(await this.#end(tx, accountId, nameOf(by), now)))
      throw new ApiError('not_found', { message: 'This account is not going to be deleted.' });
  }

  /**
   * Ends the deletion of an account that is being secured, if its caller could cancel it. What a young operator began
   * ended already if that operator was taken back.
   * @returns who had asked for the deletion; null: none has ended
   */
  async cancelBySecure(tx: Tx, accountId: string, by: SecuringCaller, now: number): Promise<string | null> {
    const deletion = await findDeletion(tx, accountId);
    if (!deletion) {
      const before = by.principal.deletion;
      return before?.by === 'operator' ? before.askedBy : null;
    }
    const caller = { caller: by.principal, asker: async () => by.asker };
    if (!(await mayCancel(tx, deletion, caller, now))) return null;
    return (await this.#end(tx, accountId, 'secure', now)) ? deletion.askedBy : null;
  }

  /** Ends the deletion that an operator began who is removed while young. */
  async endWithOperator(tx: Tx, accountId: string, operator: string, now: number): Promise<void> {
    const deletion = await findDeletion(tx, accountId);
    if (deletion?.askedBy === operator && isByYoungOperator(deletion, now))
      await this.#end(tx, accountId, 'operator_removed', now);
  }

  /** @returns false when there is none that can still be cancelled */
  async #end(tx: Tx, accountId: string, by: string, now: number): Promise<boolean> {
    if (!(await dropDeletion(tx, accountId))) return false;
    await this.#deps.appendEvent(tx, {
      accountId,
      type: 'account.deletion_cancelled',
      now,
      data: { cancelled_by: by },
    });
    await this.#deps.notices.notify(tx, accountId, keptMail(accountId), now);
    this.#deps.credentials.accountChanged(tx, accountId);
    return true;
  }

  /** Shuts out everybody once a deletion is due. From then on it cannot be cancelled. */
  async close(tx: Tx, accountId: string, now: number): Promise<void> {
    await lockAccounts(tx, [accountId]);
    if (!(await closeDeletion(tx, accountId, now))) return;
    // Mail to its addresses is refused, and its tokens are not active.
    await applyOperatorChange(tx, accountId, { set: 'status', status: 'suspended' });
    await this.#deps.jobEffects.note(tx, { accountId, action: 'account.closed', resourceId: accountId, now });
    await this.#deps.notices.notify(tx, accountId, deletedMail(accountId), now);
    this.#deps.credentials.accountChanged(tx, accountId);
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
      if (!isDone) return void (await saveAuditSeq(tx, { accountId, auditSeq: seq }));
      await audit.witness(tx, accountId, now);
      await endDeletion(tx, accountId);
      await removeAccount(tx, accountId);
    });
  }

  /** A pod gets its own row when its turn comes, to note how far its chain is erased. */
  async #ofPod(tx: Tx, accountId: string, now: number): Promise<Deletion> {
    const times = { askedAt: now, deletesAt: now, closedAt: now };
    const deletion: Deletion = { accountId, ...times, ...(await askerFieldsOf(tx, ADMINISTRATOR)), auditSeq: 0 };
    await insertDeletion(tx, deletion);
    return deletion;
  }
}
