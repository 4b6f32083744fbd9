import { column, columnMap, type RecordOf } from '../../../db/column-map.ts';

/** Why a recipient gets no more mail: the address does not exist, or the recipient complained or unsubscribed. */
export const SUPPRESSION_REASONS = ['hard_bounce', 'complaint', 'unsubscribed'] as const;
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

export const SUPPRESSIONS = columnMap({
  accountId: column.text('account_id'),
  /** In lower case: whoever does not want mail does not want it in another spelling. */
  address: column.text('address'),
  reason: column.word<SuppressionReason>()('reason'),
  createdAt: column.integer('created_at'),
});
export type Suppression = RecordOf<typeof SUPPRESSIONS>;

export const SENDING_DAYS = columnMap({
  accountId: column.text('account_id'),
  /** The start of the UTC day, in milliseconds. */
  day: column.integer('day'),
  /** Copies that the relay took or refused for good. */
  sent: column.integer('sent'),
  /** Of these, or of earlier ones: hard bounces and complaints that arrived on this day. */
  bad: column.integer('bad'),
});
export type SendingDay = RecordOf<typeof SENDING_DAYS>;
