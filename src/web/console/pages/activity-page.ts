import { eventList } from '../parts/home/activity-part.ts';
import { Pager } from '../ui/kit/pager.ts';
import { view } from '../ui/kit/section.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

/** The event log of an agent, newest first and live. */

const PAGE = 50;
const INTRO = 'Events of the last 30 days, newest first. New ones appear as they happen.';

async function open(workspace: Workspace): Promise<View> {
  const log = await Pager.open(workspace, async (before) => {
    const page = await workspace.service.listEvents({ order: 'desc', limit: PAGE, before });
    const { events, has_more: hasMore } = page;
    return { entries: events, next: hasMore ? (events.at(-1)?.id ?? null) : null };
  });
  return {
    render: () => view('Activity', { intro: INTRO }, [eventList(log.all), log.button()]),
    onEvent(event) {
      if (log.all.some(({ id }) => id === event.id)) return;
      log.all = [{ ...event, data: { ...event.data } }, ...log.all];
      workspace.repaint();
    },
  };
}

export const activityPage: Page = { name: 'activity', title: 'Activity', scope: 'events:read', open };
