import type { Migration } from '../migration-sql.ts';

const size = (row: 'new' | 'old'): string =>
  `octet_length(${row}.ciphertext) + coalesce(octet_length(${row}.metadata), 0)`;

/** A full key's oldest version is overwritten by its newest, so storage is counted on updates too. */
export const migration: Migration = {
  id: '0074-overwritten-versions',
  statements: [
    {
      sqlite: `create trigger vault_versions_restored after update of ciphertext, metadata on vault_versions
        when ${size('new')} <> ${size('old')} begin
          update account_storage set used = used + (${size('new')}) - (${size('old')}) where account_id = old.account_id; end`,
      postgres: `create trigger vault_versions_restored after update of ciphertext, metadata on vault_versions
        for each row execute function vault_versions_storage()`,
    },
  ],
};
