import { column, columnMap, type RecordOf } from '../../kernel/column-map.ts';

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
  createdAt: column.integer('created_at'),
});
export type Address = RecordOf<typeof ADDRESSES>;
