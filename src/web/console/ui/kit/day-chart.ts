import { html, nothing, svg, type TemplateResult } from 'lit-html';
import { shortDay } from '../format.ts';

/** What there was on each of some days, oldest first: a bar for each day, and a list that says the same in words. */

/** `bad`: how much of it went wrong. */
export type DayValue = readonly [day: string, value: number, bad?: number];

const WIDTH = 600;
const SPARK_STEP = 3;
const SPARK_HEIGHT = 18;

/** @param id of what names the chart @param height of the highest bar */
export function dayBars(
  id: string,
  days: readonly DayValue[],
  show: (value: number) => string,
  height: number,
): TemplateResult {
  const most = Math.max(1, ...days.map(([, value]) => value));
  const step = WIDTH / Math.max(days.length, 1);
  const heightOf = (value: number): number => (value === 0 ? 0 : Math.max(2, (value / most) * height));
  const bar = ([day, value, bad = 0]: DayValue, i: number) => {
    const high = heightOf(value);
    const low = Math.min(heightOf(bad), high);
    const text = `${shortDay(day)}: ${show(value)}${bad === 0 ? '' : `, ${show(bad)} failed`}`;
    return svg`<rect x=${i * step + 1} y=${height - high} width=${step - 2} height=${high}><title>${text}</title></rect>
      ${low === 0 ? nothing : svg`<rect class="failed" x=${i * step + 1} y=${height - low} width=${step - 2} height=${low}><title>${text}</title></rect>`}`;
  };
  return html`
    <svg class="chart" viewBox="0 0 ${WIDTH} ${height}" preserveAspectRatio="none" role="img" aria-labelledby=${id}>${days.map(bar)}</svg>`;
}

/** A chart in a line of text. @param label says the same in words */
export function sparkline(values: readonly number[], label: string): TemplateResult {
  const most = Math.max(1, ...values);
  const bar = (value: number, i: number) => {
    const high = value === 0 ? 1 : Math.max(3, (value / most) * SPARK_HEIGHT);
    return svg`<rect class=${value === 0 ? 'none' : ''} x=${i * SPARK_STEP} y=${SPARK_HEIGHT - high} width=${SPARK_STEP - 1} height=${high}></rect>`;
  };
  const width = values.length * SPARK_STEP;
  return html`
    <svg class="spark" width=${width} height=${SPARK_HEIGHT} viewBox="0 0 ${width} ${SPARK_HEIGHT}" role="img" aria-label=${label}>${values.map(bar)}</svg>`;
}

export const dayList = (days: readonly DayValue[], show: (value: number) => string): TemplateResult => html`
  <details class="fine"><summary>By day</summary>
    <ul class="plain">${days.filter(([, value]) => value > 0).map(([day, value, bad = 0]) => html`<li>${shortDay(day)}: ${show(value)}${bad === 0 ? nothing : `, ${show(bad)} failed`}</li>`)}</ul>
  </details>`;

/** The first and the last day, below the bars. */
export const dayFeet = ([first]: readonly DayValue[]): TemplateResult =>
  html`<p class="chart-feet fine"><span>${first ? shortDay(first[0]) : ''}</span> <span>Today</span></p>`;
