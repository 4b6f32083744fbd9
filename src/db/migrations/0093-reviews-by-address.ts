import type { Migration } from '../migration-sql.ts';

/** A key that is limited to addresses lists the reviews of what these send. */
export const migration: Migration = {
  id: '0093-reviews-by-address',
  statements: [
    'create index reviews_by_address on reviews (address, account_id, id)',
    'create index reviews_by_address_status on reviews (address, account_id, status, id)',
  ],
};
