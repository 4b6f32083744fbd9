import { DAY_MS } from '../../base/period.ts';

/** A factor younger than this is removed at once by an older one; an older one needs this much notice. */
export const TRUST_DELAY_MS = 7 * DAY_MS;
/** What is made in the first hour of an account counts as old at once, so that an honest set-up waits for nothing. */
const SET_UP_MS = 3_600_000;

/** Something that acts for an account: a backup key, a person's address, a signing key and so on. */
export interface Factor {
  /** When its age begins: a person's address at its confirmation, everything else when made. Null: not confirmed yet. */
  since: number | null;
  /** Whether it counts as old from `since` on: made during set-up, or named by a session of an old factor. */
  trustedFromStart: boolean;
}

/** Whether a factor counts as old: it is removed only with notice, and it may remove younger ones. */
export const isTrusted = ({ since, trustedFromStart }: Factor, now: number): boolean =>
  since !== null && (trustedFromStart || now - since >= TRUST_DELAY_MS);

/** Whether something made at `now` belongs to the set-up of an account created at `createdAt`. */
export const isSetUp = (createdAt: number, now: number): boolean => now - createdAt < SET_UP_MS;
