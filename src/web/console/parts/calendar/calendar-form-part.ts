import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { field, form, listIn, textIn } from '../../ui/kit/form.ts';
import { view } from '../../ui/kit/section.ts';
import { toast } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { type CalendarEvent, daysOf, shifted } from './calendar-event-part.ts';
import { minuteKey } from './day.ts';

/** The form of an event. A person reads the last day of an all-day event; the API takes the day after it. */

const HOUR_MS = 3_600_000;

/** What the fields of the times hold, whichever kind they are of. */
interface Times {
  isAllDay: boolean;
  start: string;
  end: string;
}

function timesOf(event: CalendarEvent): Times {
  if (event.all_day) {
    const { first, last } = daysOf(event);
    return { isAllDay: true, start: first, end: last };
  }
  return { isAllDay: false, start: minuteKey(new Date(event.start)), end: minuteKey(new Date(event.end)) };
}

/** From the next full hour on, for an hour. @param now milliseconds */
function newTimes(now: number): Times {
  const hour = now - (now % HOUR_MS) + HOUR_MS;
  return { isAllDay: false, start: minuteKey(new Date(hour)), end: minuteKey(new Date(hour + HOUR_MS)) };
}

/** Keeps the days when the kind of the fields changes. */
const asKind = ({ start, end }: Times, isAllDay: boolean): Times =>
  isAllDay
    ? { isAllDay, start: start.slice(0, 10), end: end.slice(0, 10) }
    : { isAllDay, start: `${start.slice(0, 10)}T09:00`, end: `${end.slice(0, 10)}T10:00` };

/** @throws when it ends before it starts */
function given({ isAllDay, start, end }: Times): { start: string; end: string } {
  if (end < start) throw new Error('The event ends before it starts.');
  if (isAllDay) return { start, end: shifted(end, 1) };
  return { start: new Date(start).toISOString(), end: new Date(end).toISOString() };
}

async function save(
  workspace: Workspace,
  form: HTMLFormElement,
  times: Times,
  event: CalendarEvent | null,
): Promise<void> {
  const attendees = listIn(form, 'attendees', /[\s,;]+/);
  const organizer = textIn(form, 'organizer');
  const wanted = {
    summary: textIn(form, 'summary'),
    ...given(times),
    location: textIn(form, 'location') || null,
    description: textIn(form, 'description') || null,
    attendees,
    ...(attendees.length > 0 && organizer !== '' ? { organizer } : {}),
  };

  const made = event
    ? await workspace.service.updateCalendarEvent({ id: event.id, ...wanted })
    : await workspace.service.createCalendarEvent(wanted);
  const isInviting = made.attendee_status.some(({ status }) => status === 'invited');
  toast(isInviting ? 'Invitations are on their way.' : event ? 'Saved.' : 'Created.');
  workspace.go(workspace.link('calendar', 'event', made.id));
}

function organizers({ account }: Workspace, event: CalendarEvent | null): TemplateResult | typeof nothing {
  if (account.addresses.length < 2) return nothing;

  return field(
    'organizer',
    'Invite from',
    html`<select id="organizer" name="organizer" class="mono">
      ${account.addresses.map((address) => html`<option ?selected=${address === event?.organizer}>${address}</option>`)}
    </select>`,
  );
}

/** @param event what is edited; null for a new one @param now milliseconds */
export function eventForm(workspace: Workspace, event: CalendarEvent | null, now: number): () => TemplateResult {
  let times = event ? timesOf(event) : newTimes(now);

  const back = event ? workspace.link('calendar', 'event', event.id) : workspace.link('calendar');
  const typed = (name: 'start' | 'end') => (input: Event) => {
    const { value } = input.target as HTMLInputElement;
    // Moving the start moves the end along, so that it need not be typed again.
    const end = name === 'start' && value > times.end ? value : times.end;
    times = name === 'start' ? { ...times, start: value, end } : { ...times, end: value };
    workspace.repaint();
  };
  const toggle = (input: Event): void => {
    times = asKind(times, (input.target as HTMLInputElement).checked);
    workspace.repaint();
  };
  const time = (name: 'start' | 'end', label: string): TemplateResult => {
    const kind = times.isAllDay ? 'date' : 'datetime-local';
    return field(
      name,
      label,
      html`<input id=${name} name=${name} type=${kind} required .value=${live(times[name])} @change=${typed(name)}>`,
    );
  };
  const fields = () => html`
    ${field('summary', 'Title', html`<input id="summary" name="summary" required maxlength="500" data-focus autocomplete="off" value=${event?.summary ?? ''}>`)}
    <div class="pair">
      ${time('start', times.isAllDay ? 'First day' : 'Starts')} ${time('end', times.isAllDay ? 'Last day' : 'Ends')}
    </div>
    <label class="check"><input type="checkbox" id="all-day" .checked=${times.isAllDay} @change=${toggle}> All day</label>
    ${field('location', 'Location', html`<input id="location" name="location" maxlength="500" autocomplete="off" value=${event?.location ?? ''}>`)}
    ${field('description', 'Description', html`<textarea id="description" name="description" rows="4" maxlength="10000">${event?.description ?? ''}</textarea>`)}
    ${field(
      'attendees',
      'Attendees',
      html`<input id="attendees" name="attendees" autocomplete="off" spellcheck="false" autocapitalize="none" aria-describedby="attendees-hint" value=${event?.attendees.join(', ') ?? ''}>`,
      'Email addresses, separated by commas. Each gets an invitation by mail, and every change.',
    )}
    ${organizers(workspace, event)}`;
  const submit = (of: HTMLFormElement): Promise<void> => save(workspace, of, times, event);
  const buttons = html`
    <button class="button primary">${event ? 'Save changes' : 'Create event'}</button>
    <a class="button" href=${back}>Cancel</a>`;
  return () =>
    view(
      event ? 'Edit event' : 'New event',
      { back: [event ? event.summary : 'Calendar', back] },
      form({ id: 'event', kind: 'sheet narrow' }, submit, fields(), buttons),
    );
}
