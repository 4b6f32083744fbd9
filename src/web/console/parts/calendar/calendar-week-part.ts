import { html, nothing, type TemplateResult } from 'lit-html';
import { clockTime, longDay, shortDay } from '../../ui/format.ts';
import { entryList } from '../../ui/kit/data-table.ts';
import { empty } from '../../ui/placeholders.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { type CalendarEvent, daysOf, statusBadge, whenOf } from './calendar-event-part.ts';
import { dayKey, plusDays, weekOf } from './day.ts';
import { hoursOf, type Placed, placedOn, wholeDay } from './day-hours.ts';

/** The events of a week between its hours, and those that come, day by day. */

const link = (workspace: Workspace, event: CalendarEvent): string => workspace.link('calendar', 'event', event.id);

const inWhole = (workspace: Workspace, event: CalendarEvent): TemplateResult => html`
  <li>
    <a class=${`slot ${event.status}`} href=${link(workspace, event)}>
      <span class="figures">All day</span> <span class="slot-name">${event.summary}</span> ${statusBadge(event)}
    </a>
  </li>`;

/** Its place is set through the object model: the policy of the page allows no style in the document. */
const inHours = (
  workspace: Workspace,
  { event, from, to, lane, lanes }: Placed,
  firstHour: number,
): TemplateResult => html`
  <li class="timed" .style=${`--from: ${from / 60 - firstHour}; --long: ${(to - from) / 60}; --lane: ${lane}; --lanes: ${lanes}`}>
    <a class=${`slot ${event.status}`} href=${link(workspace, event)} title=${`${whenOf(event)}: ${event.summary}`}>
      <span class="slot-name">${event.summary}</span>
      <span class="figures">${clockTime(event.start)} – ${clockTime(event.end)}</span> ${statusBadge(event)}
    </a>
  </li>`;

interface Day {
  key: string;
  whole: CalendarEvent[];
  placed: Placed[];
}

function column(workspace: Workspace, { key, whole, placed }: Day, firstHour: number, now: Date): TemplateResult {
  const isToday = key === dayKey(now);
  return html`
    <li class=${isToday ? 'day today' : 'day'}>
      <h2 class="day-name" aria-current=${isToday ? 'date' : nothing}>${shortDay(key)}</h2>
      <ul class="whole">${whole.map((event) => inWhole(workspace, event))}</ul>
      <ul class="hours">
        ${placed.map((one) => inHours(workspace, one, firstHour))}
        ${isToday ? html`<li class="now" aria-hidden="true" .style=${`--from: ${now.getHours() + now.getMinutes() / 60 - firstHour}`}></li>` : nothing}
      </ul>
      ${whole.length + placed.length === 0 ? html`<p class="fine none">Nothing</p>` : nothing}
    </li>`;
}

const axis = (from: number, to: number): TemplateResult => html`
  <li class="axis" aria-hidden="true">
    ${Array.from({ length: to - from }, (_, i) => html`<span>${clockTime(new Date(2000, 0, 1, from + i).toISOString())}</span>`)}
  </li>`;

/** @param monday the first day @param now milliseconds */
export function weekView(
  workspace: Workspace,
  events: readonly CalendarEvent[],
  monday: Date,
  now: number,
): TemplateResult {
  const days = weekOf(monday).map((day): Day => {
    const key = dayKey(day);
    return { key, whole: wholeDay(events, key), placed: placedOn(events, key) };
  });
  const { from, to } = hoursOf(days.flatMap(({ placed }) => placed));
  const at = (days: number): string => workspace.link('calendar', 'week', dayKey(plusDays(monday, days)));
  return html`
    <nav class="heading" aria-label="Week">
      <p class="week-name">${shortDay(dayKey(monday))} – ${shortDay(dayKey(plusDays(monday, 6)))}</p>
      <p class="actions">
        <a class="button quiet" href=${at(-7)} aria-label="Previous week">←</a>
        <a class="button quiet" href=${workspace.link('calendar')}>This week</a>
        <a class="button quiet" href=${at(7)} aria-label="Next week">→</a>
      </p>
    </nav>
    <ol class="week" .style=${`--hours: ${to - from}`}>
      ${axis(from, to)} ${days.map((day) => column(workspace, day, from, new Date(now)))}
    </ol>`;
}

const clockOf = (event: CalendarEvent): string =>
  event.all_day ? 'All day' : `${clockTime(event.start)} – ${clockTime(event.end)}`;

/** The events that come, below the day on which each starts. */
export function agendaView(workspace: Workspace, events: readonly CalendarEvent[], now: number): TemplateResult {
  if (events.length === 0) return empty('Nothing is coming up.');
  const today = dayKey(new Date(now));
  const byDay = Map.groupBy(events, (event) => {
    const { first } = daysOf(event);
    // What has begun is on today's list.
    return first < today ? today : first;
  });
  const entry = (event: CalendarEvent): TemplateResult => {
    const { first, last } = daysOf(event);
    return html`
      <li class="entry">
        <span class="figures">${first === last ? clockOf(event) : `until ${shortDay(last)}`}</span>
        <span class="entry-text">
          <a href=${link(workspace, event)}>${event.summary}</a>
          ${event.location ? html`<span class="fine">${event.location}</span>` : nothing}
        </span>
        ${statusBadge(event)}
      </li>`;
  };
  return html`${[...byDay].map(
    ([key, some]) => html`
      <section class="agenda">
        <h2 class=${key === today ? 'today' : nothing}>${key === today ? `Today, ${shortDay(key)}` : longDay(key)}</h2>
        ${entryList(some, '', entry)}
      </section>`,
  )}`;
}
