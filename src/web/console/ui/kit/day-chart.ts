import { html, svg, type TemplateResult } from 'lit-html';
import { shortDay } from '../format.ts';

/** What there was on each of some days, oldest first: a bar for each day, and a list that says the same in words. */

export type DayValue = readonly [day: string, value: number];

const WIDTH = 600;

/** @param id of what names the chart @param height of the highest bar */
export function dayBars(
  id: string,
  days: readonly DayValue[],
  show: (value: number) => string,
  height: number,
): TemplateResult {
  const most = Math.max(1, ...days.map(([, value]) => value));
  const step = WIDTH / Math.max(days.length, 1);
  const bar = ([day, value]: DayValue, i: number) => {
    const high = value === 0 ? 0 : Math.max(2, (value / most) * height);
    return svg`<rect x=${i * step + 1} y=${height - high} width=${step - 2} height=${high}><title>${shortDay(day)}: ${show(value)}</title></rect>`;
  };
  return html`
    <svg class="chart" viewBox="0 0 ${WIDTH} ${height}" preserveAspectRatio="none" role="img" aria-labelledby=${id}>${days.map(bar)}</svg>`;
}

export const dayList = (days: readonly DayValue[], show: (value: number) => string): TemplateResult => html`
  <details class="fine"><summary>By day</summary>
    <ul class="plain">${days.filter(([, value]) => value > 0).map(([day, value]) => html`<li>${shortDay(day)}: ${show(value)}</li>`)}</ul>
  </details>`;

/** The first and the last day, below the bars. */
export const dayFeet = ([first]: readonly DayValue[]): TemplateResult =>
  html`<p class="chart-feet fine"><span>${first ? shortDay(first[0]) : ''}</span> <span>Today</span></p>`;
