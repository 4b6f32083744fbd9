import { type CalendarEvent, daysOf } from './calendar-event-part.ts';
import { dayKey } from './day.ts';

/** Where the events of a day stand between its hours. */

export interface Placed {
  event: CalendarEvent;
  /** Minutes since midnight. */
  from: number;
  to: number;
  /** Events at the same time stand beside each other. */
  lane: number;
  lanes: number;
}

const DAY_MINUTES = 1440;
/** A shorter event is drawn as long as this, so that its title can be read. */
const SHORTEST = 30;
/** The hours that a week shows in any case. */
const WORKDAY = { from: 8, to: 18 } as const;

/** The clock of a moment on a day; its edge for a moment of another day. @param edge the end of the day that stands for it */
function minuteOn(key: string, iso: string, edge: number): number {
  const at = new Date(iso);
  return dayKey(at) === key ? at.getHours() * 60 + at.getMinutes() : edge;
}

const isOn = (event: CalendarEvent, key: string): boolean => {
  const { first, last } = daysOf(event);
  return first <= key && key <= last;
};

const spanOn = (event: CalendarEvent, key: string): { from: number; to: number } => ({
  from: minuteOn(key, event.start, 0),
  to: minuteOn(key, event.end, DAY_MINUTES),
});

const fillsDay = (event: CalendarEvent, key: string): boolean => {
  const { from, to } = spanOn(event, key);
  return event.all_day || (from === 0 && to === DAY_MINUTES);
};

/** The events that fill a day. */
export const wholeDay = (events: readonly CalendarEvent[], key: string): CalendarEvent[] =>
  events.filter((event) => isOn(event, key) && fillsDay(event, key));

/** The other events of a day, by their start. */
export function placedOn(events: readonly CalendarEvent[], key: string): Placed[] {
  const placed = events
    .filter((event) => isOn(event, key) && !fillsDay(event, key))
    .map((event): Placed => ({ event, ...spanOn(event, key), lane: 0, lanes: 1 }))
    .sort((one, other) => one.from - other.from || other.to - one.to);
  let together: Placed[] = [];
  let ends: number[] = [];
  for (const one of placed) {
    // Nothing before it lasts until it starts: the next ones have all the width again.
    if (ends.every((end) => end <= one.from)) [together, ends] = [[], []];
    const free = ends.findIndex((end) => end <= one.from);
    one.lane = free < 0 ? ends.length : free;
    ends[one.lane] = Math.max(one.to, one.from + SHORTEST);
    together.push(one);
    for (const each of together) each.lanes = ends.length;
  }
  return placed;
}

/** The hours that hold all of some events, and a workday. */
export function hoursOf(placed: readonly Placed[]): { from: number; to: number } {
  return {
    from: Math.min(WORKDAY.from, ...placed.map(({ from }) => Math.floor(from / 60))),
    to: Math.max(WORKDAY.to, ...placed.map(({ from, to }) => Math.ceil(Math.max(to, from + SHORTEST) / 60))),
  };
}
