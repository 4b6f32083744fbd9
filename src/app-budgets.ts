import type { Base, Mail } from './app-parts.ts';
import { createApprovalMailer } from './features/budgets/approval-mail-rules.ts';
import { approvalRoutes } from './features/budgets/approval-routes.ts';
import { createApprovalRules } from './features/budgets/approval-rules.ts';
import { budgetRoutes } from './features/budgets/budget-routes.ts';
import { createBudgetRules } from './features/budgets/budget-rules.ts';
import { chargeRoutes } from './features/budgets/charge-routes.ts';
import { createCharges } from './features/budgets/charge-rules.ts';
import { enqueueJob } from './jobs/queue.ts';
import type { Endpoint } from './kernel/endpoint.ts';
import type { JobHandler } from './kernel/jobs.ts';
import { appendEvents } from './push/event-log.ts';

const approvalsOf = ({ config }: Base) => createApprovalRules({ limits: config.limits, appendEvents, enqueueJob });

/** Budgets, charges and approvals. */
export function budgetEndpoints(base: Base): Endpoint[] {
  const { database, baseUrl } = base;
  const approvals = approvalsOf(base);
  return [
    ...budgetRoutes({ budgets: createBudgetRules(appendEvents), database }),
    ...chargeRoutes({ charges: createCharges({ appendEvents, approvals }), baseUrl }),
    ...approvalRoutes({ approvals, database }),
  ];
}

/** What budgets do on their own: ask the operator by mail, and let questions expire. */
export function budgetJobs(
  base: Base,
  { transport }: Mail,
): { 'mail.approval': JobHandler<'mail.approval'>; 'approval.expire': JobHandler<'approval.expire'> } {
  const { config, database, baseUrl, log } = base;
  const approvals = approvalsOf(base);
  return {
    'mail.approval': createApprovalMailer({
      database,
      transport,
      mailDomain: config.mailDomain,
      limits: config.limits,
      baseUrl,
      onSent: (fact) => log.info(fact, 'mail sent'),
    }),
    'approval.expire': async ({ payload, now }) => ({
      status: 'done',
      settle: (tx) => approvals.expire(tx, [payload.approvalId], now),
    }),
  };
}
