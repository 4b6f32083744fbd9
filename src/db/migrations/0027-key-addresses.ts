import type { Migration } from '../migration-sql.ts';

/** Named keys that are limited to addresses, and what they read by address. */
export const migration: Migration = {
  id: '0027-key-addresses',
  statements: [
    // A JSON array; null: every address.
    'alter table named_keys add column addresses text',
    // The address that an event is about; null for other events, and for those from before.
    'alter table events add column address text',
    'create index events_by_address on events (account_id, address, type, seq) where address is not null',
    'create index outbox_by_address on outbox (address, id)',
  ],
};
