import { sql as raw } from 'kysely';
import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { isAmong } from '../../../db/json-rows.ts';
import { tables } from '../../../db/statement.ts';
import { PEOPLE, type Person, type PersonRole } from './person-table.ts';

type Row = RowOf<typeof PEOPLE>;

const sql = tables<{ people: Row }>();

const insertRow = sql((q, p: Row) => q.insertInto('people').values(PEOPLE.values(p)));
const byId = sql((q, p: { id: string }) => q.selectFrom('people').select(PEOPLE.names).where('id', '=', p.id));
const byAccount = sql((q, p: { account_id: string }) =>
  q.selectFrom('people').select(PEOPLE.names).where('account_id', '=', p.account_id).orderBy('id'),
);
const byAccounts = sql((q, p: { ids: string }, engine) =>
  q
    .selectFrom('people')
    .select(PEOPLE.names)
    .where((eb) => isAmong(engine, eb.ref('account_id'), p.ids)),
);
const confirmedOf = sql((q, p: { address: string; limit: number }) =>
  q
    .selectFrom('people')
    .select(PEOPLE.names)
    .where('address', '=', p.address)
    .where('confirmed_at', 'is not', null)
    .orderBy('id')
    .limit(p.limit),
);
const oldestUnconfirmed = sql((q, p: { address: string; limit: number }) =>
  q
    .selectFrom('people')
    .select(PEOPLE.names)
    .where('address', '=', p.address)
    .where('confirmed_at', 'is', null)
    .orderBy('id')
    .limit(p.limit),
);
const newestUnconfirmed = sql((q, p: { address: string; limit: number }) =>
  q
    .selectFrom('people')
    .select(PEOPLE.names)
    .where('address', '=', p.address)
    .where('confirmed_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(p.limit),
);
const byKey = sql((q, p: { account_id: string; role: PersonRole; address: string }) =>
  q
    .selectFrom('people')
    .select(PEOPLE.names)
    .where('account_id', '=', p.account_id)
    .where('role', '=', p.role)
    .where('address', '=', p.address),
);
const updateRow = sql((q, p: Row) =>
  q
    .updateTable('people')
    .set({
      named_at: p.named_at,
      confirmed_at: p.confirmed_at,
      old_when_confirmed: p.old_when_confirmed,
      removal_due_at: p.removal_due_at,
    })
    .where('id', '=', p.id),
);
const deleteRow = sql((q, p: { id: string }) => q.deleteFrom('people').where('id', '=', p.id));

const optional = (row: Row | undefined): Person | null => (row ? PEOPLE.fromRow(row) : null);

/** A literal, because with a parameter the planner does not use the partial index. */
const OPERATOR = raw.lit<PersonRole>('operator');
const operated = sql((q, p: { address: string; before: string; limit: number }) =>
  q
    .selectFrom('people')
    .select(PEOPLE.names)
    .where('address', '=', p.address)
    .where('role', '=', OPERATOR)
    .where('confirmed_at', 'is not', null)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);
export const insertPerson = async (tx: Tx, person: Person): Promise<void> =>
  void (await tx.run(insertRow, PEOPLE.toRow(person)));

/** Saves when a person was named and confirmed, and when the address ends. */
export const savePerson = async (tx: Tx, person: Person): Promise<void> =>
  void (await tx.run(updateRow, PEOPLE.toRow(person)));

/** @returns false when the row was already gone */
export const deletePerson = async (tx: Tx, id: string): Promise<boolean> => (await tx.run(deleteRow, { id })) === 1;

export const personById = async (reader: Reader, id: string): Promise<Person | null> =>
  optional(await reader.first(byId, { id }));

/** Lists every address of people of an account, oldest first. */
export const peopleOfAccount = async (reader: Reader, accountId: string): Promise<Person[]> =>
  (await reader.all(byAccount, { account_id: accountId })).map(PEOPLE.fromRow);

/** Finds the people of many accounts, by account and in no order. */
export async function peopleOfAccounts(reader: Reader, accountIds: readonly string[]): Promise<Map<string, Person[]>> {
  const rows = await reader.all(byAccounts, { ids: JSON.stringify(accountIds.map((id) => [id])) });
  return Map.groupBy(rows.map(PEOPLE.fromRow), ({ accountId }) => accountId);
}

/** Lists what an address is confirmed for, over all accounts, oldest first. */
export const confirmedOfAddress = async (reader: Reader, address: string, limit: number): Promise<Person[]> =>
  (await reader.all(confirmedOf, { address, limit })).map(PEOPLE.fromRow);

/** Lists what waits for an address to be confirmed: oldest first, or newest first. */
export const unconfirmedOfAddress = async (
  reader: Reader,
  address: string,
  order: 'oldest' | 'newest',
  limit: number,
): Promise<Person[]> =>
  (await reader.all(order === 'oldest' ? oldestUnconfirmed : newestUnconfirmed, { address, limit })).map(
    PEOPLE.fromRow,
  );

export const findPerson = async (
  reader: Reader,
  accountId: string,
  role: PersonRole,
  address: string,
): Promise<Person | null> => optional(await reader.first(byKey, { account_id: accountId, role, address }));

/** Lists what an address is a confirmed operator of, newest first. */
export const operatedBy = async (reader: Reader, address: string, before: string, many: number): Promise<Person[]> =>
  (await reader.all(operated, { address, before, limit: many })).map(PEOPLE.fromRow);
