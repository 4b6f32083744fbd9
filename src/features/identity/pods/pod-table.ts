import type { RateLimits } from '../../../base/period.ts';
import { column, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

/** What a platform set for its pod. Name, status and scopes are in the pod's account, spending caps in its budget. */
export const PODS = table(
  'pods',
  {
    podId: column.text('pod_id'),
    accountId: column.text('account_id'),
    parentAccountId: column.text('parent_account_id'),
    /** Requests per window; null for no limit. */
    perMinute: column.integer('per_minute').orNull(),
    perHour: column.integer('per_hour').orNull(),
    perDay: column.integer('per_day').orNull(),
    createdAt: column.integer('created_at'),
    updatedAt: column.integer('updated_at'),
    /** When the platform last replaced the key, or set the address that logs in. Null: not since it made the pod. */
    accessGivenAt: column.integer('access_given_at').orNull(),
  },
  { key: ['podId'], account: ['accountId'], erase: 'delete', page: ['podId'] },
);
export type PodRecord = RecordOf<typeof PODS>;

export const rateLimitsIn = ({ perMinute, perHour, perDay }: PodRecord): RateLimits => ({
  minute: perMinute,
  hour: perHour,
  day: perDay,
});

/** The fields of a record that hold these limits. */
export const limitFields = ({
  minute,
  hour,
  day,
}: RateLimits): Pick<PodRecord, 'perMinute' | 'perHour' | 'perDay'> => ({
  perMinute: minute,
  perHour: hour,
  perDay: day,
});
