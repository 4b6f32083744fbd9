import { exported, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

export const ADDRESSES = table(
  'addresses',
  {
    /** `local@domain`, in lower case. */
    address: exported.text('address'),
    accountId: exported.text('account_id'),
    /** X25519, base64url. Null: mail is stored readable. */
    publicKey: exported.text('public_key').orNull(),
    /** Messages that are not archived. A counter, so that lists need not count. */
    total: exported.integer('total'),
    /** Of `total`, those that are not read. */
    unread: exported.integer('unread'),
    /** The name in the From header of mail from this address. */
    displayName: exported.text('display_name').orNull(),
    /** After how many days its mail is deleted. Null: never. */
    retentionDays: exported.integer('retention_days').orNull(),
    /** When that was set, milliseconds. The job of an earlier setting does nothing. */
    retentionSince: exported.integer('retention_since').orNull(),
    createdAt: exported.integer('created_at'),
    /** When its account released it: it then looks like an address that nobody has. Null: in use. */
    releasedAt: exported.integer('released_at').orNull(),
    /** When the mail of a released address was deleted and its slot became free. */
    freedAt: exported.integer('freed_at').orNull(),
  },
  {
    key: ['address'],
    account: ['accountId'],
    erase: { by: 'address-release.ts, which keeps the hashes' },
    search: [
      {
        kind: 'address',
        by: 'accountId',
        order: 'createdAt',
        texts: ['address', 'displayName'],
        where: { releasedAt: null },
        address: 'address',
        shown: ({ address, createdAt }) => ({ id: address, title: address, at: createdAt, place: ['mail', address] }),
      },
    ],
  },
);
export type Address = RecordOf<typeof ADDRESSES>;
