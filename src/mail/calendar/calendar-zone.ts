/** Finds the offset of a time zone that a stranger's calendar names or defines, without expanding a rule. */
import ICAL from 'ical.js';
import { DAY_MS } from '../../base/period.ts';

const OBSERVANCES_MAX = 100;
const DATES_MAX = 100;
const NAME_CHARS = 100;
const FORMATTERS_MAX = 500;
const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** The values of a date and time, taken as UTC, in milliseconds. */
export const wallTimeOf = ({ year, month, day, hour, minute, second }: ICAL.Time): number =>
  new Date(0).setUTCFullYear(year, month - 1, day) + ((hour * 60 + minute) * 60 + second) * 1000;

/** A rule as real zones have it: once a year, on a day of a month. */
interface YearlyRule {
  month: number;
  /** Such as `-1SU`. */
  days: string[];
  monthDays: number[];
  /** Wall time; infinite when it has no end. */
  until: number;
}

/** One STANDARD or DAYLIGHT part of a VTIMEZONE (RFC 5545 3.6.5). */
interface Observance {
  /** Wall times of its beginnings that need no rule. */
  starts: number[];
  offsetFrom: number;
  offsetTo: number;
  rule: YearlyRule | null;
}

/** Null for a rule that no real zone has, such as `FREQ=SECONDLY`: it is not followed. */
function yearlyRule(rule: unknown, start: Date): YearlyRule | null {
  if (!(rule instanceof ICAL.Recur) || rule.freq !== 'YEARLY' || rule.interval !== 1 || rule.count) return null;
  const { BYMONTH: months = [start.getUTCMonth() + 1], BYDAY: days = [], BYMONTHDAY: dates, ...others } = rule.parts;
  if (months.length !== 1 || days.length > 7 || Object.keys(others).length > 0) return null;
  const monthDays = dates ?? (days.length > 0 ? [] : [start.getUTCDate()]);
  if (monthDays.length > 31) return null;
  // The end is in UTC, and beginnings are a year apart.
  const until = rule.until ? wallTimeOf(rule.until) + DAY_MS : Number.POSITIVE_INFINITY;
  return { month: (months[0] as number) - 1, days: days.map(String), monthDays: monthDays.map(Number), until };
}

/** Whether `day` of a month of `length` days, a `weekday`, is one like `2SU` or `-1SU`. */
function isDay(rule: string, day: number, weekday: string, length: number): boolean {
  const [, sign, n, name] = /^([+-]?)(\d?)([A-Z]{2})$/.exec(rule) ?? [];
  if (name !== weekday) return false;
  return n === '' || Math.ceil((sign === '-' ? length - day + 1 : day) / 7) === Number(n);
}

/** When a rule begins in a year, as wall time: the last day that fits. */
function onsetIn(year: number, { month, days, monthDays }: YearlyRule, timeOfDay: number): number | null {
  const length = new Date(new Date(0).setUTCFullYear(year, month + 1, 0)).getUTCDate();
  for (let day = length; day > 0; day -= 1) {
    const date = new Date(new Date(0).setUTCFullYear(year, month, day));
    const weekday = DAYS[date.getUTCDay()] as string;
    const fits =
      (days.length === 0 || days.some((rule) => isDay(rule, day, weekday, length))) &&
      (monthDays.length === 0 || monthDays.includes(day) || monthDays.includes(day - length - 1));
    if (fits) return date.getTime() + timeOfDay;
  }
  return null;
}

const offsetOf = (part: ICAL.Component, name: string): number => {
  const offset = part.getFirstPropertyValue(name);
  return offset instanceof ICAL.UtcOffset ? offset.toSeconds() * 1000 : 0;
};

function observanceOf(part: ICAL.Component): Observance | null {
  const start = part.getFirstPropertyValue('dtstart');
  if (!(start instanceof ICAL.Time)) return null;
  const dates = part
    .getAllProperties('rdate')
    .slice(0, DATES_MAX)
    .map((property) => property.getFirstValue())
    .filter((date) => date instanceof ICAL.Time);
  return {
    starts: [start, ...dates].map(wallTimeOf),
    offsetFrom: offsetOf(part, 'tzoffsetfrom'),
    offsetTo: offsetOf(part, 'tzoffsetto'),
    rule: yearlyRule(part.getFirstPropertyValue('rrule'), new Date(wallTimeOf(start))),
  };
}

/** The last beginning of an observance up to a wall time. */
function lastStart({ starts, rule }: Observance, wall: number): number {
  const first = starts[0] as number;
  const found = starts.filter((start) => start <= wall);
  if (rule !== null && first <= wall) {
    const year = new Date(Math.min(wall, rule.until)).getUTCFullYear();
    const timeOfDay = ((first % DAY_MS) + DAY_MS) % DAY_MS;
    for (const onset of [onsetIn(year, rule, timeOfDay), onsetIn(year - 1, rule, timeOfDay)])
      if (onset !== null && onset >= first && onset <= Math.min(wall, rule.until)) found.push(onset);
  }
  return Math.max(Number.NEGATIVE_INFINITY, ...found);
}

const observances = new WeakMap<ICAL.Component, Observance[]>();

function observancesIn(zone: ICAL.Component): Observance[] {
  const known = observances.get(zone);
  if (known) return known;
  const parts = zone.getAllSubcomponents().filter(({ name }) => name === 'standard' || name === 'daylight');
  const found = parts
    .slice(0, OBSERVANCES_MAX)
    .map(observanceOf)
    .filter((each) => each !== null);
  observances.set(zone, found);
  return found;
}

/** What a VTIMEZONE says of a wall time. */
function definedOffset(zone: ICAL.Component, wall: number): number {
  const parts = observancesIn(zone);
  const began = parts.map((part) => ({ part, at: lastStart(part, wall) })).filter(({ at }) => Number.isFinite(at));
  if (began.length > 0) return began.reduce((a, b) => (b.at > a.at ? b : a)).part.offsetTo;
  const [first] = parts.toSorted((a, b) => (a.starts[0] as number) - (b.starts[0] as number));
  return first?.offsetFrom ?? 0;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Null for a name that is no zone. */
function formatterOf(zone: string): Intl.DateTimeFormat | null {
  const known = formatters.get(zone);
  if (known) return known;
  if (zone.length > NAME_CHARS) return null;
  try {
    const made = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    if (formatters.size >= FORMATTERS_MAX) formatters.clear();
    formatters.set(zone, made);
    return made;
  } catch {
    return null;
  }
}

/** How far a known zone is from UTC at a time. Years before 1 have no number, so there it is 0. */
function offsetAt(formatter: Intl.DateTimeFormat, ms: number): number {
  if (!(Math.abs(ms) < 8.64e15)) return 0;
  const parts = new Map(formatter.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const date = new Date(0).setUTCFullYear(of('year'), of('month') - 1, of('day'));
  const offset = date + ((of('hour') * 60 + of('minute')) * 60 + of('second')) * 1000 - Math.floor(ms / 1000) * 1000;
  return Math.abs(offset) <= DAY_MS ? offset : 0;
}

/**
 * How far a zone is from UTC at a wall time, in milliseconds. A known name counts more than what a stranger defines for it; a
 * name that is neither known nor defined is UTC. See ADR 0120.
 */
export function offsetIn(name: string, defined: ICAL.Component | undefined, wall: number): number {
  const formatter = formatterOf(name);
  if (formatter !== null) return offsetAt(formatter, wall - offsetAt(formatter, wall));
  return defined ? definedOffset(defined, wall) : 0;
}
