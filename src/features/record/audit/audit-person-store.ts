import type { Reader } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { isAmong, jsonTexts } from '../../../db/json-rows.ts';
import { tables } from '../../../db/statement.ts';
import { AUDIT_PEOPLE, type AuditPerson } from './audit-table.ts';

export const findAuditPerson = AUDIT_PEOPLE.find();
/** @returns false when another transaction was first */
export const addAuditPerson = AUDIT_PEOPLE.insertNew();

const sql = tables<{ audit_people: RowOf<typeof AUDIT_PEOPLE> }>();

const byIds = sql((q, p: { account_id: string; ids: string }, engine) =>
  q
    .selectFrom('audit_people')
    .select(AUDIT_PEOPLE.names)
    .where('account_id', '=', p.account_id)
    .where((eb) => isAmong(engine, eb.ref('id'), p.ids)),
);

const ofAccounts = sql((q, p: { accounts: string; ids: string }, engine) =>
  q
    .selectFrom('audit_people')
    .select(AUDIT_PEOPLE.names)
    .where((eb) => isAmong(engine, eb.ref('account_id'), p.accounts))
    .where((eb) => isAmong(engine, eb.ref('id'), p.ids)),
);

/** Finds people by the ids that entries of several accounts name. */
export const auditPeopleOf = async (
  reader: Reader,
  accountIds: readonly string[],
  ids: readonly string[],
): Promise<AuditPerson[]> =>
  (await reader.all(ofAccounts, { accounts: jsonTexts(accountIds), ids: jsonTexts(ids) })).map(AUDIT_PEOPLE.fromRow);

/** Finds people by the ids that the entries of an account name. */
export const findAuditPeople = async (
  reader: Reader,
  accountId: string,
  ids: readonly string[],
): Promise<AuditPerson[]> =>
  (await reader.all(byIds, { account_id: accountId, ids: jsonTexts(ids) })).map(AUDIT_PEOPLE.fromRow);
