import { html, svg, type TemplateResult } from 'lit-html';
import type { GetBudgetHistoryReply } from '../client/operations.ts';
import { fill, usdc } from './format.ts';
import { words } from './words.ts';

/** What was spent, by day and by category, and the same as a file. */

export type Charge = GetBudgetHistoryReply['entries'][number];

const DAYS_MAX = 30;
const WIDTH = 600;
const HEIGHT = 120;

/** Sums by what `keyOf` names, in the order in which the names first come. */
function sums(charges: readonly Charge[], keyOf: (charge: Charge) => string): [string, number][] {
  const found = new Map<string, number>();
  for (const charge of charges) found.set(keyOf(charge), (found.get(keyOf(charge)) ?? 0) + charge.amount_usdc);
  return [...found];
}

/** A bar for each day with charges. The table says the same to those who cannot see it. */
export function dayChart(charges: readonly Charge[]): TemplateResult {
  const days = sums(charges, ({ timestamp }) => timestamp.slice(0, 10))
    .slice(0, DAYS_MAX)
    .reverse();
  const most = Math.max(1, ...days.map(([, amount]) => amount));
  const step = WIDTH / Math.max(days.length, 7);
  return html`
    <section class="sheet" aria-labelledby="by-day">
      <h2 id="by-day">${words.money.byDay}</h2>
      <p class="fine">${fill(words.money.byDayWhy, { n: charges.length })}</p>
      <svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="by-day">
        ${days.map(([day, amount], i) => {
          const height = Math.max(2, (amount / most) * HEIGHT);
          return svg`<rect x=${i * step + 2} y=${HEIGHT - height} width=${step - 4} height=${height}><title>${day}: ${usdc(amount)}</title></rect>`;
        })}
      </svg>
      <ul class="visually-hidden">${days.map(([day, amount]) => html`<li>${day}: ${usdc(amount)}</li>`)}</ul>
    </section>`;
}

export const categoryList = (charges: readonly Charge[]): TemplateResult => html`
  <section class="sheet" aria-labelledby="by-category">
    <h2 id="by-category">${words.money.byCategory}</h2>
    <dl class="details">
      ${sums(charges, ({ category }) => category).map(([name, amount]) => html`<div><dt>${name}</dt><dd>${usdc(amount)}</dd></div>`)}
    </dl>
  </section>`;

/** Spreadsheets run what starts like a formula, so such a text gets a quote in front (OWASP, CSV injection). */
const cell = (value: string): string => `"${(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;

export const csv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');

/** The charges as CSV (RFC 4180), amounts in USDC. */
export const csvOf = (charges: readonly Charge[]): string =>
  csv([
    ['id', 'timestamp', 'amount_usdc', 'category', 'description', 'reference_id'],
    ...charges.map((one) => [
      one.id,
      one.timestamp,
      String(one.amount_usdc / 1_000_000),
      one.category,
      one.description,
      one.reference_id ?? '',
    ]),
  ]);
