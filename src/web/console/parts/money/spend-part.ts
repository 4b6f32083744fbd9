import { html, type TemplateResult } from 'lit-html';
import { systemNow } from '../../../../client/client-clock.ts';
import type { GetBudgetHistoryReply } from '../../../../client/generated/operations.ts';
import { fullTime, usdc } from '../../ui/format.ts';
import { type DayValue, dayBars, dayFeet, dayList } from '../../ui/kit/day-chart.ts';
import { section } from '../../ui/kit/section.ts';

/** What was spent, by day and by category, and the same as a file. */

export type Charge = GetBudgetHistoryReply['entries'][number];

const DAYS = 30;
const DAY_MS = 86_400_000;
const HEIGHT = 120;

/** The last days with what was spent on each, oldest first. UTC, as caps count. */
function lastDays(charges: readonly Charge[]): DayValue[] {
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
  return section('by-day', `Spent by day${shown.category === '' ? '' : `: ${shown.category}`}`, [
    html`<p class="fine" id="by-day-reach">${reach(shown, first)}</p>`,
    dayBars('by-day', days, usdc, HEIGHT),
    dayFeet(days),
    dayList(days, usdc),
  ]);
}

/** @param totals atomic USDC of all charges, by category */
export function categoryList(totals: Readonly<Record<string, number>>): TemplateResult {
  const rows = Object.entries(totals).sort(([, a], [, b]) => b - a);
  const all = rows.reduce((sum, [, amount]) => sum + amount, 0);
  const row = ([name, amount]: [string, number], i: number) => html`
    <div class="usage">
      <p class="usage-label"><span id="category-${i}">${name}</span> <span class="figures">${usdc(amount)}</span></p>
      <progress max=${Math.max(all, 1)} value=${amount} aria-labelledby="category-${i}"></progress>
    </div>`;
  return section('by-category', 'Spent by category', rows.map(row));
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
