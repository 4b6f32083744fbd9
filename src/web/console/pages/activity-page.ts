import { html } from 'lit-html';
import { eventList, type LoggedEvent, summaryOf, titleOf } from '../parts/home/activity-part.ts';
import { hasCode } from '../ui/console-service.ts';
import { time } from '../ui/format.ts';
import { Pager } from '../ui/kit/pager.ts';
import { facts, section, view } from '../ui/kit/section.ts';
import { forgotten } from '../ui/placeholders.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

/** The event log of an agent, newest first and live; and one event at its own address. */

const PAGE = 50;
const INTRO = 'Events of the last 30 days, newest first. New ones appear as they happen.';

/** An event by its id, which is a cursor: what follows the event before it. Undefined: it is not kept. */
async function readOne({ service }: Workspace, id: string): Promise<LoggedEvent | undefined> {
  try {
    const [before] = (await service.listEvents({ order: 'desc', before: id, limit: 1 })).events;
    const [event] = (await service.listEvents({ after: before?.id, limit: 1 })).events;
    return event?.id === id ? event : undefined;
  } catch (err) {
    if (hasCode(err, 'invalid_cursor')) return;
    throw err;
  }
}

async function openOne(workspace: Workspace, id: string): Promise<View> {
  const event = await readOne(workspace, id);
  const back = ['Activity', workspace.link('activity')] as const;
  if (!event)
    return { render: () => forgotten('Events are kept for 30 days.', ['All activity', workspace.link('activity')]) };
  const { type, created_at: at, data } = event;
  return {
    render: () =>
      view(titleOf(type), { back, intro: summaryOf(data) }, [
        section('event', 'What happened', [
          facts([
            ['When', html`${time(at)}<br><span class="fine">${at}</span>`],
            ['Type', html`<span class="mono">${type}</span>`],
            ['Id', html`<span class="mono">${id}</span>`],
          ]),
          html`<h3>Data</h3><pre tabindex="0">${JSON.stringify(data, null, 2)}</pre>`,
        ]),
      ]),
  };
}

async function open(workspace: Workspace, [id]: readonly string[]): Promise<View> {
  if (id !== undefined) return openOne(workspace, id);
  const log = await Pager.open(workspace, async (before) => {
    const page = await workspace.service.listEvents({ order: 'desc', limit: PAGE, before });
    const { events, has_more: hasMore } = page;
    return { entries: events, next: hasMore ? (events.at(-1)?.id ?? null) : null };
  });
  return {
    render: () =>
      view(
        'Activity',
        { intro: INTRO, beside: html`<a class="button quiet" href=${workspace.link('outbox')}>All sent mail</a>` },
        [eventList(workspace, log.all), log.button()],
      ),
    onEvent(event) {
      if (log.all.some(({ id: known }) => known === event.id)) return;
      log.all = [{ ...event, data: { ...event.data } }, ...log.all];
      workspace.repaint();
    },
  };
}

export const activityPage: Page = { name: 'activity', title: 'Activity', scope: 'events:read', open };
