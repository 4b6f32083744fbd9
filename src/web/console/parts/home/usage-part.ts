import { html, type TemplateResult } from 'lit-html';
import type { GetUsageDaysReply } from '../../../../client/generated/operations.ts';
import { count } from '../../ui/format.ts';
import { type DayValue, dayBars, dayFeet, dayList } from '../../ui/kit/day-chart.ts';
import { section } from '../../ui/kit/section.ts';

/** What an agent used in the last 30 days, a bar for each day. */

type Days = GetUsageDaysReply['days'];

const HEIGHT = 90;

function chart(id: string, label: string, days: readonly DayValue[]): TemplateResult {
  const all = days.reduce((sum, [, value]) => sum + value, 0);
  return html`
    <div class="usage">
      <p class="usage-label"><span id=${id}>${label}</span> <span class="figures">${count(all)} in all</span></p>
      ${dayBars(id, days, count, HEIGHT)} ${dayList(days, count)}
    </div>`;
}

export function usageChart(days: Days): TemplateResult {
  const requests = days.map((day): DayValue => [day.day, day.requests]);
  const emails = days.map((day): DayValue => [day.day, day.emails]);
  return section('usage-days', 'Last 30 days', [
    chart('requests-by-day', 'Requests', requests),
    chart('emails-by-day', 'Emails sent', emails),
    dayFeet(requests),
  ]);
}
