import type { AuditRecord } from '../../../api/audit-record.ts';
import type { WrittenActor } from '../../../api/principal.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { newId } from '../../../base/ids.ts';
import { peopleOfAccount } from '../../account/people/person.ts';
import { addAuditPerson, findAuditPeople, findAuditPerson } from './audit-person-store.ts';

/** A record as it is written: people have ids in place of addresses. */
export type WrittenRecord = AuditRecord & { actor: WrittenActor };

/** What is done to a person of the account is in these categories. Elsewhere an address is one of the account's own. */
const OF_PEOPLE = /^(account|notice)\./;

const concernsPerson = ({ action, resourceId }: AuditRecord): boolean =>
  resourceId?.includes('@') === true && OF_PEOPLE.test(action);

/** Whether a record has an address of a person, which must not be hashed. */
export const hasAddress = (record: AuditRecord): boolean => 'address' in record.actor || concernsPerson(record);

interface Named {
  accountId: string;
  address: string;
  now: number;
}

/** The id of a person in the entries of an account: made once. It is the one that the account's people have, if they do. */
async function idOfPerson(tx: Tx, { accountId, address, now }: Named, isProven: boolean): Promise<string | null> {
  const known = await findAuditPerson(tx, accountId, address);
  if (known) return known.id;
  const named = (await peopleOfAccount(tx, accountId)).find((person) => person.address === address);
  // A key may ask to remove whatever it likes.
  if (!named && !isProven) return null;
  const id = named?.id ?? newId('per', now);
  if (await addAuditPerson(tx, { accountId, address, id })) return id;
  return (await findAuditPerson(tx, accountId, address))?.id ?? id;
}

/** Puts the ids of people in place of their addresses. */
export async function withoutAddresses(tx: Tx, records: readonly AuditRecord[]): Promise<WrittenRecord[]> {
  const written: WrittenRecord[] = [];
  for (const record of records) {
    const { actor, accountId, now } = record;
    const idOf = (address: string, isProven: boolean) => idOfPerson(tx, { accountId, address, now }, isProven);
    const isOurs = actor.kind === 'administrator' || actor.kind === 'service';
    const resourceId = concernsPerson(record) ? await idOf(record.resourceId as string, isOurs) : record.resourceId;
    if ('address' in actor) {
      const { address, kind, role } = actor;
      const id = (await idOf(address, true)) as string;
      written.push({ ...record, resourceId, actor: { id, kind, role } });
    } else written.push({ ...record, resourceId, actor });
  }
  return written;
}

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
