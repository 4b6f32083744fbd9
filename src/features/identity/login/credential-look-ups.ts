import type { Database } from '../../../api/transaction.ts';
import { findAccount, findAccounts } from '../../account/accounts/account-lifecycle.ts';
import type { Account } from '../../account/accounts/account-table.ts';
import { findKey, findKeys } from '../../account/keys/key.ts';
import { type Person, peopleOfAccount, peopleOfAccounts } from '../../account/people/person.ts';
import { deletionOf, deletionsOf } from '../deletion/deletion-state.ts';
import { gatherLookUps } from './shared-look-up.ts';

/** What most credentials are read from, each by an id. */
export interface LookUps {
  key(hash: string): ReturnType<typeof findKey>;
  account(id: string): Promise<Account | null>;
  deletion(accountId: string): ReturnType<typeof deletionOf>;
  people(accountId: string): Promise<readonly Person[]>;
}

/** On PostgreSQL, the look-ups of requests that arrive together share a query. On SQLite, one by one costs least. */
export function lookUpsOf(database: Database): LookUps {
  if (database.engine === 'sqlite')
    return {
      key: (hash) => findKey(database, hash),
      account: (id) => findAccount(database, id),
      deletion: (accountId) => deletionOf(database, accountId),
      people: (accountId) => peopleOfAccount(database, accountId),
    };
  const people = gatherLookUps((ids) => peopleOfAccounts(database, ids));
  return {
    key: gatherLookUps((hashes) => findKeys(database, hashes)),
    account: gatherLookUps((ids) => findAccounts(database, ids)),
    deletion: gatherLookUps((ids) => deletionsOf(database, ids)),
    people: async (accountId) => (await people(accountId)) ?? [],
  };
}
