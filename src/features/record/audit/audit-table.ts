import { column, exported, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

export const AUDIT_ENTRIES = table(
  'audit_entries',
  {
    accountId: exported.text('account_id'),
    /** 1 for the first entry of a chain. */
    seq: exported.integer('seq'),
    /** Canonical JSON, which the hash covers. */
    entry: exported.text('entry'),
    action: exported.text('action'),
    createdAt: exported.integer('created_at'),
    /** The same for a change that its owner looks through when the account is secured. Null for every other entry. */
    changedAt: column.integer('changed_at').orNull(),
    prevHash: exported.text('prev_hash'),
    /** SHA-256 of `entry`, hex. */
    hash: exported.text('hash'),
    /** Where the client was, `203.0.113.0/24`. Not hashed, and null after 30 days. */
    network: exported.text('network').orNull(),
  },
  {
    key: ['accountId', 'seq'],
    account: ['accountId'],
    erase: { by: 'audit-erasure.ts, all but the hashes' },
    page: ['seq'],
  },
);
export type StoredEntry = RecordOf<typeof AUDIT_ENTRIES>;

/** Where the chain of each account ends. */
export const AUDIT_CHAINS = table(
  'audit_chains',
  {
    accountId: column.text('account_id'),
    seq: column.integer('last_seq'),
    hash: column.text('last_hash'),
    /** Its last entry that was exported; 0 for none. */
    exportedSeq: column.integer('exported_seq'),
  },
  { key: ['accountId'], account: ['accountId'], erase: { keep: 'proves the hashes that stay' } },
);

/** The people who act for accounts. A chain has their ids, so that it holds no address once the account is deleted. */
export const AUDIT_PEOPLE = table(
  'audit_people',
  {
    accountId: exported.text('account_id'),
    address: exported.text('address'),
    /** `per_…`. It stays when the address is removed and named again. */
    id: exported.text('id'),
  },
  { key: ['accountId', 'address'], account: ['accountId'], erase: 'delete' },
);
export type AuditPerson = RecordOf<typeof AUDIT_PEOPLE>;

/** A signature over a chain, made when `seq` was its last entry. The API calls it a seal. */
export const CHECKPOINTS = table(
  'audit_seals',
  {
    accountId: exported.text('account_id'),
    seq: exported.integer('seq'),
    /** SHA-256 of that entry, hex. */
    hash: exported.text('hash'),
    /** The key that signed. */
    kid: exported.text('kid'),
    /** Ed25519, base64url. */
    signature: exported.text('signature'),
    signedAt: exported.integer('sealed_at'),
  },
  { key: ['accountId', 'seq'], account: ['accountId'], erase: { keep: 'proves the hashes that stay' } },
);
export type Checkpoint = RecordOf<typeof CHECKPOINTS>;
