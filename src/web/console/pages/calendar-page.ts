import { html, nothing, type TemplateResult } from 'lit-html';
import { systemNow } from '../../../client/client-clock.ts';
import type { SignetEvent } from '../../../client/generated/methods.ts';
import { type CalendarEvent, eventView } from '../parts/calendar/calendar-event-part.ts';
import { eventForm } from '../parts/calendar/calendar-form-part.ts';
import { listView, weekView } from '../parts/calendar/calendar-week-part.ts';
import { dayOf, plusDays, weekStart } from '../parts/calendar/day.ts';
import { allOf } from '../ui/console-service.ts';
import { pressing } from '../ui/handlers.ts';
import { confirmed, copy, say } from '../ui/toast.ts';
import type { Desk, Page, View } from '../ui/workspace.ts';

/** The calendar of an agent: by week, as a list, one event, and the link for calendar apps. */

const PAGE = 50;
const MOST = 200;

/** The link that is shown: only after the person asked for it, because it needs no key. */
let feed: { account: string; url: string } | null = null;

const mayWrite = ({ account }: Desk): boolean => account.scopes.includes('calendar:write');

async function showFeed(desk: Desk): Promise<void> {
  feed = { account: desk.account.id, url: (await desk.service.getCalendarFeed({})).feed_url };
  desk.repaint();
}

async function replaceFeed(desk: Desk): Promise<void> {
  if (
    !(await confirmed({
      title: 'Replace the link?',
      text: 'Calendar apps that use the current link stop getting events.',
      action: 'Replace the link',
    }))
  )
    return;
  feed = { account: desk.account.id, url: (await desk.service.rotateCalendarFeed({})).feed_url };
  say('Replaced. Subscribe again with the new link.');
  desk.repaint();
}

function feedPart(desk: Desk): TemplateResult {
  const url = feed?.account === desk.account.id ? feed.url : null;
  const button = (label: string, work: () => Promise<void>): TemplateResult =>
    html`<button type="button" class="button" @click=${pressing(work)}>${label}</button>`;
  return html`
    <section class="sheet" aria-labelledby="feed">
      <h2 id="feed">Subscribe</h2>
      <p class="fine">Calendar apps can show this calendar. Anyone with the link can read it, without a key.</p>
      ${url === null ? nothing : html`<code class="secret" id="feed-link" tabindex="0">${url}</code>`}
      <p class="actions">
        ${
          url === null
            ? button('Show the link', () => showFeed(desk))
            : button('Copy the link', () => copy(url, document.getElementById('feed-link')))
        }
        ${mayWrite(desk) ? button('Replace the link', () => replaceFeed(desk)) : nothing}
      </p>
    </section>`;
}

const VIEWS = { week: 'Week', list: 'Upcoming' };

function head(desk: Desk, shown: 'week' | 'list'): TemplateResult {
  const links = { week: desk.link('calendar'), list: desk.link('calendar', 'list') };
  return html`
    <div class="heading">
      <h1>Calendar</h1>
      ${mayWrite(desk) ? html`<a class="button primary" href=${desk.link('calendar', 'new')}>New event</a>` : nothing}
    </div>
    <nav class="folders" aria-label="View">
      ${(['week', 'list'] as const).map((one) => html`<a href=${links[one]} aria-current=${one === shown ? 'page' : nothing}>${VIEWS[one]}</a>`)}
    </nav>`;
}

/**
 * Reads again when an event of the calendar changed: by the agent, an attendee or an organizer. Not the whole page: by
 * then it may show a form.
 */
const onChange = (desk: Desk, again: () => Promise<void>) => async (event: SignetEvent) => {
  if (event.type !== 'calendar.updated') return;
  await again();
  desk.repaint();
};

async function openWeek(desk: Desk, key: string | undefined): Promise<View> {
  const monday = weekStart(dayOf(key ?? '') ?? new Date(systemNow()));
  // A day more on each side: the days of an all-day event are those of UTC.
  const [from, to] = [plusDays(monday, -1).toISOString(), plusDays(monday, 8).toISOString()];
  const read = () => allOf(desk.service.paginate('listCalendarEvents', { from, to, limit: MOST }));
  let events = await read();
  return {
    render: () => html`
      <div class="view wide">
        ${head(desk, 'week')} ${weekView(desk, events, monday, systemNow())} ${feedPart(desk)}
      </div>`,
    onEvent: onChange(desk, async () => {
      events = await read();
    }),
  };
}

async function openList(desk: Desk): Promise<View> {
  const from = new Date(systemNow()).toISOString();
  const first = () => desk.service.listCalendarEvents({ from, limit: PAGE });
  let { events, next_cursor: cursor } = await first();
  const more = pressing(async () => {
    if (cursor === null) return;
    const page = await desk.service.listCalendarEvents({ from, limit: PAGE, cursor });
    [events, cursor] = [[...events, ...page.events], page.next_cursor];
    desk.repaint();
  });
  const button = (): TemplateResult | null =>
    cursor === null ? null : html`<button type="button" class="button" @click=${more}>Show later</button>`;
  return {
    render: () =>
      html`<div class="view">${head(desk, 'list')} ${listView(desk, events, button())} ${feedPart(desk)}</div>`,
    onEvent: onChange(desk, async () => {
      const page = await first();
      [events, cursor] = [page.events, page.next_cursor];
    }),
  };
}

async function openEvent(desk: Desk, id: string): Promise<View> {
  const read = () => desk.service.getCalendarEvent({ id });
  let event: CalendarEvent = await read();
  const again = async (): Promise<void> => {
    event = await read();
  };
  return { render: () => eventView(desk, event, mayWrite(desk)), onEvent: onChange(desk, again) };
}

async function openForm(desk: Desk, id: string | null): Promise<View> {
  const event = id === null ? null : await desk.service.getCalendarEvent({ id });
  return { render: eventForm(desk, event, systemNow()) };
}

async function open(desk: Desk, [kind, what]: readonly string[]): Promise<View> {
  if (kind === 'list') return openList(desk);
  if (kind === 'new') return openForm(desk, null);
  if (kind === 'edit' && what !== undefined) return openForm(desk, what);
  if (kind === 'event' && what !== undefined) return openEvent(desk, what);
  return openWeek(desk, what);
}

export const calendarPage: Page = { name: 'calendar', title: 'Calendar', scope: 'calendar:read', open };
