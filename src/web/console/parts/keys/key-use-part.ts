import { html, nothing, type TemplateResult } from 'lit-html';
import { systemNow } from '../../../../client/client-clock.ts';
import type { ListAccountKeysReply } from '../../../../client/generated/operations.ts';
import { count, counted, time } from '../../ui/format.ts';
import { type DayValue, dayBars, dayFeet, dayList, sparkline } from '../../ui/kit/day-chart.ts';
import { section } from '../../ui/kit/section.ts';

/** When a key was used, from where, and how often. */

export type Key = ListAccountKeysReply['keys'][number];

const DAYS = 30;
const DAY_MS = 86_400_000;
const HEIGHT = 90;

/** The calls of each of the last 30 UTC days, oldest first. */
function byDay({ days }: Key): DayValue[] {
  const known = new Map(days.map(({ day, requests }) => [day, requests]));
  return Array.from({ length: DAYS }, (_, i) => {
    const day = new Date(systemNow() - (DAYS - 1 - i) * DAY_MS).toISOString().slice(0, 10);
    return [day, known.get(day) ?? 0];
  });
}

const calls = (days: readonly DayValue[]): number => days.reduce((sum, [, value]) => sum + value, 0);

export function lastUse({ kind, last_used_at: at, last_used_from: from }: Key): TemplateResult | string {
  if (at === null) return kind === 'named' ? 'Never' : 'Not in 30 days';
  return html`${time(at)}${from === null ? nothing : html`<br><span class="mono fine">from ${from}</span>`}`;
}

/** In a table: a small chart, and when and from where it was used last. */
export function usage(key: Key): TemplateResult {
  const { kind, last_used_at: at, last_used_from: from } = key;
  const last =
    at === null
      ? kind === 'named'
        ? 'Never'
        : 'Not in 30 days'
      : html`${time(at, 'short')}${from === null ? nothing : html` from <span class="mono">${from}</span>`}`;
  const days = byDay(key);
  const text = counted(calls(days), 'call', 'calls');
  return html`<span class="use">${sparkline(
    days.map(([, value]) => value),
    `${text} in 30 days`,
  )} <span class="fine">${text}</span></span><br><span class="fine">${last}</span>`;
}

export function usageSection(key: Key): TemplateResult {
  const days = byDay(key);
  return section('key-use', 'Last 30 days', [
    html`
      <div class="usage">
        <p class="usage-label"><span id="key-calls">Calls with this key</span> <span class="figures">${count(calls(days))} in all</span></p>
        ${dayBars('key-calls', days, count, HEIGHT)} ${dayList(days, count)}
      </div>`,
    dayFeet(days),
  ]);
}
