import { column, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

/**
 * What is used of quotas in periods of the UTC clock: mails and what else counts in the transaction of its action, and
 * requests, which are counted in memory and added each second.
 */
export const QUOTA_COUNTERS = table(
  'quota_counters',
  {
    /** The account, or whose count it is beside: a named key, `person:<hash>`, `<bucket>:<credential>`. */
    accountId: column.text('account_id'),
    /** What is counted and for how long, such as `requests_per_day`; after a colon, of what part of the account. */
    metric: column.text('metric'),
    /** When the period began, in milliseconds. */
    periodStart: column.integer('period_start'),
    used: column.integer('used'),
  },
  { key: ['accountId', 'metric', 'periodStart'], account: ['accountId'], erase: 'delete' },
);

export type QuotaCounter = RecordOf<typeof QUOTA_COUNTERS>;
