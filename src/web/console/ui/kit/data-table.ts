import { html, nothing, type TemplateResult } from 'lit-html';
import { empty } from '../placeholders.ts';

/** A column: its name, what it shows of a row, and the classes of its cells. The first one names the row. */
export type Column<Row> = readonly [name: string, show: (row: Row) => unknown, kind?: string];

function cells<Row>(columns: readonly Column<Row>[], row: Row): TemplateResult[] {
  return columns.map(([name, show, kind], at) =>
    at === 0
      ? html`<th scope="row" class=${kind ?? nothing}>${show(row)}</th>`
      : html`<td data-label=${name} class=${kind ?? nothing}>${show(row)}</td>`,
  );
}

/** A table. On a phone each row is a card, whose values carry the names of their columns. @param none shown without rows */
export const dataTable = <Row>(
  rows: readonly Row[],
  none: string,
  columns: readonly Column<Row>[],
  kind = 'sheet',
): TemplateResult =>
  rows.length === 0
    ? empty(none)
    : html`<table class=${kind}>
        <thead><tr>${columns.map(([name]) => html`<th scope="col">${name}</th>`)}</tr></thead>
        <tbody>${rows.map((row) => html`<tr>${cells(columns, row)}</tr>`)}</tbody>
      </table>`;

/** Entries below each other. @param none shown without entries @param kind classes, such as `sheet people` or `inset` */
export const entryList = <Entry>(
  entries: readonly Entry[],
  none: string,
  show: (entry: Entry, at: number) => unknown,
  kind = 'sheet',
): TemplateResult => (entries.length === 0 ? empty(none) : html`<ul class="entries ${kind}">${entries.map(show)}</ul>`);
