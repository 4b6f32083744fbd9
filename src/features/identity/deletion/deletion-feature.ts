import type { LockdownResult, Securing } from '../../../api/account/lockdown-parts.ts';
import type { Tx } from '../../../api/transaction.ts';
import { type Contributions, type FeatureContext, feature } from '../../../feature.ts';
import type { PeopleRules } from '../../account/people/people-changes.ts';
import { type DeletionDeps, DeletionRules } from './account-deletion.ts';
import { createDeletionJob } from './deletion-job.ts';
import { deletionRoutes } from './deletion-routes.ts';
import { waitingDeletions } from './waiting-deletions.ts';

declare module '../../../api/job-types.ts' {
  interface JobPayloads {
    /** Deletes an account, unless its deletion was cancelled. */
    'account.delete': { accountId: string };
  }
}

type Needs = FeatureContext &
  Contributions &
  Pick<DeletionDeps, 'audit' | 'notices' | 'credentials' | 'requireAddressAuthority'> & {
    people: Pick<PeopleRules, 'watchPeople'>;
  };

/** Deletes accounts, 72 hours after somebody asked. Every feature says in `erases` what it holds of an account. */
export const deletionFeature = feature('deletion', (needs: Needs) => {
  const { database, events, jobs, now: time } = needs;
  const deps: DeletionDeps = { ...needs, appendEvent: events.append, enqueueJob: jobs.enqueue };
  const rules = new DeletionRules(deps);
  needs.people.watchPeople((tx, accountId, address) => rules.endWithOperator(tx, accountId, address, time()));

  /** A thief may have asked for it. */
  async function secure(tx: Tx, { accountId, caller, now }: Securing): Promise<LockdownResult> {
    // A pod has no deletion of its own.
    if (caller === null || caller.principal.parentId !== null) return {};
    const detail = await rules.cancelBySecure(tx, accountId, caller, now);
    return detail === null ? {} : { changes: [{ at: now, what: 'deletion_cancelled', detail }] };
  }

  return {
    endpoints: deletionRoutes(rules, deps),
    jobs: { 'account.delete': createDeletionJob({ database, rules }) },
    waiting: { deletion: { list: waitingDeletions((reader, caller) => deps.notices.askerOf(reader, caller)) } },
    secure,
    provides: { deletions: rules },
  };
});
