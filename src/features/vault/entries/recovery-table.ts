import { column, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

/** The sealed seed of an account, recovered by the address. An account has one, and a former one during its notice. */
export const ACCOUNT_SEEDS = table(
  'vault_recoveries',
  {
    accountId: column.text('account_id'),
    email: column.text('email'),
    encryptedSeed: column.text('encrypted_seed'),
    storedAt: column.integer('stored_at'),
    /** Stored in the account's first hour, or by a session of an old address: it counts as old at once. */
    trustedFromStart: column.flag('born_old'),
    /** Replaced while it was old: it recovers until its notice ends. */
    isFormer: column.flag('is_former'),
  },
  { key: ['accountId', 'isFormer'], account: ['accountId'], erase: 'delete' },
);
export type AccountSeed = RecordOf<typeof ACCOUNT_SEEDS>;

/** A sealed seed that was stored without an account. An address may have many. */
export const ANONYMOUS_SEEDS = table(
  'vault_seeds',
  {
    id: column.text('id'),
    email: column.text('email'),
    encryptedSeed: column.text('encrypted_seed'),
    createdAt: column.integer('created_at'),
  },
  { key: ['id'], account: [], erase: { keep: 'belongs to no account' } },
);
export type AnonymousSeed = RecordOf<typeof ANONYMOUS_SEEDS>;

/** How many bytes of anonymous seeds came from a network: from an IPv4 address, or an IPv6 /48. */
export const SEED_NETWORKS = table(
  'vault_seed_networks',
  {
    /** The keyed hash of its name. */
    network: column.text('network'),
    used: column.integer('used'),
  },
  { key: ['network'], account: [], erase: { keep: 'belongs to no account' } },
);
