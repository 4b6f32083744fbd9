import type { Migration } from '../migration-sql.ts';

/** Whoever reports through pods is one observer: their platform. It does not count for itself and its own pods. */
export const migration: Migration = {
  id: '0050-observers-by-platform',
  statements: [
    `insert into observers (account_id, observer_id)
      select distinct o.account_id, a.parent_id from observers o join accounts a on a.id = o.observer_id
      where a.parent_id is not null
      on conflict do nothing`,
    'delete from observers where observer_id in (select id from accounts where parent_id is not null)',
    `delete from observers where observer_id =
      (select coalesce(a.parent_id, a.id) from accounts a where a.id = observers.account_id)`,
  ],
};
