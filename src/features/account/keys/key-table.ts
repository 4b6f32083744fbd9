import type { KeyKind } from '../../../base/secret.ts';
import { column, columnMap, type RecordOf } from '../../../db/column-map.ts';

export type KeyStatus = 'active' | 'backup' | 'revoked';

export const API_KEYS = columnMap({
  /** SHA-256 of the key. The key itself is not stored. */
  hash: column.text('hash'),
  accountId: column.text('account_id'),
  /** As the key's prefix says. An activated backup key keeps its prefix and works as a platform key. */
  kind: column.word<KeyKind>()('kind'),
  status: column.word<KeyStatus>()('status'),
  /** The first characters of the key, which identify it in lists and in the audit log. */
  prefix: column.text('prefix'),
  label: column.text('label').orNull(),
  createdAt: column.integer('created_at'),
  activatedAt: column.integer('activated_at').orNull(),
  /** Hash of the first key of the line of rotations by key. Null: the key began one. */
  lineage: column.text('lineage').orNull(),
  revokedAt: column.integer('revoked_at').orNull(),
  /** Made in the account's first hour, or by a session of an old address: a backup key that counts as old at once. */
  bornOld: column.flag('born_old'),
});
export type StoredKey = RecordOf<typeof API_KEYS>;
