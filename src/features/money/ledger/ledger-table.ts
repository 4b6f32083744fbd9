import { iso } from '../../../base/clock.ts';
import { usdc } from '../../../base/usdc.ts';
import { column, exported, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

/** One charge in the ledger of one account. */
export const LEDGER = table(
  'ledger',
  {
    accountId: exported.text('account_id'),
    /** When it was recorded, in microseconds. Entries are listed by position. */
    position: exported.integer('position'),
    id: exported.text('id'),
    /** The account that spent it: the account itself, or one of its pods. */
    spenderId: exported.text('spender_id'),
    amountUsdc: exported.integer('amount_usdc'),
    category: exported.text('category'),
    description: exported.text('description'),
    referenceId: exported.text('reference_id').orNull(),
    /** JSON text. */
    metadata: exported.text('metadata').orNull(),
    approvalId: exported.text('approval_id').orNull(),
    createdAt: exported.integer('created_at'),
  },
  {
    key: ['accountId', 'position', 'id'],
    account: ['accountId'],
    erase: 'delete',
    page: ['position', 'id'],
    search: [
      {
        kind: 'charge',
        by: 'accountId',
        order: 'position',
        texts: ['description', 'category', 'referenceId'],
        reads: ['id', 'amountUsdc', 'createdAt'],
        shown: ({ id, amountUsdc, category, description, createdAt }) => ({
          id,
          title: `${usdc(amountUsdc)} USDC for ${description || category}`,
          at: createdAt,
          place: ['money'],
        }),
      },
    ],
  },
);
export type LedgerEntry = RecordOf<typeof LEDGER>;

/** What an account has spent on a category. */
export const LEDGER_TOTALS = table(
  'ledger_totals',
  {
    accountId: column.text('account_id'),
    category: column.text('category'),
    entries: column.integer('entries'),
    totalUsdc: column.integer('total_usdc'),
  },
  {
    key: ['accountId', 'category'],
    account: ['accountId'],
    erase: 'delete',
  },
);
export type CategoryTotal = RecordOf<typeof LEDGER_TOTALS>;

/** A charge to record, and the account that spends. */
export interface Spending {
  spenderId: string;
  /** The platform of a pod. Its ledger and counters get the same entry. */
  parentId: string | null;
  amountUsdc: number;
  category: string;
  description: string;
  referenceId: string | null;
  /** JSON text. */
  metadata: string | null;
  approvalId: string | null;
  /** The path of the delegation that it came by; each delegation of it is charged too. Null: the account itself spends. */
  delegationPath: string | null;
  now: number;
}

/** Keeps `by_category` small enough for one reply. */
export const CATEGORIES_MAX = 1000;

/** Positions in one millisecond. */
const POSITIONS_PER_MS = 1000;

/** The position after `last` at the time `now`: entries of one millisecond follow each other. */
export function positionAfter(last: number, now: number): number {
  const first = now * POSITIONS_PER_MS;
  const isSameMillisecond = last >= first && last < first + POSITIONS_PER_MS;
  return isSameMillisecond ? Math.min(last + 1, first + POSITIONS_PER_MS - 1) : first;
}

/** Formats a position as ISO 8601 with six decimals. */
export const isoOfPosition = (position: number): string =>
  `${iso(Math.floor(position / POSITIONS_PER_MS)).slice(0, -1)}${String(position % POSITIONS_PER_MS).padStart(3, '0')}Z`;

/** Returns the first position at an RFC 3339 time with up to nine decimals. */
export function positionOfIso(text: string): number {
  const decimals = /\.(\d+)/.exec(text)?.[1] ?? '';
  return Date.parse(text) * POSITIONS_PER_MS + Number(decimals.padEnd(6, '0').slice(3, 6));
}
