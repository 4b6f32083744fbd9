import type { JobAttempt } from '../../api/job-types.ts';
import { rowsOf } from '../../db/account-rows.ts';
import { type FeatureContext, feature } from '../../feature.ts';
import { APPROVAL, ApprovalRules } from './approvals/approval.ts';
import { APPROVAL_WORDS, mailEach } from './approvals/approval-mailer.ts';
import { approvalRoutes } from './approvals/approval-routes.ts';
import { APPROVALS } from './approvals/approval-table.ts';
import { createExpiry } from './approvals/decision.ts';
import { DecisionMails } from './approvals/decision-mail.ts';
import { waitingApprovals } from './approvals/waiting-approvals.ts';
import { authorityOf, type BudgetDeps, requireAddressAuthority, setAuthority } from './budget.ts';
import { secureBudget } from './budget-lockdown.ts';
import { budgetRoutes } from './budget-routes.ts';
import { BUDGET_PERIODS, BUDGETS } from './budget-table.ts';
import { createCharges } from './charge.ts';
import { chargeRoutes } from './charge-routes.ts';
import { LEDGER, LEDGER_TOTALS } from './ledger/ledger-table.ts';
import { waitingCaps } from './low-budget.ts';

declare module '../../api/job-types.ts' {
  interface JobPayloads {
    /** Mails a link to an operator who decides. */
    'mail.approval': { approvalId: string; email?: string };
    /** Mails an operator one list of the requests beyond the limit of mails. */
    'mail.approval_digest': { email: string };
    /** Expires an approval that was not decided in time. */
    'approval.expire': { approvalId: string };
  }
}

type Needs = FeatureContext & Pick<BudgetDeps, 'mailer' | 'settingHistory'>;

/** Budgets, charges against them, and approvals of charges that exceed a limit. */
export const budgetsFeature = feature('budgets', (needs: Needs) => {
  const { database, events, jobs, baseUrl } = needs;
  const deps: BudgetDeps = {
    ...needs,
    appendEvents: events.appendAll,
    reserveEvents: events.reserve,
    enqueueJob: jobs.enqueue,
  };
  const approvals = new ApprovalRules(deps);
  const decisionMails = new DecisionMails(deps);
  const mailApproval = decisionMails.asks(APPROVAL, APPROVAL_WORDS);
  const expire = createExpiry(deps, APPROVAL, async (tx, id, now) => {
    const [expired] = await approvals.expire(tx, [id], now);
    return expired ?? null;
  });
  return {
    tables: [APPROVALS, LEDGER, LEDGER_TOTALS, BUDGET_PERIODS, BUDGETS],
    erases: [
      rowsOf('approval_digests', ['email', 'approval_id'], {
        by: 'approval_id',
        through: { table: 'approvals', id: 'id', by: 'holder_id' },
      }),
      rowsOf('approval_digests', ['email', 'approval_id'], {
        by: 'approval_id',
        through: { table: 'reviews', id: 'id' },
      }),
    ],
    endpoints: [
      ...budgetRoutes(deps),
      ...chargeRoutes(createCharges(approvals, deps), baseUrl),
      ...approvalRoutes(approvals, database),
    ],
    jobs: {
      'mail.approval': (job: JobAttempt<'mail.approval'>) => {
        const { approvalId, email } = job.payload;
        if (email === undefined) return mailEach(deps, approvalId, job.now);
        return mailApproval(job, approvalId, email);
      },
      'mail.approval_digest': decisionMails.mailDigest,
      'approval.expire': ({ payload, now }: JobAttempt<'approval.expire'>) => expire(payload.approvalId, now),
    },
    waiting: { approval: { list: waitingApprovals, expire }, low_budget: { list: waitingCaps } },
    secure: secureBudget(deps),
    provides: { requireAddressAuthority, authority: { of: authorityOf, set: setAuthority }, decisionMails },
  };
});
