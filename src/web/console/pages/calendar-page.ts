import { html, nothing, type TemplateResult } from 'lit-html';
import { systemNow } from '../../../client/client-clock.ts';
import type { SignetEvent } from '../../../client/generated/operations.ts';
import { type CalendarEvent, eventView } from '../parts/calendar/calendar-event-part.ts';
import { eventForm } from '../parts/calendar/calendar-form-part.ts';
import { agendaView, weekView } from '../parts/calendar/calendar-week-part.ts';
import { dayOf, plusDays, weekStart } from '../parts/calendar/day.ts';
import { allOf } from '../ui/console-service.ts';
import { action } from '../ui/kit/action.ts';
import { Pager } from '../ui/kit/pager.ts';
import { section, tabs } from '../ui/kit/section.ts';
import { confirmed, copy, toast } from '../ui/toast.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

/** The calendar of an agent: a week, the agenda, one event, and the link for calendar apps. */

const PAGE = 50;
const MOST = 200;

/** The link that is shown: only after the person asked for it, because it needs no key. */
let feed: { account: string; url: string } | null = null;

const mayWrite = ({ account }: Workspace): boolean => account.scopes.includes('calendar:write');

async function showFeed(workspace: Workspace): Promise<void> {
  feed = { account: workspace.account.id, url: (await workspace.service.getCalendarFeed({})).feed_url };
  workspace.repaint();
}

async function replaceFeed(workspace: Workspace): Promise<void> {
  const text = 'Calendar apps that use the current link stop getting events.';
  if (!(await confirmed('Replace the link?', text, 'Replace the link'))) return;
  feed = { account: workspace.account.id, url: (await workspace.service.rotateCalendarFeed({})).feed_url };
  toast('Replaced. Subscribe again with the new link.');
  workspace.repaint();
}

function feedPart(workspace: Workspace): TemplateResult {
  const url = feed?.account === workspace.account.id ? feed.url : null;
  return section(
    'feed',
    'Subscribe',
    html`
      <p class="fine">Calendar apps can show this calendar. Anyone with the link can read it, without a key.</p>
      ${url === null ? nothing : html`<code class="secret" id="feed-link" tabindex="0">${url}</code>`}
      <p class="actions">
        ${
          url === null
            ? action('Show the link', () => showFeed(workspace))
            : action('Copy the link', () => copy(url, document.getElementById('feed-link')))
        }
        ${mayWrite(workspace) ? action('Replace the link', () => replaceFeed(workspace)) : nothing}
      </p>`,
  );
}

function head(workspace: Workspace, shown: 'week' | 'agenda'): TemplateResult {
  return html`
    <div class="heading">
      <h1>Calendar</h1>
      ${mayWrite(workspace) ? html`<a class="button primary" href=${workspace.link('calendar', 'new')}>New event</a>` : nothing}
    </div>
    ${tabs('View', [
      ['Week', workspace.link('calendar'), shown === 'week'],
      ['Agenda', workspace.link('calendar', 'agenda'), shown === 'agenda'],
    ])}`;
}

/**
 * Reads again when an event of the calendar changed: by the agent, an attendee or an organizer. Not the whole page: by
 * then it may show a form.
 */
const onChange = (workspace: Workspace, again: () => Promise<void>) => async (event: SignetEvent) => {
  if (event.type !== 'calendar.updated') return;
  await again();
  workspace.repaint();
};

async function openWeek(workspace: Workspace, key: string | undefined): Promise<View> {
  const monday = weekStart(dayOf(key ?? '') ?? new Date(systemNow()));
  // A day more on each side: the days of an all-day event are those of UTC.
  const [from, to] = [plusDays(monday, -1).toISOString(), plusDays(monday, 8).toISOString()];
  const read = () => allOf(workspace.service.paginate('listCalendarEvents', { from, to, limit: MOST }));
  let events = await read();
  return {
    render: () => html`
      <div class="view wide">
        ${head(workspace, 'week')} ${weekView(workspace, events, monday, systemNow())} ${feedPart(workspace)}
      </div>`,
    onEvent: onChange(workspace, async () => {
      events = await read();
    }),
  };
}

async function openAgenda(workspace: Workspace): Promise<View> {
  const from = new Date(systemNow()).toISOString();
  const coming = await Pager.open(workspace, async (cursor) => {
    const { events, next_cursor: next } = await workspace.service.listCalendarEvents({ from, limit: PAGE, cursor });
    return { entries: events, next };
  });
  return {
    render: () => html`
      <div class="view">
        ${head(workspace, 'agenda')} ${agendaView(workspace, coming.all, systemNow())} ${coming.button('Show later')} ${feedPart(workspace)}
      </div>`,
    onEvent: onChange(workspace, () => coming.reread()),
  };
}

async function openEvent(workspace: Workspace, id: string): Promise<View> {
  const read = () => workspace.service.getCalendarEvent({ id });
  let event: CalendarEvent = await read();
  const again = async (): Promise<void> => {
    event = await read();
  };
  return { render: () => eventView(workspace, event, mayWrite(workspace)), onEvent: onChange(workspace, again) };
}

async function openForm(workspace: Workspace, id: string | null): Promise<View> {
  const event = id === null ? null : await workspace.service.getCalendarEvent({ id });
  return { render: eventForm(workspace, event, systemNow()) };
}

async function open(workspace: Workspace, [kind, what]: readonly string[]): Promise<View> {
  if (kind === 'agenda') return openAgenda(workspace);
  if (kind === 'new') return openForm(workspace, null);
  if (kind === 'edit' && what !== undefined) return openForm(workspace, what);
  if (kind === 'event' && what !== undefined) return openEvent(workspace, what);
  return openWeek(workspace, what);
}

export const calendarPage: Page = { name: 'calendar', title: 'Calendar', scope: 'calendar:read', open };
