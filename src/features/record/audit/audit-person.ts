import type { AuditRecord } from '../../../api/audit-record.ts';
import type { Principal, WrittenActor } from '../../../api/principal.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { newId } from '../../../base/ids.ts';
import { peopleOfAccount } from '../../account/people/person.ts';
import { addAuditPerson, findAuditPeople, findAuditPerson } from './audit-person-store.ts';

/** A record as it is written: people have ids in place of addresses. */
export type WrittenRecord = AuditRecord & { actor: WrittenActor };

/** The id of an address in the entries of an account: made once, and the one that the account's people have. */
async function idOfPerson(tx: Tx, accountId: string, address: string, now: number): Promise<string> {
  const known = await findAuditPerson(tx, accountId, address);
  if (known) return known.id;
  const named = (await peopleOfAccount(tx, accountId)).find((person) => person.address === address);
  const id = named?.id ?? newId('per', now);
  if (await addAuditPerson(tx, { accountId, address, id })) return id;
  return (await findAuditPerson(tx, accountId, address))?.id ?? id;
}

/** Puts ids in place of the addresses of people. */
export async function withoutAddresses(tx: Tx, records: readonly AuditRecord[]): Promise<WrittenRecord[]> {
  const written: WrittenRecord[] = [];
  for (const record of records) {
    const { accountId, actor, now } = record;
    if (!('address' in actor)) {
      written.push({ ...record, actor });
      continue;
    }
    const { address, kind, role } = actor;
    written.push({ ...record, actor: { id: await idOfPerson(tx, accountId, address, now), kind, role } });
  }
  return written;
}

/** Whether a caller sees who the people are: a primary key, and an operator. */
export const seesPeople = ({ person, operator, namedKeyId, delegation, grant }: Principal): boolean =>
  person === null ? namedKeyId === null && delegation === null && grant === null : operator;

/** Reads the addresses of people by their ids. */
export async function addressesOfPeople(
  reader: Reader,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const people = await findAuditPeople(reader, accountId, ids);
  return new Map(people.map(({ id, address }) => [id, address]));
}
