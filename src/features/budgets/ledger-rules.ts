import { iso } from '../../kernel/clock.ts';
import { ApiError, invalidField } from '../../kernel/errors.ts';
import type { AppendEvents, NewEvent } from '../../kernel/events.ts';
import { isId, newId } from '../../kernel/ids.ts';
import { decodeCursor, pageOf } from '../../kernel/page.ts';
import { type Reader, type Tx, together } from '../../kernel/transaction.ts';
import type { Budget } from './budget-data.ts';
import { enterPeriods, limitEvents, readBudget, spentUp } from './budget-rules.ts';
import { lockBudgets, lockExisting, saveSpend } from './budget-store.ts';
import {
  appendLedger,
  type CategoryTotal,
  findTotals,
  type LedgerEntry,
  listEntries,
  listTotals,
  readTotal,
  saveTotals,
} from './ledger-store.ts';

export type { LedgerEntry };

/** What is to be spent, by whom. */
export interface Spending {
  spenderId: string;
  /** The platform of a pod; its ledger and counters get the same. */
  parentId: string | null;
  amountUsdc: number;
  category: string;
  description: string;
  referenceId: string | null;
  /** JSON text. */
  metadata: string | null;
  approvalId: string | null;
  now: number;
}

/**
 * The budgets that some spendings touch, locked, and what is written about them. Nothing of {@link Book.record} is in
 * the database before {@link Book.close}, so that any number of spendings cost as many statements as one.
 */
export interface Book {
  /** The locked budget, in the periods of `now`. */
  enter(accountId: string, now: number): Promise<Budget>;
  /** Counts a spending in every ledger it belongs to, whatever the caps say. @returns its charge id */
  record(spending: Spending): Promise<string>;
  /** Appends an event after those of what was recorded so far. */
  tell(event: NewEvent): void;
  close(): Promise<void>;
}

/** So that `by_category` stays readable in one piece. */
const CATEGORIES_MAX = 1000;
/** Places within a millisecond. */
const PLACES = 1000;

/** Whose ledgers a spending is in. */
const ledgersOf = ({ spenderId, parentId }: Pick<Spending, 'spenderId' | 'parentId'>): string[] =>
  parentId === null ? [spenderId] : [spenderId, parentId];

/** Microseconds: within its millisecond, an entry stands behind the one before it. */
function nextPosition({ lastPosition }: Budget, now: number): number {
  const first = now * PLACES;
  const isSameMillisecond = lastPosition >= first && lastPosition < first + PLACES;
  return isSameMillisecond ? Math.min(lastPosition + 1, first + PLACES - 1) : first;
}

const totalKey = (accountId: string, category: string): string => `${accountId} ${category}`;

/** @throws ApiError `invalid_request` where a sum would no longer be exact, or the account has too many categories */
function requireRoom(budget: Budget, spending: Spending, isNewCategory: boolean): void {
  if (budget.totalUsdc + spending.amountUsdc > Number.MAX_SAFE_INTEGER)
    throw invalidField('/body/amount', 'out_of_range', 'The ledger cannot hold a sum this large.');
  const isOwn = budget.accountId === spending.spenderId;
  if (isOwn && isNewCategory && budget.categories >= CATEGORIES_MAX)
    throw invalidField(
      '/body/category',
      'too_many',
      `The ledger has ${CATEGORIES_MAX} categories; use one of them, and reference_id or metadata for what is particular.`,
    );
}

class OpenBook implements Book {
  readonly #tx: Tx;
  readonly #budgets: Map<string, Budget>;
  readonly #totals: Map<string, CategoryTotal>;
  readonly #appendEvents: AppendEvents<Tx>;
  readonly #entries: LedgerEntry[] = [];
  readonly #events: NewEvent[] = [];
  readonly #changed = new Set<string>();

  constructor(
    tx: Tx,
    budgets: Map<string, Budget>,
    totals: Map<string, CategoryTotal>,
    appendEvents: AppendEvents<Tx>,
  ) {
    this.#tx = tx;
    this.#budgets = budgets;
    this.#totals = totals;
    this.#appendEvents = appendEvents;
  }

