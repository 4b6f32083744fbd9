import type { Migration } from '../migration-sql.ts';

/** The confirmed operator by whose address a deletion was asked for. */
const operator = (column: string): string => `(select p.${column} from people p
  where p.account_id = account_deletions.account_id and p.role = 'operator' and p.address = account_deletions.asked_by
    and p.confirmed_at <= account_deletions.asked_at)`;

/** Who asked for a deletion, and for an operator since when the address is confirmed: this decides who may cancel it. */
export const migration: Migration = {
  id: '0085-who-asked-for-a-deletion',
  statements: [
    `alter table account_deletions add column asker_kind text not null default 'key'`,
    'alter table account_deletions add column asker_since integer',
    'alter table account_deletions add column asker_born_old integer not null default 0',

    `update account_deletions set asker_kind = 'administrator' where asked_by = 'administrator'`,
    // The address of a session. That of an operator is taken for an operator's session.
    `update account_deletions set asker_kind = 'session' where asked_by like '%@%'`,
    `update account_deletions set asker_kind = 'operator', asker_since = ${operator('confirmed_at')},
      asker_born_old = ${operator('old_when_confirmed')} where ${operator('confirmed_at')} is not null`,
  ],
};
