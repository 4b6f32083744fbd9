import type { JobAttempt } from '../../api/job-types.ts';
import { rowsOf } from '../../db/account-rows.ts';
import { type FeatureContext, feature } from '../../feature.ts';
import type { LinkMailer } from '../service/mailer/link-mailer.ts';
import type { SettingHistory } from '../service/settings/setting-history.ts';
import { APPROVAL, ApprovalRules } from './approvals/approval.ts';
import { APPROVAL_WORDS, mailEach } from './approvals/approval-mailer.ts';
import { approvalRoutes } from './approvals/approval-routes.ts';
import { APPROVALS } from './approvals/approval-table.ts';
import { createExpiry } from './approvals/decision.ts';
import { DecisionMails } from './approvals/decision-mail.ts';
import { authorityOf, requireAddressAuthority, setAuthority } from './budget.ts';
import { secureBudget } from './budget-lockdown.ts';
import { budgetRoutes } from './budget-routes.ts';
import { BUDGET_PERIODS, BUDGETS } from './budget-table.ts';
import { createCharges } from './charge.ts';
import { chargeRoutes } from './charge-routes.ts';
import { LEDGER, LEDGER_TOTALS } from './ledger/ledger-table.ts';

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

type Needs = FeatureContext & { mailer: LinkMailer; settingHistory: SettingHistory };

/** Budgets, charges against them, and approvals of charges that exceed a limit. */
export const budgetsFeature = feature('budgets', (needs: Needs) => {
  const { database, limits, events, jobs, jobEffects, mailer, settingHistory: history, baseUrl } = needs;
  const { appendAll: appendEvents, reserve: reserveEvents } = events;
  const approvals = new ApprovalRules({ limits, appendEvents, enqueueJob: jobs.enqueue });
  const decisionMails = new DecisionMails({ database, mailer, enqueueJob: jobs.enqueue, limits, baseUrl });
  const mailApproval = decisionMails.asks(APPROVAL, APPROVAL_WORDS);
  const expire = createExpiry({ database, jobEffects }, APPROVAL, async (tx, id, now) => {
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
      ...budgetRoutes({ appendEvents, history, database }),
      ...chargeRoutes({ charges: createCharges({ appendEvents, reserveEvents, approvals }), baseUrl }),
      ...approvalRoutes({ approvals, database }),
    ],
    jobs: {
      'mail.approval': (job: JobAttempt<'mail.approval'>) => {
        const { approvalId, email } = job.payload;
        if (email === undefined) return mailEach({ database, enqueueJob: jobs.enqueue }, approvalId, job.now);
        return mailApproval(job, approvalId, email);
      },
      'mail.approval_digest': decisionMails.mailDigest,
      'approval.expire': ({ payload, now }: JobAttempt<'approval.expire'>) => expire(payload.approvalId, now),
    },
    secure: secureBudget(history, appendEvents),
    provides: { requireAddressAuthority, authority: { of: authorityOf, set: setAuthority }, decisionMails },
  };
});
