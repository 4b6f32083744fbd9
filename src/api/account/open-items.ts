import type { Reader } from '../transaction.ts';

/** What waits for a person, beside approvals and reviews. */
export const OPEN_ITEM_KINDS = ['quarantined', 'credential_requests', 'notices'] as const;
export type OpenItemKind = (typeof OPEN_ITEM_KINDS)[number];

/** Counts what a feature keeps of an account until a person decides; at most {@link OPEN_ITEMS_MAX}. */
export type CountOpenItems = (reader: Reader, accountId: string, now: number) => Promise<number>;

/** Reading more would let the list of agents grow with what strangers send. */
export const OPEN_ITEMS_MAX = 20;
