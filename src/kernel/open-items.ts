import type { Reader } from './transaction.ts';

/** Counts what a feature keeps of an account until a person decides; at most {@link OPEN_ITEMS_MAX}. */
export type CountOpenItems = (reader: Reader, accountId: string, now: number) => Promise<number>;

/** Reading more would let the list of agents grow with what strangers send. */
export const OPEN_ITEMS_MAX = 20;
