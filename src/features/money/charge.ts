import type { BatchOutcome, BatchWork } from '../../api/endpoint.ts';
import { ApiError } from '../../api/errors.ts';
import type { Tx } from '../../api/transaction.ts';
import type { CapPeriod } from '../../base/period.ts';
import { type ApprovalRules, type AskedDecider, whomAsked } from './approvals/approval.ts';
import type { Approval } from './approvals/approval-table.ts';
import type { BudgetDeps } from './budget.ts';
import type { Budget } from './budget-table.ts';
import { decide, type Excess, layersOf, refusal, remainingOf } from './charge-decision.ts';
import { LedgerBatch } from './ledger/ledger-batch.ts';
import type { Spending } from './ledger/ledger-table.ts';
import { spendingOf } from './ledger/spending-text.ts';
import { NO_PLATFORM_QUOTA, remainingIn } from './platform-quota.ts';

export type Charge = Omit<Spending, 'approvalId'>;

export type Charged =
  | { kind: 'completed'; chargeId: string; charge: Charge; remaining: Partial<Record<CapPeriod, number>> }
  | { kind: 'approval_required'; approval: Approval; asked: AskedDecider; excess: Excess };

/** Records a charge that fits. */
async function complete(batch: LedgerBatch, charge: Charge, own: Budget, platform: Budget | null): Promise<Charged> {
  const chargeId = await batch.record({ ...charge, approvalId: null });
  const remaining = remainingOf(own, platform === null ? NO_PLATFORM_QUOTA : remainingIn(platform));
  return { kind: 'completed', chargeId, charge, remaining };
}

async function chargeOne(tx: Tx, batch: LedgerBatch, charge: Charge, approvals: ApprovalRules): Promise<Charged> {
  const { spenderId, parentId, amountUsdc, delegationPath, now } = charge;
  if (delegationPath !== null) batch.delegations.require(delegationPath, amountUsdc, now);
  const own = await batch.budgetAt(spenderId, now);
  const platform = parentId === null ? null : await batch.budgetAt(parentId, now);
  const decision = decide(layersOf(own, platform), amountUsdc);
  if (decision.kind === 'refuse') throw refusal(decision.excess, amountUsdc);
  if (decision.kind === 'ask') {
    const { holderId, excess } = decision;
    const approval = await approvals.request(tx, batch, charge, { holderId, cause: excess.reason });
    return { kind: 'approval_required', approval, asked: await whomAsked(tx, approval), excess };
  }
  return complete(batch, charge, own, platform);
}

/** Decides a charge over locked budgets of this period. @returns null for one that must be approved */
async function chargeFree(batch: LedgerBatch, charge: Charge): Promise<Charged | null> {
  const { spenderId, parentId, amountUsdc, now } = charge;
  const own = await batch.budgetAt(spenderId, now);
  const platform = parentId === null ? null : await batch.budgetAt(parentId, now);
  const decision = decide(layersOf(own, platform), amountUsdc);
  if (decision.kind === 'refuse') throw refusal(decision.excess, amountUsdc);
  return decision.kind === 'ask' ? null : complete(batch, charge, own, platform);
}

const outcomeOf = (value: Charged): BatchOutcome<Charged> =>
  value.kind === 'completed'
    ? { value, resourceId: value.chargeId, summary: `Charged ${spendingOf(value.charge)}` }
    : { value, resourceId: value.approval.id, summary: `Asked for approval of ${spendingOf(value.approval)}` };

/** A refusal concerns one charge, before it wrote anything. A database error fails the whole batch. */
function refusedBy(err: unknown): BatchOutcome<Charged> {
  if (!(err instanceof ApiError) || err.status >= 500) throw err;
  return { refusal: err };
}

type Across = NonNullable<BatchWork<Charge, Charged>['across']>;

/**
 * Charges of many accounts in one transaction. One goes alone if another transaction has its budget or its events locked, if
 * its events are watched, if it is the first of a day, and if it must be approved.
 */
const acrossAccounts = (deps: BudgetDeps): Across => ({
  mayJoin: ({ delegationPath }) => delegationPath === null,
  lockFree: async (tx, charges) => {
    const { batch, isFree } = await LedgerBatch.lockFree(tx, charges, deps);
    const decide: Awaited<ReturnType<Across['lockFree']>>['decide'] = async (open) => {
      const outcomes: (BatchOutcome<Charged> | null)[] = [];
      for (const charge of open) {
        try {
          const value = await chargeFree(batch, charge);
          outcomes.push(value && outcomeOf(value));
        } catch (err) {
          outcomes.push(refusedBy(err));
        }
      }
      await batch.write();
      return outcomes;
    };
    return { isFree, decide };
  },
});

/**
 * Decides the charges of one account and its pods, one after the other, in one transaction over locked budgets. Each
 * charge sees what the charges before it spent, so concurrent charges cannot overspend, and all share one commit.
 */
export const createCharges = (approvals: ApprovalRules, deps: BudgetDeps): BatchWork<Charge, Charged> => ({
  laneOf: ({ spenderId, parentId }) => parentId ?? spenderId,
  run: async (tx, charges) => {
    const batch = await LedgerBatch.lock(tx, charges, deps.appendEvents);
    const outcomes: BatchOutcome<Charged>[] = [];
    for (const charge of charges) {
      try {
        outcomes.push(outcomeOf(await chargeOne(tx, batch, charge, approvals)));
      } catch (err) {
        outcomes.push(refusedBy(err));
      }
    }
    await batch.write();
    return outcomes;
  },
  across: acrossAccounts(deps),
});
