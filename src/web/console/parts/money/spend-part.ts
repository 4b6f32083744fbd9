import { html, svg, type TemplateResult } from 'lit-html';
import { systemNow } from '../../../../client/client-clock.ts';
import type { GetBudgetHistoryReply } from '../../../../client/generated/operations.ts';
import { fullTime, shortDay, usdc } from '../../ui/format.ts';

/** What was spent, by day and by category, and the same as a file. */

export type Charge = GetBudgetHistoryReply['entries'][number];

const DAYS = 30;
const DAY_MS = 86_400_000;
const WIDTH = 600;
const HEIGHT = 120;

/** The last days with what was spent on each, oldest first. UTC, as caps count. */
function lastDays(charges: readonly Charge[]): [string, number][] {
  const found = new Map<string, number>();
  for (let i = DAYS - 1; i >= 0; i--) found.set(new Date(systemNow() - i * DAY_MS).toISOString().slice(0, 10), 0);
  for (const { timestamp, amount_usdc: amount } of charges) {
    const day = timestamp.slice(0, 10);
    const sum = found.get(day);
    if (sum !== undefined) found.set(day, sum + amount);
  }
  return [...found];
}

interface Shown {
  category: string;
  charges: readonly Charge[];
  next: string | null;
}

/** What the chart leaves out: charges that are not loaded yet. */
function reach({ charges, next }: Shown, first: string): string {
  const oldest = charges.at(-1)?.timestamp ?? '';
  return next === null || oldest.slice(0, 10) < first
    ? `Of the last ${DAYS} days (UTC).`
    : `Of the ${charges.length} latest charges, since ${fullTime(oldest)}. Show older charges to see more.`;
}

/** A bar for each of the last days. The list says the same to those who cannot see it. */
export function dayChart(shown: Shown): TemplateResult {
  const days = lastDays(shown.charges);
  const [[first] = ['']] = days;
  const most = Math.max(1, ...days.map(([, amount]) => amount));
  const step = WIDTH / DAYS;
  return html`
    <section class="sheet" aria-labelledby="by-day">
      <h2 id="by-day">Spent by day${shown.category === '' ? '' : `: ${shown.category}`}</h2>
      <p class="fine" id="by-day-reach">${reach(shown, first)}</p>
      <svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="by-day">
        ${days.map(([day, amount], i) => {
          const height = amount === 0 ? 0 : Math.max(2, (amount / most) * HEIGHT);
          return svg`<rect x=${i * step + 1} y=${HEIGHT - height} width=${step - 2} height=${height}><title>${shortDay(day)}: ${usdc(amount)}</title></rect>`;
        })}
      </svg>
      <p class="chart-feet fine"><span>${shortDay(first)}</span> <span>Today</span></p>
      <details class="fine"><summary>By day</summary>
        <ul class="plain">${days.filter(([, amount]) => amount > 0).map(([day, amount]) => html`<li>${shortDay(day)}: ${usdc(amount)}</li>`)}</ul>
      </details>
    </section>`;
}

/** @param totals atomic USDC of all charges, by category */
export function categoryList(totals: Readonly<Record<string, number>>): TemplateResult {
  const rows = Object.entries(totals).sort(([, a], [, b]) => b - a);
  const all = rows.reduce((sum, [, amount]) => sum + amount, 0);
  return html`
    <section class="sheet" aria-labelledby="by-category">
      <h2 id="by-category">Spent by category</h2>
      ${rows.map(
        ([name, amount], i) => html`
          <div class="usage">
            <p class="usage-label"><span id="category-${i}">${name}</span> <span class="figures">${usdc(amount)}</span></p>
            <progress max=${Math.max(all, 1)} value=${amount} aria-labelledby="category-${i}"></progress>
          </div>`,
      )}
    </section>`;
}

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
