import type { TestContext } from 'node:test';

/** What a long profile is given: `SIZE` says how many of its unit (rounds, minutes, requests), else its own figure. */
export const sizeOf = (long: number): number => Number(process.env.SIZE ?? long);

const began = performance.now();

/** Prints a row for the table in docs/reliability.md. */
export function printRow(t: TestContext, what: string, cells: Record<string, string | number>): void {
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  const found = Object.entries(cells).map(([name, value]) => `${name} ${value}`);
  t.diagnostic(`| ${what} | ${minutes} min | ${found.join('; ')} |`);
}

/** The value below which that part of the figures lies. */
export function quantile(figures: readonly number[], part: number): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
