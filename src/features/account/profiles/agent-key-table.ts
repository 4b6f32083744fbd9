import { column, columnMap, type RecordOf } from '../../../db/column-map.ts';

/** Ed25519 public keys that agents sign with themselves. */
export const AGENT_KEYS = columnMap({
  accountId: column.text('account_id'),
  /** RFC 7638 thumbprint. */
  kid: column.text('kid'),
  /** 32 bytes, base64url. */
  x: column.text('x'),
  label: column.text('label').orNull(),
  createdAt: column.integer('created_at'),
  /** Published in the account's first hour, or by a session of an old address: it counts as old at once. */
  bornOld: column.flag('born_old'),
});
export type AgentKey = RecordOf<typeof AGENT_KEYS>;
