import { type Kysely, sql as raw } from 'kysely';
import type { WaitingParams } from '../../../api/account/waiting.ts';
import type { Reader } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { isAmong, jsonTexts } from '../../../db/json-rows.ts';
import { tables } from '../../../db/statement.ts';
import { isAfterPlace } from '../../../db/waiting-rows.ts';
import { PEOPLE, type Person, type PersonRole } from './person-table.ts';

export const insertPerson = PEOPLE.insert();
export const personById = PEOPLE.find();
export const findPerson = PEOPLE.find(['accountId', 'role', 'address']);
/** Lists every address of people of an account, oldest first. */
export const peopleOfAccount = PEOPLE.list(['accountId']);
/** Saves when a person was named and confirmed, and when the address ends. */
export const savePerson = PEOPLE.patch(['namedAt', 'confirmedAt', 'oldWhenConfirmed', 'removalDueAt']);
/** @returns 0 when the row was already gone */
export const deletePerson = PEOPLE.remove();

type Row = RowOf<typeof PEOPLE>;

const sql = tables<{ people: Row }>();

const byAccounts = sql((q, p: { ids: string }, engine) =>
  q
    .selectFrom('people')
    .select(PEOPLE.names)
    .where((eb) => isAmong(engine, eb.ref('account_id'), p.ids)),
);

const unconfirmedByAccounts = sql((q, p: WaitingParams, engine) =>
  q
    .selectFrom('people')
    .select(PEOPLE.names)
    .where((eb) => isAmong(engine, eb.ref('account_id'), p.ids))
    .where('confirmed_at', 'is', null)
    .where((eb) => isAfterPlace(eb.ref('named_at'), eb.ref('id'), p))
    .orderBy('named_at')
    .orderBy('id')
    .limit(p.limit),
);

interface OfAddress {
  address: string;
  limit: number;
}
const ofAddress = (q: Kysely<{ people: Row }>, p: OfAddress) =>
  q.selectFrom('people').select(PEOPLE.names).where('address', '=', p.address).limit(p.limit);

const confirmedOf = sql((q, p: OfAddress) => ofAddress(q, p).where('confirmed_at', 'is not', null).orderBy('id'));
const oldestUnconfirmed = sql((q, p: OfAddress) => ofAddress(q, p).where('confirmed_at', 'is', null).orderBy('id'));
const newestUnconfirmed = sql((q, p: OfAddress) =>
  ofAddress(q, p).where('confirmed_at', 'is', null).orderBy('id', 'desc'),
);

/** A literal, because with a parameter the planner does not use the partial index. */
const OPERATOR = raw.lit<PersonRole>('operator');
const operated = sql((q, p: OfAddress & { before: string }) =>
  ofAddress(q, p)
    .where('role', '=', OPERATOR)
    .where('confirmed_at', 'is not', null)
    .where('id', '<', p.before)
    .orderBy('id', 'desc'),
);

/** Finds the people of many accounts, by account and in no order. */
export async function peopleOfAccounts(reader: Reader, accountIds: readonly string[]): Promise<Map<string, Person[]>> {
  const rows = await reader.all(byAccounts, { ids: jsonTexts(accountIds) });
  return Map.groupBy(rows.map(PEOPLE.fromRow), ({ accountId }) => accountId);
}

/** Lists the people of these accounts who have not confirmed, those named first at the head. */
export const unconfirmedOfAccounts = async (reader: Reader, params: WaitingParams): Promise<Person[]> =>
  (await reader.all(unconfirmedByAccounts, params)).map(PEOPLE.fromRow);

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

/** Lists what an address is a confirmed operator of, newest first. */
export const operatedBy = async (reader: Reader, address: string, before: string, many: number): Promise<Person[]> =>
  (await reader.all(operated, { address, before, limit: many })).map(PEOPLE.fromRow);
