import { tables } from '../../db/statement.ts';
import type { RowOf } from '../../kernel/column-map.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import { PEOPLE, type Person, type PersonRole } from './person-data.ts';

type Row = RowOf<typeof PEOPLE>;

const sql = tables<{ people: Row }>();

const insertRow = sql((q, p: Row) => q.insertInto('people').values(PEOPLE.values(p)));
const byAccount = sql((q, p: { account_id: string }) =>
  q.selectFrom('people').select(PEOPLE.names).where('account_id', '=', p.account_id).orderBy('id'),
);
const byAddress = sql((q, p: { address: string }) =>
  q.selectFrom('people').select(PEOPLE.names).where('address', '=', p.address).orderBy('id'),
);
const byKey = sql((q, p: { account_id: string; role: PersonRole; address: string }) =>
  q
    .selectFrom('people')
    .select(PEOPLE.names)
    .where('account_id', '=', p.account_id)
    .where('role', '=', p.role)
    .where('address', '=', p.address),
);

export const insertPerson = async (tx: Tx, person: Person): Promise<void> =>
  void (await tx.run(insertRow, PEOPLE.toRow(person)));

/** Lists every address of people of an account, oldest first. */
export const peopleOfAccount = async (reader: Reader, accountId: string): Promise<Person[]> =>
  (await reader.all(byAccount, { account_id: accountId })).map(PEOPLE.fromRow);

/** Lists what an address is for, over all accounts, oldest first. */
export const peopleOfAddress = async (reader: Reader, address: string): Promise<Person[]> =>
  (await reader.all(byAddress, { address })).map(PEOPLE.fromRow);

export async function findPerson(
  reader: Reader,
  accountId: string,
  role: PersonRole,
  address: string,
): Promise<Person | null> {
  const row = await reader.first(byKey, { account_id: accountId, role, address });
  return row ? PEOPLE.fromRow(row) : null;
}
