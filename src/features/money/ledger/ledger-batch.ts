import { invalidField } from '../../../api/errors.ts';
import type { AppendEvents, NewEvent } from '../../../api/events.ts';
import { pipeline, type Tx } from '../../../api/transaction.ts';
import { newId } from '../../../base/ids.ts';
import { CAP_PERIODS, capPeriodStart } from '../../../base/period.ts';
import { DelegationBudgets } from '../../account/delegations/delegation-budget.ts';
import { type BudgetDeps, limitEvents, rollOverPeriods, spentUp } from '../budget.ts';
import { lockBudgets, lockExisting, lockFree, saveSpends } from '../budget-store.ts';
import type { Budget } from '../budget-table.ts';
import { appendLedger, findTotals, saveTotals } from './ledger-store.ts';
import { CATEGORIES_MAX, type CategoryTotal, type LedgerEntry, positionAfter, type Spending } from './ledger-table.ts';

/** The accounts whose ledgers get a spending. */
const ledgersOf = ({ spenderId, parentId }: Pick<Spending, 'spenderId' | 'parentId'>): string[] =>
  parentId === null ? [spenderId] : [spenderId, parentId];

const totalKey = (accountId: string, category: string): string => `${accountId} ${category}`;

/** @throws ApiError `invalid_request` when a sum would no longer be exact, or the account has too many categories */
function requireCapacity(budget: Budget, spending: Spending, isNewCategory: boolean): void {
  if (budget.totalUsdc + spending.amountUsdc > Number.MAX_SAFE_INTEGER)
    throw invalidField('/body/amount', 'out_of_range', 'The ledger cannot hold a sum this large.');
  const isOwn = budget.accountId === spending.spenderId;
  if (isOwn && isNewCategory && budget.categories >= CATEGORIES_MAX)
    throw invalidField(
      '/body/category',
      'too_many',
      `The ledger already has ${CATEGORIES_MAX} categories. Use one of them, and put details in reference_id or metadata.`,
    );
}

/** The totals that recording these spendings needs. */
function totalsFor(spendings: readonly Pick<Spending, 'spenderId' | 'parentId' | 'category'>[]) {
  const wanted = new Map(
    spendings.flatMap((spending) =>
      ledgersOf(spending).map((accountId) => {
        const { category } = spending;
        return [totalKey(accountId, category), { accountId, category }];
      }),
    ),
  );
  return [...wanted.values()];
}

const isCurrent = (budget: Budget, now: number): boolean =>
  CAP_PERIODS.every((period) => budget.spend[period].start === capPeriodStart(period, now));

/**
 * Spendings of one transaction over locked budgets. Counters change in memory, and {@link LedgerBatch.write} stores
 * everything at once, so that any number of spendings costs as many statements as one.
 */
export class LedgerBatch {
  /** The budgets of the delegations that the spendings came by. */
  readonly delegations: DelegationBudgets;
  readonly #tx: Tx;
  readonly #appendEvents: AppendEvents<Tx>;
  readonly #budgets: Map<string, Budget>;
  /** By {@link totalKey}. */
  readonly #totals: Map<string, CategoryTotal>;
  readonly #entries: LedgerEntry[] = [];
  readonly #events: NewEvent[] = [];
  /** Accounts whose counters must be saved. */
  readonly #changed = new Set<string>();

  private constructor(
    tx: Tx,
    appendEvents: AppendEvents<Tx>,
    budgets: Map<string, Budget>,
    totals: readonly CategoryTotal[],
    delegations: DelegationBudgets,
  ) {
    this.delegations = delegations;
    this.#tx = tx;
    this.#appendEvents = appendEvents;
    this.#budgets = budgets;
    this.#totals = new Map(totals.map((total) => [totalKey(total.accountId, total.category), total]));
  }

  /** Locks the budgets that these spendings touch, and reads the totals that recording them needs. */
  static async lock(
    tx: Tx,
    spendings: readonly Pick<Spending, 'spenderId' | 'parentId' | 'category' | 'delegationPath'>[],
    appendEvents: AppendEvents<Tx>,
  ): Promise<LedgerBatch> {
    const ids = [...new Set(spendings.flatMap(ledgersOf))];
    const wanted = totalsFor(spendings);
    const readTotals = (): Promise<CategoryTotal[]> => findTotals(tx, wanted);
    // One round trip, in this order: the totals cannot change once the budgets are locked.
    let [budgets, totals] = await pipeline([lockExisting(tx, ids), readTotals()]);
    if (budgets.size < ids.length) {
      // A missing row cannot be locked. The first charge of an account creates it and reads the totals again.
      budgets = await lockBudgets(tx, ids);
      totals = await readTotals();
    }
    // After the budgets, as every transaction does that locks both.
    const delegations = await DelegationBudgets.lock(
      tx,
      spendings.map(({ delegationPath }) => delegationPath),
    );
    return new LedgerBatch(tx, appendEvents, budgets, totals, delegations);
  }