  async enter(accountId: string, now: number): Promise<Budget> {
    const budget = this.#budgets.get(accountId) as Budget;
    if (await enterPeriods(this.#tx, budget, now)) this.#changed.add(accountId);
    return budget;
  }

  async record(spending: Spending): Promise<string> {
    const { spenderId, amountUsdc, category, referenceId, now } = spending;
    const id = newId('chg', now);
    const budgets: Budget[] = [];
    for (const accountId of ledgersOf(spending)) {
      const budget = await this.enter(accountId, now);
      requireRoom(budget, spending, !this.#totals.has(totalKey(accountId, category)));
      budgets.push(budget);
    }
    const data = { charge_id: id, amount_usdc: amountUsdc, category, reference_id: referenceId };
    this.tell({ accountId: spenderId, type: 'charge.completed', data, now });
    for (const budget of budgets) this.#count(budget, id, spending);
    return id;
  }

  #count(budget: Budget, id: string, spending: Spending): void {
    const { accountId } = budget;
    const { amountUsdc, category, now, parentId: _, ...rest } = spending;
    const before = spentUp(budget);
    for (const spend of Object.values(budget.spend)) spend.spent += amountUsdc;
    budget.lastPosition = nextPosition(budget, now);
    budget.entries += 1;
    budget.totalUsdc += amountUsdc;
    const key = totalKey(accountId, category);
    const total = this.#totals.get(key) ?? { accountId, category, entries: 0, totalUsdc: 0 };
    if (total.entries === 0) budget.categories += 1;
    total.entries += 1;
    total.totalUsdc += amountUsdc;
    this.#totals.set(key, total);
    this.#changed.add(accountId);
    this.#entries.push({ ...rest, accountId, position: budget.lastPosition, id, amountUsdc, category, createdAt: now });
    for (const event of limitEvents(budget, before, now)) this.tell(event);
  }

  tell(event: NewEvent): void {
    this.#events.push(event);
  }

  async close(): Promise<void> {
    const tx = this.#tx;
    const changed = [...this.#changed].sort().map((accountId) => this.#budgets.get(accountId) as Budget);
    const spentOn = new Set(this.#entries.map(({ accountId, category }) => totalKey(accountId, category)));
    const totals = [...spentOn].map((key) => this.#totals.get(key) as CategoryTotal);
    // Side by side: none needs another's answer, and PostgreSQL takes them all in one round trip.
    await together([
      ...changed.map((budget) => saveSpend(tx, budget)),
      ...(this.#entries.length > 0 ? [appendLedger(tx, this.#entries), saveTotals(tx, totals)] : []),
      ...(this.#events.length > 0 ? [this.#appendEvents(tx, this.#events)] : []),
    ]);
  }
}

/** Locks the budgets of these spendings and reads what recording them needs. */
export async function openBook(
  tx: Tx,
  spendings: readonly Pick<Spending, 'spenderId' | 'parentId' | 'category'>[],
  appendEvents: AppendEvents<Tx>,
): Promise<Book> {
  const wanted = new Map(
    spendings.flatMap((spending) =>
      ledgersOf(spending).map((accountId) => [
        totalKey(accountId, spending.category),
        { accountId, category: spending.category },
      ]),
    ),
  );
  const ids = [...new Set(spendings.flatMap(ledgersOf))];
  const readTotals = (): Promise<CategoryTotal[]> => findTotals(tx, [...wanted.values()]);
  // In one round trip, and in this order: totals hold still once the budgets are locked. What is not there yet cannot
  // be locked, so a first charge makes its row and then reads again.
  let [budgets, totals] = await together([lockExisting(tx, ids), readTotals()]);
  if (budgets.size < ids.length) {
    budgets = await lockBudgets(tx, ids);
    totals = await readTotals();
  }
  const byKey = new Map(totals.map((total) => [totalKey(total.accountId, total.category), total]));
  return new OpenBook(tx, budgets, byKey, appendEvents);
}

/** A place in a ledger's time: microseconds as ISO 8601 with six decimals, so that no entry shares it. */
export const isoOfPosition = (position: number): string =>
  `${iso(Math.floor(position / PLACES)).slice(0, -1)}${String(position % PLACES).padStart(3, '0')}Z`;

/** The first place at a time of RFC 3339 with up to nine decimals. */
function positionOfIso(text: string): number {
  const decimals = /\.(\d+)/.exec(text)?.[1] ?? '';
  return Date.parse(text) * PLACES + Number(decimals.padEnd(6, '0').slice(3, 6));
}

/** A page of an account's ledger, and the sums of all of it. */
export interface History {
  entries: LedgerEntry[];
  count: number;
  totalUsdc: number;
  byCategory: Record<string, number>;
  hasMore: boolean;
  nextCursor: string | null;
}

export interface HistoryRequest {
  category: string | null;
  /** RFC 3339. */
  before: string | undefined;
  cursor: string | undefined;
  limit: number;
}

/** Behind every place, and behind every id in any collation. */
const BEYOND_ALL = { position: Number.MAX_SAFE_INTEGER, id: '' };

function startOf({ before, cursor }: HistoryRequest): { position: number; id: string } {
  if (cursor !== undefined) {
    const [position, id] = decodeCursor(cursor, ['number', 'string']) ?? [];
    if (!Number.isSafeInteger(position) || !isId('chg', String(id))) throw new ApiError('invalid_cursor');
    return { position: Number(position), id: String(id) };
  }
  return before === undefined ? BEYOND_ALL : { position: positionOfIso(before), id: '' };
}

/** Newest first. The sums come from counters, so that a page costs the same however long the ledger is. */
export async function readHistory(reader: Reader, accountId: string, request: HistoryRequest): Promise<History> {
  const { category, limit } = request;
  const rows = await listEntries(reader, accountId, category, startOf(request), limit + 1);
  const { rows: entries, hasMore, nextCursor } = pageOf(rows, limit, ({ position, id }) => [position, id]);
  if (category !== null) {
    const { entries: count, totalUsdc } = await readTotal(reader, accountId, category);
    return { entries, hasMore, nextCursor, count, totalUsdc, byCategory: count > 0 ? { [category]: totalUsdc } : {} };
  }
  const { entries: count, totalUsdc } = await readBudget(reader, accountId);
  const byCategory = await listTotals(reader, accountId, CATEGORIES_MAX);
  return { entries, hasMore, nextCursor, count, totalUsdc, byCategory };
}
