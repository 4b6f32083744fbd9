import { html, type TemplateResult } from 'lit-html';
import { systemNow } from '../../../client/client-clock.ts';

/** Numbers, amounts and times, in the language of the browser. */

const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const dated = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

export const fullTime = (iso: string): string => full.format(new Date(iso));

/** The time of day of a moment. */
export const clockTime = (iso: string): string => clock.format(new Date(iso));

/** A day such as `2026-01-14`, with its weekday. */
export const longDay = (key: string): string => dated.format(new Date(`${key}T12:00:00`));

/** The same without its year. */
export const shortDay = (key: string): string => weekday.format(new Date(`${key}T12:00:00`));

/** @param length `short`: the time for today, otherwise the date */
export function time(iso: string, length: 'short' | 'full' = 'full'): TemplateResult {
  const at = new Date(iso);
  const isToday = at.toDateString() === new Date(systemNow()).toDateString();
  const format = length === 'full' ? full : isToday ? clock : day;
  return html`<time datetime=${iso} title=${full.format(at)}>${format.format(at)}</time>`;
}

/** How far away a moment is: `in 3 hr.`, `2 days ago`. */
function distance(iso: string): TemplateResult {
  const ms = Date.parse(iso) - systemNow();
  const [unit, size] =
    Math.abs(ms) < HOUR_MS
      ? (['minute', MINUTE_MS] as const)
      : Math.abs(ms) < DAY_MS
        ? (['hour', HOUR_MS] as const)
        : (['day', DAY_MS] as const);
  const text = relative.format(Math.trunc(ms / size), unit);
  return html`<time datetime=${iso} title=${fullTime(iso)}>${text}</time>`;
}

/** A length of time, as people note it: `40 s`, `12 min`, `3 h 20 min`. Rounded up, so that it is never too early. */
function length(seconds: number): string {
  if (seconds < MINUTE_MS / 1000) return `${Math.max(seconds, 1)} s`;
  const minutes = Math.ceil(seconds / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [...(hours > 0 ? [`${hours} h`] : []), ...(rest > 0 ? [`${rest} min`] : [])].join(' ');
}

/** When some seconds are over, by the clock of the browser: `at 2:00 AM (in 4 h)`. */
export function returnsIn(seconds: number): string {
  const at = new Date(systemNow() + seconds * 1000);
  const isToday = at.toDateString() === new Date(systemNow()).toDateString();
  return `${isToday ? `at ${clock.format(at)}` : `on ${full.format(at)}`} (in ${length(seconds)})`;
}

/** When something ends, and how far away that is. */
export const ends = (iso: string): TemplateResult => html`${time(iso)} <span class="fine">(${distance(iso)})</span>`;

export const count = (value: number): string => value.toLocaleString();

export const size = (bytes: number): string =>
  bytes < 1024
    ? `${bytes} B`
    : bytes < 1_048_576
      ? `${(bytes / 1024).toFixed(0)} KB`
      : bytes < 1_073_741_824
        ? `${(bytes / 1_048_576).toFixed(1)} MB`
        : `${(bytes / 1_073_741_824).toFixed(1)} GB`;

/** @param amount atomic units of USDC, 1/1,000,000 */
export const usdc = (amount: number): string =>
  `${(amount / 1_000_000).toLocaleString(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 6 })} USDC`;

const plurals = new Intl.PluralRules(undefined);

/** A number, and what it counts in the form that the number takes: `1 mail`, `3 mails`. */
export const counted = (n: number, one: string, others: string): string =>
  `${n} ${plurals.select(n) === 'one' ? one : others}`;

/** The name that an agent gave itself, or what stands for it. Anyone can choose any name, so the id stands beside it. */
export const agentName = (name: string | null): string => name || 'Unnamed agent';
