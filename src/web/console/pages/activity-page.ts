import { html, nothing } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { eventRow } from '../parts/home/activity-part.ts';
import { onPress } from '../ui/handlers.ts';
import { empty } from '../ui/placeholders.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

/** The event log of an agent, newest first and live. */

const PAGE = 50;

async function open(workspace: Workspace): Promise<View> {
  const first = await workspace.service.listEvents({ order: 'desc', limit: PAGE });
  let events = first.events;
  let hasMore = first.has_more;
  const more = onPress(async () => {
    const before = events.at(-1)?.id;
    if (before === undefined) return;
    const page = await workspace.service.listEvents({ order: 'desc', limit: PAGE, before });
    [events, hasMore] = [[...events, ...page.events], page.has_more];
    workspace.repaint();
  });
  return {
    render: () => html`
      <div class="view">
        <h1>Activity</h1>
        <p class="intro">Events of the last 30 days, newest first. New ones appear as they happen.</p>
        ${events.length === 0 ? empty('No events yet.') : html`<ol class="entries sheet" reversed>${repeat(events, ({ id }) => id, eventRow)}</ol>`}
        ${hasMore ? html`<button type="button" class="button" @click=${more}>Show older</button>` : nothing}
      </div>`,
    onEvent(event) {
      if (events.some(({ id }) => id === event.id)) return;
      events = [{ ...event, data: { ...event.data } }, ...events];
      workspace.repaint();
    },
  };
}

export const activityPage: Page = { name: 'activity', title: 'Activity', scope: 'events:read', open };
