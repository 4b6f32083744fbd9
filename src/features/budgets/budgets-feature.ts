import { type FeatureContext, feature } from '../../feature.ts';
import type { JobAttempt, JobOutcome } from '../../kernel/jobs.ts';
import { DAY_MS } from '../../kernel/period.ts';
import type { Tx } from '../../kernel/transaction.ts';
import type { LinkMailer } from '../mailer/link-mailer.ts';
import { createApprovalMailer, createDigestMailer } from './approval-mailer.ts';
import { approvalRoutes } from './approval-routes.ts';
import { ApprovalRules, purgeApprovalTokens } from './approval-rules.ts';
import { budgetRoutes } from './budget-routes.ts';
import { authorityOf, requireAddressAuthority, setAuthority } from './budget-rules.ts';
import { chargeRoutes } from './charge-routes.ts';
import { createCharges } from './charge-rules.ts';

declare module '../../kernel/jobs.ts' {
  interface JobPayloads {
    /** Mails a link to an operator who decides. */
    'mail.approval': { approvalId: string; email?: string };
    /** Mails an operator one list of the requests beyond the limit of mails. */
    'mail.approval_digest': { email: string };
    /** Expires an approval that was not decided in time. */
    'approval.expire': { approvalId: string };
  }
}

type Needs = FeatureContext & { mailer: LinkMailer };

/** Budgets, charges against them, and approvals of charges that exceed a limit. */
export const budgetsFeature = feature('budgets', (needs: Needs) => {
  const { database, limits, events, jobs, mailer, baseUrl } = needs;
  const { appendAll: appendEvents } = events;
  const approvals = new ApprovalRules({ limits, appendEvents, enqueueJob: jobs.enqueue });
  const mails = { database, mailer, enqueueJob: jobs.enqueue, limits, baseUrl };
  return {
    endpoints: [
      ...budgetRoutes({ appendEvents, database }),
      ...chargeRoutes({ charges: createCharges({ appendEvents, approvals }), baseUrl }),
      ...approvalRoutes({ approvals, database }),
    ],
    jobs: {
      'mail.approval': createApprovalMailer(mails),
      'mail.approval_digest': createDigestMailer(mails),
      'approval.expire': async ({ payload, now }: JobAttempt<'approval.expire'>): Promise<JobOutcome> => ({
        status: 'done',
        settle: (tx) => approvals.expire(tx, [payload.approvalId], now),
      }),
    },
    expire: (tx: Tx, now: number) => purgeApprovalTokens(tx, now - DAY_MS),
    provides: { requireAddressAuthority, authority: { of: authorityOf, set: setAuthority } },
  };
});
