import { html, nothing, type TemplateResult } from 'lit-html';
import type { GetCalendarEventReply, RespondToInvitationInput } from '../../../../client/generated/operations.ts';
import { clockTime, longDay } from '../../ui/format.ts';
import { onPress } from '../../ui/handlers.ts';
import { action, change } from '../../ui/kit/action.ts';
import { entryList } from '../../ui/kit/data-table.ts';
import { badge, type State, view } from '../../ui/kit/section.ts';
import { confirmed, toast } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { dayKey, dayOf, plusDays } from './day.ts';

/** One event: when and where it is, who comes, and the answer to its invitation. */

export type CalendarEvent = GetCalendarEventReply;

type Answer = RespondToInvitationInput['status'];

const ANSWERS = ['accepted', 'tentative', 'declined'] as const;

/** The first and the last day of an event, as `dayKey` returns them. The days of an all-day event have no time zone. */
export function daysOf({ start, end, all_day: isAllDay }: CalendarEvent): { first: string; last: string } {
  const [from, to] = [Date.parse(start), Math.max(Date.parse(end) - 1, Date.parse(start))];
  if (isAllDay)
    return { first: new Date(from).toISOString().slice(0, 10), last: new Date(to).toISOString().slice(0, 10) };
  return { first: dayKey(new Date(from)), last: dayKey(new Date(to)) };
}

/** When it is, in words: `Wed, 14 Jan 2026, 09:00 – 09:30`. */
export function whenOf(event: CalendarEvent): string {
  const { first, last } = daysOf(event);
  const days = first === last ? longDay(first) : `${longDay(first)} – ${longDay(last)}`;
  if (event.all_day) return days;
  const [from, to] = [clockTime(event.start), clockTime(event.end)];
  return first === last ? `${days}, ${from} – ${to}` : `${longDay(first)}, ${from} – ${longDay(last)}, ${to}`;
}

const STATUS: Readonly<Record<CalendarEvent['status'], State>> = {
  confirmed: ['Your event', ''],
  pending: ['Waiting for your answer', 'warn'],
  accepted: ['Accepted', 'good'],
  tentative: ['Maybe', 'warn'],
  declined: ['Declined', ''],
  cancelled: ['Cancelled', 'failed'],
};

export const statusBadge = ({ status }: CalendarEvent): TemplateResult | typeof nothing =>
  status === 'confirmed' ? nothing : badge(STATUS[status]);

/** Adds a day or takes one away from a key of a day. */
export const shifted = (key: string, days: number): string => dayKey(plusDays(dayOf(key) as Date, days));

async function remove(workspace: Workspace, { id, summary, attendees, status }: CalendarEvent): Promise<void> {
  const text =
    attendees.length > 0 && status === 'confirmed'
      ? 'Its attendees get a cancellation by mail.'
      : 'This cannot be undone.';
  if (!(await confirmed(`Delete “${summary}”?`, text, 'Delete'))) return;
  await workspace.service.deleteCalendarEvent({ id });
  toast('Deleted.');
  workspace.go(workspace.link('calendar'));
}

function answer(workspace: Workspace, { id, organizer }: CalendarEvent, status: Answer): Promise<void> {
  const work = () => workspace.service.respondToInvitation({ id, status });
  return change(workspace, work, `Your answer was sent to ${organizer ?? ''}.`);
}

const ANSWER_LABELS = { accepted: 'Accept', tentative: 'Maybe', declined: 'Decline' };

const answers = (workspace: Workspace, event: CalendarEvent): TemplateResult => html`
  <fieldset class="answers">
    <legend>Your answer</legend>
    <p class="actions">
      ${ANSWERS.map(
        (one) => html`
          <button type="button" class=${one === event.status ? 'button primary' : 'button'} aria-pressed=${one === event.status}
            @click=${onPress(() => answer(workspace, event, one))}>${ANSWER_LABELS[one]}</button>`,
      )}
    </p>
  </fieldset>`;

type Attendee = CalendarEvent['attendee_status'][number];

const ATTENDEE: Readonly<Record<Attendee['status'], State>> = {
  accepted: ['Accepted', 'good'],
  tentative: ['Maybe', 'warn'],
  declined: ['Declined', 'failed'],
  invited: ['No answer yet', 'warn'],
  held: ['Invitation held', 'warn'],
  not_invited: ['Not invited', 'failed'],
};

const attendee = ({ address, status, reason }: Attendee): TemplateResult => html`
  <li class="entry">
    <span class="mono">${address}</span>
    <span>${badge(ATTENDEE[status])} ${reason ? html`<code>${reason}</code>` : nothing}</span>
  </li>`;

const fact = (name: string, value: string | null): TemplateResult | typeof nothing =>
  value === null || value === '' ? nothing : html`<div><dt>${name}</dt><dd class="prose">${value}</dd></div>`;

/** @param mayWrite whether the credential may change the calendar */
export function eventView(workspace: Workspace, event: CalendarEvent, mayWrite: boolean): TemplateResult {
  const isInvitation = event.status !== 'confirmed';
  const known = [
    fact('Location', event.location),
    fact('Description', event.description),
    fact('Repeats', event.rrule),
    isInvitation ? fact('Invited by', event.organizer) : nothing,
  ];
  return view(
    event.summary,
    { back: ['Calendar', workspace.link('calendar')] },
    html`
      <p>${whenOf(event)} ${statusBadge(event)}</p>
      ${mayWrite && isInvitation && event.status !== 'cancelled' ? answers(workspace, event) : nothing}
      ${known.some((one) => one !== nothing) ? html`<dl class="details sheet">${known}</dl>` : nothing}
      ${event.attendee_status.length > 0 ? [html`<h2>Attendees</h2>`, entryList(event.attendee_status, '', attendee, 'sheet people')] : nothing}
      ${
        mayWrite
          ? html`<p class="actions">
              ${isInvitation ? nothing : html`<a class="button" href=${workspace.link('calendar', 'edit', event.id)}>Edit</a>`}
              ${action('Delete', () => remove(workspace, event), { kind: 'quiet' })}
            </p>`
          : nothing
      }`,
  );
}
