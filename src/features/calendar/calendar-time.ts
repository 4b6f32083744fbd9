import { hasIsoYear } from '../../base/clock.ts';
import { DAY_MS } from '../../base/period.ts';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/** A time, or the midnight of a whole UTC day. */
export interface CalendarTime {
  ms: number;
  isDate: boolean;
}

/** Returns the milliseconds of a date that exists: `Date` alone reads 30 February as 2 March. */
function midnightOf(text: string): number | null {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined) return null;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text || Number(month) + Number(day) === 0
    ? null
    : ms;
}

/**
 * Parses an RFC 3339 date-time with any offset, or a full date. A `+` that a client did not encode in a query arrives as a
 * blank and is read as `+`. @returns null for anything else
 */
export function parseCalendarTime(given: string): CalendarTime | null {
  const text = given.trim().replace(/ (?=\d{2}:\d{2}$)/, '+');
  const date = DATE_TIME.exec(text)?.[1];
  const midnight = midnightOf(date ?? text);
  if (midnight === null) return null;
  if (date === undefined) return { ms: midnight, isDate: true };
  const ms = Date.parse(text.replace(' ', 'T').toUpperCase());
  return hasIsoYear(ms) ? { ms, isDate: false } : null;
}

/** Returns where an event ends. A date is the day after the last; the date of the start means that one day. */
export const endOf = (start: CalendarTime, end: CalendarTime): number =>
  start.isDate && end.ms === start.ms ? end.ms + DAY_MS : end.ms;
