/** Days and hours as the calendar of a person has them: in the time zone of the browser. */

const two = (value: number): string => String(value).padStart(2, '0');

/** @returns `2026-01-14` */
export const dayKey = (at: Date): string => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;

/** @returns `2026-01-14T09:30`, as a field of type `datetime-local` takes it */
export const minuteKey = (at: Date): string => `${dayKey(at)}T${two(at.getHours())}:${two(at.getMinutes())}`;

/** Midnight of a key as `dayKey` returns it; null for anything else. */
export function dayOf(key: string): Date | null {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(key);
  if (!parts) return null;
  const at = new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]));
  return dayKey(at) === key ? at : null;
}

/** The same time some days later. Days of a change of clocks have 23 or 25 hours, so hours are not added. */
export function plusDays(at: Date, days: number): Date {
  const moved = new Date(at);
  moved.setDate(moved.getDate() + days);
  return moved;
}

/** The Monday of a week (ISO 8601). */
export const weekStart = (at: Date): Date =>
  plusDays(new Date(at.getFullYear(), at.getMonth(), at.getDate()), -((at.getDay() + 6) % 7));

/** The seven days of the week that begins at a Monday. */
export const weekOf = (monday: Date): Date[] => [0, 1, 2, 3, 4, 5, 6].map((days) => plusDays(monday, days));
