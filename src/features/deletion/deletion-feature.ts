import { type FeatureContext, feature, type Gathered } from '../../feature.ts';
import type { Notices } from '../../kernel/notices.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Secured, Securing } from '../../kernel/securing.ts';
import type { Tx } from '../../kernel/transaction.ts';
import { createDeletionJob } from './deletion-job.ts';
import { deletionRoutes } from './deletion-routes.ts';
import { ADMINISTRATOR, type AuditErasure, DeletionRules } from './deletion-rules.ts';
import { deletionOf } from './deletion-state-rules.ts';

declare module '../../kernel/jobs.ts' {
  interface JobPayloads {
    /** Deletes an account, unless its deletion was cancelled. */
    'account.delete': { accountId: string };
  }
}

type Needs = FeatureContext &
  Gathered & {
    audit: AuditErasure;
    notices: Notices;
    credentials: { accountChanged(tx: Tx, accountId: string): void };
    requireAddressAuthority(tx: Tx, principal: Principal): Promise<void>;
  };

/** Deletes accounts, 72 hours after somebody asked. Every feature says in `erases` what it holds of an account. */
export const deletionFeature = feature('deletion', (needs: Needs) => {
  const { database, erasures, audit, notices, events, jobs, jobEffects, credentials, requireAddressAuthority } = needs;
  const rules = new DeletionRules({
    ...{ database, erasures, audit, notices, jobEffects },
    appendEvent: events.append,
    enqueueJob: jobs.enqueue,
    accountChanged: credentials.accountChanged,
  });

  /** A thief may have asked for it. */
  async function secure(tx: Tx, { accountId, now }: Securing): Promise<Secured> {
    const deletion = await deletionOf(tx, accountId);
    if (!deletion || deletion.askedBy === ADMINISTRATOR) return {};
    const detail = await rules.cancel(tx, { accountId, by: 'secure', now });
    return { changes: [{ at: now, what: 'deletion_cancelled', detail }] };
  }

  return {
    endpoints: deletionRoutes({ rules, mayDelete: requireAddressAuthority }),
    jobs: { 'account.delete': createDeletionJob({ database, rules }) },
    secure,
    provides: { deletions: rules },
  };
});
