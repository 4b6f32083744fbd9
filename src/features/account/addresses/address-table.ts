import { column, columnMap, type RecordOf } from '../../../db/column-map.ts';

export const ADDRESSES = columnMap({
  /** `local@domain`, in lower case. */
  address: column.text('address'),
  accountId: column.text('account_id'),
  /** X25519, base64url. Null: mail is stored readable. */
  publicKey: column.text('public_key').orNull(),
  /** Messages that are not archived. A counter, so that lists need not count. */
  total: column.integer('total'),
  /** Of `total`, those that are not read. */
  unread: column.integer('unread'),
  /** The name in the From header of mail from this address. */
  displayName: column.text('display_name').orNull(),
  /** After how many days its mail is deleted. Null: never. */
  retentionDays: column.integer('retention_days').orNull(),
  /** When that was set, milliseconds. The job of an earlier setting does nothing. */
  retentionSince: column.integer('retention_since').orNull(),
  createdAt: column.integer('created_at'),
  /** When its account released it: it then looks like an address that nobody has. Null: in use. */
  releasedAt: column.integer('released_at').orNull(),
  /** When the mail of a released address was deleted and its slot became free. */
  freedAt: column.integer('freed_at').orNull(),
});
export type Address = RecordOf<typeof ADDRESSES>;
