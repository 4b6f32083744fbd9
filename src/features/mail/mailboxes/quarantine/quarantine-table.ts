import { column, type RecordOf } from '../../../../db/column-map.ts';
import { table } from '../../../../db/table.ts';

/** A message that the policy keeps from the agent. */
export const QUARANTINED = table(
  'quarantined_messages',
  {
    messageId: column.text('message_id'),
    accountId: column.text('account_id'),
    address: column.text('address'),
    contentId: column.text('content_id'),
    from: column.text('from_address'),
    /** Which rule keeps it back. */
    reason: column.text('reason'),
    receivedAt: column.integer('received_at'),
  },
  { key: ['messageId'], account: ['accountId'], erase: 'delete', page: ['messageId'] },
);
export type Quarantined = RecordOf<typeof QUARANTINED>;
