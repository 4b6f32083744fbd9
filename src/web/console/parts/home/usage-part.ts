import { html, svg, type TemplateResult } from 'lit-html';
import type { GetUsageDaysReply } from '../../../../client/generated/operations.ts';
import { count, shortDay } from '../../ui/format.ts';

/** What an agent used in the last 30 days, a bar for each day. */

type Days = GetUsageDaysReply['days'];

const WIDTH = 600;
const HEIGHT = 90;

function bars(id: string, days: Days, of: (day: Days[number]) => number): TemplateResult {
  const most = Math.max(1, ...days.map(of));
  const step = WIDTH / Math.max(days.length, 1);
  return html`
    <svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-labelledby=${id}>
      ${days.map((day, i) => {
        const value = of(day);
        const height = value === 0 ? 0 : Math.max(2, (value / most) * HEIGHT);
        return svg`<rect x=${i * step + 1} y=${HEIGHT - height} width=${step - 2} height=${height}><title>${shortDay(day.day)}: ${count(value)}</title></rect>`;
      })}
    </svg>`;
}

function chart(id: string, label: string, days: Days, of: (day: Days[number]) => number): TemplateResult {
  return html`
    <div class="usage">
      <p class="usage-label"><span id=${id}>${label}</span> <span class="figures">${count(days.reduce((sum, day) => sum + of(day), 0))} in all</span></p>
      ${bars(id, days, of)}
      <details class="fine"><summary>By day</summary>
        <ul class="plain">${days.filter((day) => of(day) > 0).map((day) => html`<li>${shortDay(day.day)}: ${count(of(day))}</li>`)}</ul>
      </details>
    </div>`;
}

export const usageChart = (days: Days): TemplateResult => html`
  <section class="sheet" aria-labelledby="usage-days">
    <h2 id="usage-days">Last 30 days</h2>
    ${chart('requests-by-day', 'Requests', days, ({ requests }) => requests)}
    ${chart('emails-by-day', 'Emails sent', days, ({ emails }) => emails)}
    <p class="chart-feet fine"><span>${days[0] ? shortDay(days[0].day) : ''}</span> <span>Today</span></p>
  </section>`;
