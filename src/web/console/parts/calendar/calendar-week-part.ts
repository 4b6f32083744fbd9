import { html, type TemplateResult } from 'lit-html';
import { clockTime, shortDay } from '../../ui/format.ts';
import { entryList } from '../../ui/kit/data-table.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { type CalendarEvent, daysOf, statusBadge, whenOf } from './calendar-event-part.ts';
import { dayKey, plusDays, weekOf } from './day.ts';

/** The events of a week, a column for each day, and those that come as a list. */

/** All-day events first, then by their start. */
const byTime = (one: CalendarEvent, other: CalendarEvent): number =>
  Number(other.all_day) - Number(one.all_day) || Date.parse(one.start) - Date.parse(other.start);

const isOn = (event: CalendarEvent, key: string): boolean => {
  const { first, last } = daysOf(event);
  return first <= key && key <= last;
};

const inColumn = (workspace: Workspace, event: CalendarEvent, key: string): TemplateResult => html`
  <li>
    <a class=${`slot ${event.status}`} href=${workspace.link('calendar', 'event', event.id)}>
      <span class="figures">${event.all_day || daysOf(event).first < key ? 'All day' : clockTime(event.start)}</span>
      <span class="slot-name">${event.summary}</span>
      ${statusBadge(event)}
    </a>
  </li>`;

function column(workspace: Workspace, events: readonly CalendarEvent[], day: Date, today: string): TemplateResult {
  const key = dayKey(day);
  const shown = events.filter((event) => isOn(event, key)).sort(byTime);
  return html`
    <li class=${key === today ? 'day today' : 'day'}>
      <h2 class="day-name" aria-current=${key === today ? 'date' : 'false'}>${shortDay(key)}</h2>
      ${
        shown.length === 0
          ? html`<p class="fine none">Nothing</p>`
          : html`<ul>${shown.map((event) => inColumn(workspace, event, key))}</ul>`
      }
    </li>`;
}

/** @param monday the first day @param now milliseconds */
export function weekView(
  workspace: Workspace,
  events: readonly CalendarEvent[],
  monday: Date,
  now: number,
): TemplateResult {
  const days = weekOf(monday);
  const last = days[6] as Date;
  const at = (days: number): string => workspace.link('calendar', 'week', dayKey(plusDays(monday, days)));
  const today = dayKey(new Date(now));
  return html`
    <nav class="heading" aria-label="Week">
      <p class="week-name">${shortDay(dayKey(monday))} – ${shortDay(dayKey(last))}</p>
      <p class="actions">
        <a class="button quiet" href=${at(-7)} aria-label="Previous week">←</a>
        <a class="button quiet" href=${workspace.link('calendar')}>This week</a>
        <a class="button quiet" href=${at(7)} aria-label="Next week">→</a>
      </p>
    </nav>
    <ol class="week">${days.map((day) => column(workspace, events, day, today))}</ol>`;
}

export const listView = (workspace: Workspace, events: readonly CalendarEvent[]): TemplateResult =>
  entryList(
    events,
    'Nothing is coming up.',
    (event) => html`
      <li class="entry">
        <span class="entry-text">
          <a href=${workspace.link('calendar', 'event', event.id)}>${event.summary}</a>
          <span class="fine">${whenOf(event)}${event.location ? ` · ${event.location}` : ''}</span>
        </span>
        ${statusBadge(event)}
      </li>`,
    'sheet people',
  );
