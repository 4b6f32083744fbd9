import { preferredType } from '../base/negotiation.ts';

/** Lists as tables (RFC 4180), for spreadsheets. */

export const wantsCsv = (accept: string | undefined): boolean =>
  preferredType(accept, ['application/json', 'text/csv']) === 'text/csv';

/**
 * Where a spreadsheet would run a cell, also behind what it leaves out. Those that split a line at `;` or a tab begin a cell
 * there and at the end of a line, whatever is quoted.
 */
const FORMULA = /(?<=(?:^|[;\t\r\n])[\s\p{C}"]*)[=+\-@\uff1d\uff0b\uff0d\uff20]/gu;

/** Others wrote some of it: an apostrophe makes a formula text. */
function cell(value: unknown): string {
  const text =
    value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  const safe = typeof value === 'number' ? text : text.replace(FORMULA, "'$&");
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
