import type { Migration } from '../migration-sql.ts';

/** An operator lists the credential requests that wait for him. */
export const migration: Migration = {
  id: '0065-open-credential-requests',
  statements: [
    `create index credential_requests_open on credential_requests (operator_id, id) where status = 'pending'`,
  ],
};
