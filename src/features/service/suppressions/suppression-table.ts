import { exported, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

/** Why a recipient gets no more mail: the address does not exist, or the recipient complained or unsubscribed. */
export const SUPPRESSION_REASONS = ['hard_bounce', 'complaint', 'unsubscribed'] as const;
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

export const SUPPRESSIONS = table(
  'suppressions',
  {
    accountId: exported.text('account_id'),
    /** In lower case: whoever does not want mail does not want it in another spelling. */
    address: exported.text('address'),
    reason: exported.enum<SuppressionReason>()('reason'),
    createdAt: exported.integer('created_at'),
  },
  { key: ['accountId', 'address'], account: ['accountId'], erase: 'delete' },
);
export type Suppression = RecordOf<typeof SUPPRESSIONS>;

export const SENDING_DAYS = table(
  'sending_days',
  {
    accountId: exported.text('account_id'),
    /** The start of the UTC day, in milliseconds. */
    day: exported.integer('day'),
    /** Copies that the relay took or refused for good. */
    sent: exported.integer('sent'),
    /** Of these, or of earlier ones: hard bounces and complaints that arrived on this day. */
    bad: exported.integer('bad'),
  },
  { key: ['accountId', 'day'], account: ['accountId'], erase: 'delete' },
);
export type SendingDay = RecordOf<typeof SENDING_DAYS>;
