import { column, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

export const IDEMPOTENCY_KEYS = table(
  'idempotency_keys',
  {
    /** The account, or `ip:` and the hashed address of a caller without one. */
    scope: column.text('scope'),
    key: column.text('idempotency_key'),
    /** A hash of the request. A second request with the same key must match it. */
    fingerprint: column.text('fingerprint'),
    /** Null while the first request is in progress. */
    status: column.integer('status').orNull(),
    /** JSON text. Null when the reply held a secret. */
    body: column.text('body').orNull(),
    expiresAt: column.integer('expires_at'),
  },
  { key: ['scope', 'key'], account: ['scope'], erase: 'delete', expires: 'expiresAt' },
);
export type IdempotencyRecord = RecordOf<typeof IDEMPOTENCY_KEYS>;

export type StoredReply = Pick<IdempotencyRecord, 'fingerprint' | 'status' | 'body'>;
