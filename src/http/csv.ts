import { preferredType } from '../base/negotiation.ts';

/** Lists as tables (RFC 4180), for spreadsheets. */

export const wantsCsv = (accept: string | undefined): boolean =>
  preferredType(accept, ['application/json', 'text/csv']) === 'text/csv';

/** A spreadsheet runs a cell that begins like this, also behind what it leaves out. */
const FORMULA = /^[\s\p{C}]*[=+\-@＝＋－＠]/u;

/** Others wrote some of it: an apostrophe makes a formula text. Every cell is quoted, so none begins a new one. */
function cell(value: unknown): string {
  const text =
    value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  const safe = typeof value !== 'number' && FORMULA.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

/** A table: the names of its columns, then a line for each row. */
export function csvOf<Row>(columns: Readonly<Record<string, (row: Row) => unknown>>, rows: readonly Row[]): string {
  const lines = [Object.keys(columns), ...rows.map((row) => Object.values(columns).map((show) => show(row)))];
  return lines.map((line) => `${line.map(cell).join(',')}\r\n`).join('');
}

/** Headers of a page of a table. `Link` leads to the next one (RFC 8288). */
export const csvHeaders = (path: string, query: object, next: string | null): Record<string, string> => {
  const given = Object.entries({ ...query, cursor: next }).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  return next === null ? {} : { link: `<${path}?${new URLSearchParams(given)}>; rel="next"` };
};
