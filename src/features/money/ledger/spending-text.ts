import { usdc } from '../../../base/usdc.ts';
import type { Spending } from './ledger-table.ts';

/** A charge in words: `5.00 USDC for search`. */
export const spendingOf = ({ amountUsdc, category }: Pick<Spending, 'amountUsdc' | 'category'>): string =>
  `${usdc(amountUsdc)} USDC for ${category}`;
