import { el } from './dom.js';

/** Formats numbers and times. */

const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

/**
 * @param {string} iso
 * @param {'short' | 'full'} [length] `short`: the time for today, otherwise the date
 */
export function time(iso, length = 'full') {
  const at = new Date(iso);
  const isToday = at.toDateString() === new Date().toDateString();
  const format = length === 'full' ? full : isToday ? clock : day;
  return el('time', { datetime: iso, title: full.format(at) }, format.format(at));
}

/** @param {number} value */
export const count = (value) => value.toLocaleString();

/** @param {number} bytes */
export const size = (bytes) =>
  bytes < 1024
    ? `${bytes} B`
    : bytes < 1_048_576
      ? `${(bytes / 1024).toFixed(0)} KB`
      : `${(bytes / 1_048_576).toFixed(1)} MB`;

/** @param {number} amount atomic units of USDC, 1/1,000,000 */
export const usdc = (amount) =>
  (amount / 1_000_000).toLocaleString(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 6 });

/**
 * @param {number} n
 * @param {string} one
 * @param {string} many
 */
export const counted = (n, one, many) => `${count(n)} ${n === 1 ? one : many}`;
