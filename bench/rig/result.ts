/** The result of a benchmark: one or more lines of the final table. */
export interface Row {
  what: string;
  ours: string;
  /** Null if this machine has no peer to compare with. */
  peer: string | null;
  /** Ours divided by the peer's: the only figure that compares between machines. */
  ratio: number | null;
  /** The same for the work done with a second of processor time, of all processes of each side. */
  perCpu?: number | null;
  /** The goal of the project, in words. */
  aim: string;
}

/** One question, measured for ours and a peer in one run. */
export interface Bench {
  question: string;
  /** `say` prints a line during the run. */
  run(say: (line: string) => void): Promise<Row[]>;
}

const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

/** The value below which the given fraction (0 to 1) of the values lies. */
export function percentile(values: readonly number[], part: number): number {
  if (values.length === 0) throw new Error('nothing was measured');
  return sorted(values)[Math.min(values.length - 1, Math.floor(values.length * part))] as number;
}

/** The median, so that one round on a busy machine does not decide. */
export const median = (values: readonly number[]): number => percentile(values, 0.5);

export const perSecond = (value: number): string => `${Math.round(value).toLocaleString('en')}/s`;
export const milliseconds = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;

const times = (ratio: number | null | undefined): string => (ratio == null ? '-' : `${ratio.toFixed(2)} x`);

/** Both ratios of a row. */
export const ratios = ({ ratio, perCpu }: Row): string[] => [times(ratio), times(perCpu)];

/** The table in Markdown, aligned for a terminal. `past`: one more column, about the same question at another time. */
export function tableOf(rows: readonly Row[], past: { head: string; of(row: Row): string } | null): string {
  const heads = ['question', 'ours', 'peer or goal', 'ratio', 'per processor second'];
  return tableOfCells([
    [...heads, ...(past ? [past.head] : []), 'aim'],
    ...rows.map((row) => [
      ...[row.what, row.ours, row.peer ?? '-', ...ratios(row)],
      ...(past ? [past.of(row)] : []),
      row.aim,
    ]),
  ]);
}

/** The same of lines of cells, of which the first has the heads. */
export function tableOfCells(lines: readonly string[][]): string {
  const widths = (lines[0] as string[]).map((_, column) =>
    Math.max(...lines.map((line) => (line[column] as string).length)),
  );
  const write = (line: readonly string[]): string =>
    `| ${line.map((cell, column) => cell.padEnd(widths[column] as number)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  const [head, ...body] = lines.map(write);
  return [head, rule, ...body].join('\n');
}
