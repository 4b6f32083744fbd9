import { column, columnMap, type RecordOf } from '../../../../db/column-map.ts';

/** A message that the policy keeps from the agent. */
export const QUARANTINED = columnMap({
  messageId: column.text('message_id'),
  accountId: column.text('account_id'),
  address: column.text('address'),
  contentId: column.text('content_id'),
  from: column.text('from_address'),
  /** Which rule keeps it back. */
  reason: column.text('reason'),
  receivedAt: column.integer('received_at'),
});
export type Quarantined = RecordOf<typeof QUARANTINED>;