  /**
   * Locks what is free, in one round trip and without waiting: budgets and the ends of event logs.
   * `isFree` tells which spendings can be recorded. None may come by a delegation.
   */
  static async lockFree(
    tx: Tx,
    spendings: readonly Pick<Spending, 'spenderId' | 'parentId' | 'category' | 'now'>[],
    { reserveEvents, appendEvents }: BudgetDeps,
  ): Promise<{ batch: LedgerBatch; isFree(spending: Pick<Spending, 'spenderId' | 'parentId' | 'now'>): boolean }> {
    const ids = [...new Set(spendings.flatMap(ledgersOf))];
    // In this order: the totals cannot change once the budgets are locked.
    const [budgets, totals, logs, delegations] = await pipeline([
      lockFree(tx, ids),
      findTotals(tx, totalsFor(spendings)),
      reserveEvents(tx, ids),
      DelegationBudgets.lock(tx, []),
    ]);
    // One whose counters are of a past period takes further statements.
    const isReady = (id: string, now: number): boolean => {
      const budget = budgets.get(id);
      return budget !== undefined && logs.has(id) && isCurrent(budget, now);
    };
    return {
      batch: new LedgerBatch(tx, appendEvents, budgets, totals, delegations),
      isFree: (spending) => ledgersOf(spending).every((id) => isReady(id, spending.now)),
    };
  }

  /** Returns the locked budget of an account, with its counters in the periods of `now`. */
  async budgetAt(accountId: string, now: number): Promise<Budget> {
    const budget = this.#budgets.get(accountId) as Budget;
    if (!isCurrent(budget, now) && (await rollOverPeriods(this.#tx, budget, now))) this.#changed.add(accountId);
    return budget;
  }

  /**
   * Counts a spending in every ledger that it belongs to, without checking caps. @returns its charge id
   * @throws ApiError `invalid_request` when a ledger cannot hold it; nothing of it is counted then
   */
  async record(spending: Spending): Promise<string> {
    const { spenderId, amountUsdc, category, referenceId, now } = spending;
    const id = newId('chg', now);
    const budgets: Budget[] = [];
    for (const accountId of ledgersOf(spending)) {
      const budget = await this.budgetAt(accountId, now);
      requireCapacity(budget, spending, !this.#totals.has(totalKey(accountId, category)));
      budgets.push(budget);
    }
    const data = { charge_id: id, amount_usdc: amountUsdc, category, reference_id: referenceId };
    this.append({ accountId: spenderId, type: 'charge.completed', data, now });
    for (const budget of budgets) this.#count(budget, id, spending);
    if (spending.delegationPath !== null) this.delegations.count(spending.delegationPath, amountUsdc);
    return id;
  }

  /** Appends an event after those of the spendings recorded so far. */
  append(event: NewEvent): void {
    this.#events.push(event);
  }

  /** Stores counters, ledger entries, totals and events. Call it once, at the end. */
  async write(): Promise<void> {
    const tx = this.#tx;
    const changed = [...this.#changed].sort().map((accountId) => this.#budgets.get(accountId) as Budget);
    const spentOn = new Set(this.#entries.map(({ accountId, category }) => totalKey(accountId, category)));
    const totals = [...spentOn].map((key) => this.#totals.get(key) as CategoryTotal);
    // None needs the answer of another, so PostgreSQL takes them in one round trip.
    await pipeline([
      ...(changed.length > 0 ? [saveSpends(tx, changed)] : []),
      ...(this.#entries.length > 0 ? [appendLedger(tx, this.#entries), saveTotals(tx, totals)] : []),
      this.delegations.write(tx),
      ...(this.#events.length > 0 ? [this.#appendEvents(tx, this.#events)] : []),
    ]);
  }

  #count(budget: Budget, id: string, spending: Spending): void {
    const { accountId } = budget;
    const { amountUsdc, category, now, parentId: _, ...rest } = spending;
    const before = spentUp(budget);
    for (const spend of Object.values(budget.spend)) spend.spent += amountUsdc;
    budget.lastPosition = positionAfter(budget.lastPosition, now);
    budget.entries += 1;
    budget.totalUsdc += amountUsdc;
    this.#countCategory(budget, category, amountUsdc);
    this.#changed.add(accountId);
    this.#entries.push({ ...rest, accountId, position: budget.lastPosition, id, amountUsdc, category, createdAt: now });
    for (const event of limitEvents(budget, before, now)) this.append(event);
  }

  #countCategory(budget: Budget, category: string, amountUsdc: number): void {
    const { accountId } = budget;
    const key = totalKey(accountId, category);
    const total = this.#totals.get(key) ?? { accountId, category, entries: 0, totalUsdc: 0 };
    if (total.entries === 0) budget.categories += 1;
    total.entries += 1;
    total.totalUsdc += amountUsdc;
    this.#totals.set(key, total);
  }
}
