import type { KeyKind } from '../../../base/secret.ts';
import { column, exported, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

export type KeyStatus = 'active' | 'backup' | 'revoked';

export const API_KEYS = table(
  'api_keys',
  {
    /** SHA-256 of the key. The key itself is not stored. */
    hash: column.text('hash'),
    accountId: exported.text('account_id'),
    /** As the key's prefix says. An activated backup key keeps its prefix and works as a platform key. */
    kind: exported.enum<KeyKind>()('kind'),
    status: exported.enum<KeyStatus>()('status'),
    /** The first characters of the key, which identify it in lists and in the audit log. */
    prefix: exported.text('prefix'),
    label: exported.text('label').orNull(),
    createdAt: exported.integer('created_at'),
    activatedAt: exported.integer('activated_at').orNull(),
    /** Hash of the first key of the line of rotations by key. Null: the key began one. */
    lineage: column.text('lineage').orNull(),
    revokedAt: exported.integer('revoked_at').orNull(),
    /** Made in the account's first hour, or by a session of an old address: a backup key that counts as old at once. */
    trustedFromStart: exported.flag('born_old'),
  },
  { key: ['hash'], account: ['accountId'], erase: 'delete' },
);
export type StoredKey = RecordOf<typeof API_KEYS>;
