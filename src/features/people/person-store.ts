import { sql as raw } from 'kysely';
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

/** Literals, because with parameters the planner does not use the partial index. */
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
const waitingBy = (order: 'asc' | 'desc') =>
  sql((q, p: { address: string; limit: number }) =>
    q
      .selectFrom('people')
      .select(PEOPLE.names)
      .where('address', '=', p.address)
      .where('confirmed_at', 'is', null)
      .orderBy('id', order)
      .limit(p.limit),
  );
const oldestWaiting = waitingBy('asc');
const newestWaiting = waitingBy('desc');

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

/** Lists what an address is a confirmed operator of, newest first. */
export const operatedBy = async (reader: Reader, address: string, before: string, many: number): Promise<Person[]> =>
  (await reader.all(operated, { address, before, limit: many })).map(PEOPLE.fromRow);

const WAITING_MAX = 50;

/**
 * Lists what waits for the confirmation of an address, oldest first: the 50 oldest and the 50 newest. Anybody can name
 * it, so decoys must not hide what was there before, or what was named last.
 */
export async function waitingFor(reader: Reader, address: string): Promise<Person[]> {
  const params = { address, limit: WAITING_MAX };
  const rows = [...(await reader.all(oldestWaiting, params)), ...(await reader.all(newestWaiting, params))];
  const people = new Map(rows.map((row) => [row.id, PEOPLE.fromRow(row)]));
  return [...people.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
