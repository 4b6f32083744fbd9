/** A day of a series that is moved, changed or cancelled. Times are milliseconds. */
export interface Occurrence {
  /** When it begins by the rule (RFC 5545 3.8.4.4). */
  recurrenceId: number;
  sequence: number;
  isCancelled: boolean;
  summary: string;
  location: string | null;
  startAt: number;
  endAt: number;
}

/** More of them are neither read nor kept. */
export const OCCURRENCES_MAX = 100;
