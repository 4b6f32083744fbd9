import type { BatchOutcome, BatchWork } from '../../kernel/endpoint.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { AppendEvents } from '../../kernel/events.ts';
import type { CapPeriod } from '../../kernel/period.ts';
import type { Tx } from '../../kernel/transaction.ts';
import type { Approval } from './approval-data.ts';
import type { ApprovalRules } from './approval-rules.ts';
import { decide, type Excess, layersOf, refusal, remainingOf } from './charge-decision-rules.ts';
import { type Book, openBook, type Spending } from './ledger-rules.ts';

export type Charge = Omit<Spending, 'approvalId'>;

export type Charged =
  | { kind: 'completed'; chargeId: string; charge: Charge; remaining: Partial<Record<CapPeriod, number>> }
  | { kind: 'approval_required'; approval: Approval; excess: Excess };

interface ChargeDeps {
  appendEvents: AppendEvents<Tx>;
  approvals: Pick<ApprovalRules, 'request'>;
}

async function chargeOne(tx: Tx, book: Book, charge: Charge, { approvals }: ChargeDeps): Promise<Charged> {
  const { spenderId, parentId, amountUsdc, now } = charge;
  const own = await book.enter(spenderId, now);
  const platform = parentId === null ? null : await book.enter(parentId, now);
  const verdict = decide(layersOf(own, platform), amountUsdc);
  if (verdict.kind === 'refuse') throw refusal(verdict.excess, amountUsdc);
  if (verdict.kind === 'ask') {
    const { holderId, excess } = verdict;
    return {
      kind: 'approval_required',
      approval: await approvals.request(tx, book, charge, { holderId, cause: excess.reason }),
      excess,
    };
  }
  const chargeId = await book.record({ ...charge, approvalId: null });
  return { kind: 'completed', chargeId, charge, remaining: remainingOf(own) };
}

/**
 * Charges of one account, its pods' among them, decided one after the other in one transaction over locked budgets: of
 * any number at once none sees what another has not counted yet, so none overspends, and they share one commit.
 */
export const createCharges = (deps: ChargeDeps): BatchWork<Charge, Charged> => ({
  laneOf: ({ spenderId, parentId }) => parentId ?? spenderId,
  run: async (tx, charges) => {
    const book = await openBook(tx, charges, deps.appendEvents);
    const outcomes: BatchOutcome<Charged>[] = [];
    for (const charge of charges) {
      try {
        const value = await chargeOne(tx, book, charge, deps);
        outcomes.push({ value, resourceId: value.kind === 'completed' ? value.chargeId : value.approval.id });
      } catch (err) {
        // Of this charge alone, and before it wrote anything; what the database says fails them all.
        if (!(err instanceof ApiError) || err.status >= 500) throw err;
        outcomes.push({ refusal: err });
      }
    }
    await book.close();
    return outcomes;
  },
});
