import { ApiError } from '../../../api/errors.ts';
import { pipeline, type Tx } from '../../../api/transaction.ts';
import { usdc } from '../../../base/usdc.ts';
import { idsOf, stands } from './delegation.ts';
import { lockDelegations, saveSpent } from './delegation-store.ts';
import type { Delegation } from './delegation-table.ts';

/**
 * The lifetime budgets of the delegations that the spendings of one transaction came by. They are locked, so that
 * concurrent charges cannot overspend one. Counters change in memory until {@link DelegationBudgets.write}.
 */
export class DelegationBudgets {
  readonly #delegations: Map<string, Delegation>;
  readonly #changed = new Set<Delegation>();

  private constructor(delegations: readonly Delegation[]) {
    this.#delegations = new Map(delegations.map((delegation) => [delegation.id, delegation]));
  }

  /** Locks every delegation of these paths. Null stands for a spending of the account itself. */
  static async lock(tx: Tx, paths: readonly (string | null)[]): Promise<DelegationBudgets> {
    const ids = [...new Set(paths.flatMap((path) => (path === null ? [] : idsOf(path))))];
    return new DelegationBudgets(ids.length === 0 ? [] : await lockDelegations(tx, ids));
  }

  /** Whether every delegation of a path stands, and `amount` fits each budget. */
  allows(path: string, amount: number, now: number): boolean {
    return stands(this.#chain(path), idsOf(path), now) && this.#exceeded(path, amount) === undefined;
  }

  /**
   * Checks a charge of a delegate. No approval lifts these limits.
   * @throws ApiError `unauthorized` when the delegation has ended since the request began; `budget_exceeded`
   */
  require(path: string, amount: number, now: number): void {
    const chain = this.#chain(path);
    if (!stands(chain, idsOf(path), now)) throw new ApiError('unauthorized');
    const exceeded = this.#exceeded(path, amount);
    if (exceeded === undefined) return;
    // A delegate sees its own budget, and not those further up.
    const isOwn = exceeded === chain.at(-1);
    const limit = exceeded.budgetUsdc as number;
    const left = Math.max(0, limit - exceeded.spentUsdc);
    const why = isOwn ? `: ${usdc(left)} of ${usdc(limit)} USDC is left` : ' that yours was made from';
    throw new ApiError('budget_exceeded', {
      message: `${usdc(amount)} USDC exceeds the budget of the delegation${why}. An approval cannot lift it.`,
      fields: {
        amount_usdc: amount,
        limit_set_by: 'delegation',
        limit_usdc: isOwn ? limit : null,
        spent_usdc: isOwn ? exceeded.spentUsdc : null,
        remaining_usdc: isOwn ? left : null,
      },
    });
  }

  /** Counts a spending in every delegation of its path. */
  count(path: string, amount: number): void {
    for (const delegation of this.#chain(path)) {
      delegation.spentUsdc += amount;
      this.#changed.add(delegation);
    }
  }

  async write(tx: Tx): Promise<void> {
    await pipeline([...this.#changed].map((delegation) => saveSpent(tx, delegation)));
  }

  #chain(path: string): Delegation[] {
    return idsOf(path).flatMap((id) => this.#delegations.get(id) ?? []);
  }

  /** The delegation nearest to the delegate whose budget `amount` exceeds. */
  #exceeded(path: string, amount: number): Delegation | undefined {
    return this.#chain(path).findLast(
      ({ budgetUsdc, spentUsdc }) => budgetUsdc !== null && spentUsdc + amount > budgetUsdc,
    );
  }
}
