import type { BatchOutcome, BatchWork } from '../../kernel/endpoint.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { AppendEvents } from '../../kernel/events.ts';
import type { CapPeriod } from '../../kernel/period.ts';
import type { Tx } from '../../kernel/transaction.ts';
import type { Approval } from './approval-data.ts';
import { type ApprovalRules, type Asked, whomAsked } from './approval-rules.ts';
import { decide, type Excess, layersOf, refusal, remainingOf } from './charge-decision-rules.ts';
import { LedgerBatch } from './ledger-batch-rules.ts';
import type { Spending } from './ledger-data.ts';
import { NO_PLATFORM, roomIn } from './platform-room-rules.ts';

export type Charge = Omit<Spending, 'approvalId'>;

export type Charged =
  | { kind: 'completed'; chargeId: string; charge: Charge; remaining: Partial<Record<CapPeriod, number>> }
  | { kind: 'approval_required'; approval: Approval; asked: Asked; excess: Excess };

interface ChargeDeps {
  appendEvents: AppendEvents<Tx>;
  approvals: Pick<ApprovalRules, 'request'>;
}

async function chargeOne(tx: Tx, batch: LedgerBatch, charge: Charge, { approvals }: ChargeDeps): Promise<Charged> {
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
  const chargeId = await batch.record({ ...charge, approvalId: null });
  const remaining = remainingOf(own, platform === null ? NO_PLATFORM : roomIn(platform));
  return { kind: 'completed', chargeId, charge, remaining };
}

/**
 * Decides the charges of one account and its pods, one after the other, in one transaction over locked budgets. Each
 * charge sees what the charges before it spent, so concurrent charges cannot overspend, and all share one commit.
 */
export const createCharges = (deps: ChargeDeps): BatchWork<Charge, Charged> => ({
  laneOf: ({ spenderId, parentId }) => parentId ?? spenderId,
  run: async (tx, charges) => {
    const batch = await LedgerBatch.lock(tx, charges, deps.appendEvents);
    const outcomes: BatchOutcome<Charged>[] = [];
    for (const charge of charges) {
      try {
        const value = await chargeOne(tx, batch, charge, deps);
        outcomes.push({ value, resourceId: value.kind === 'completed' ? value.chargeId : value.approval.id });
      } catch (err) {
        // A refusal concerns one charge, before it wrote anything. A database error fails the whole batch.
        if (!(err instanceof ApiError) || err.status >= 500) throw err;
        outcomes.push({ refusal: err });
      }
    }
    await batch.write();
    return outcomes;
  },
});
