import type { Scope } from '../../../../api/scopes.ts';
import { column, type RecordOf } from '../../../../db/column-map.ts';
import { table } from '../../../../db/table.ts';

/** A command line that waits for a person to type its user code (RFC 8628). It belongs to no account until then. */
export const DEVICE_LOGINS = table(
  'device_logins',
  {
    /** SHA-256 of the device code. */
    deviceHash: column.text('device_hash'),
    /** SHA-256 of the user code. */
    userCodeHash: column.text('user_code_hash'),
    scopes: column.json<Scope[]>()('scopes'),
    /** How long it has to wait between two polls. */
    intervalSeconds: column.integer('interval_seconds'),
    polledAt: column.integer('polled_at').orNull(),
    deniedAt: column.integer('denied_at').orNull(),
    createdAt: column.integer('created_at'),
    expiresAt: column.integer('expires_at'),
  },
  { key: ['deviceHash'], account: [], erase: { keep: 'belongs to no account' } },
);
export type DeviceLogin = RecordOf<typeof DEVICE_LOGINS>;
