import { exported, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

/** The calls of a key on a UTC day. Kept for 30 days: what the account sees of its keys. */
export const KEY_DAYS = table(
  'key_days',
  {
    accountId: exported.text('account_id'),
    /** As `GET /v1/account/keys` shows it. */
    keyId: exported.text('key_id'),
    dayStart: exported.integer('day_start'),
    requests: exported.integer('requests'),
    lastUsedAt: exported.integer('last_used_at'),
    /** Where the last call of the day came from: a /24 or a /48. Null: not known. */
    network: exported.text('network').orNull(),
  },
  { key: ['accountId', 'keyId', 'dayStart'], account: ['accountId'], erase: 'delete' },
);
export type KeyDay = RecordOf<typeof KEY_DAYS>;
