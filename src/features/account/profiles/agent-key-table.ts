import { exported, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

/** Ed25519 public keys that agents sign with themselves. */
export const AGENT_KEYS = table(
  'agent_keys',
  {
    accountId: exported.text('account_id'),
    /** RFC 7638 thumbprint. */
    kid: exported.text('kid'),
    /** 32 bytes, base64url. */
    x: exported.text('x'),
    label: exported.text('label').orNull(),
    createdAt: exported.integer('created_at'),
    /** Published in the account's first hour, or by a session of an old address: it counts as old at once. */
    trustedFromStart: exported.flag('born_old'),
  },
  { key: ['accountId', 'kid'], account: ['accountId'], erase: 'delete' },
);
export type AgentKey = RecordOf<typeof AGENT_KEYS>;
