import { InvalidArgumentError } from 'commander';

const DECIMALS = 6;

/** Reads USDC with a point. `3` could mean 3 USDC or 3 atomic units, so it is refused. @returns atomic units */
export function parseAmount(text: string): number {
  const found = /^(\d{1,9})\.(\d{1,6})$/.exec(text);
  if (!found) throw new InvalidArgumentError('It must be USDC with a decimal point, such as 3.00.');
  const [, whole = '', part = ''] = found;
  const amount = Number(whole + part.padEnd(DECIMALS, '0'));
  if (amount === 0) throw new InvalidArgumentError('It must be more than 0.');
  return amount;
}

/** Like {@link parseAmount}; `none` removes a limit. */
export const parseLimit = (text: string): number | null => (text === 'none' ? null : parseAmount(text));

/** Atomic units as USDC. */
export const usdc = (atomic: number | null | undefined): string => {
  if (atomic === null || atomic === undefined) return 'none';
  const digits = String(atomic).padStart(DECIMALS + 1, '0');
  const part = digits.slice(-DECIMALS).replace(/0{1,4}$/, '');
  return `${digits.slice(0, -DECIMALS)}.${part}`;
};
