import { type ListWaiting, partOf, type WaitingItem, waitingParams } from '../../../api/account/waiting.ts';
import { iso } from '../../../base/clock.ts';
import { daysRemovable, type Person, waitingFor } from './person.ts';
import { unconfirmedOfAccounts } from './person-store.ts';

const ROLES = { email: 'owner', recovery: 'recovery address', operator: 'operator' };

const itemOf = (person: Person, caller: string | null, now: number): WaitingItem => ({
  id: person.id,
  accountId: person.accountId,
  since: person.namedAt,
  expiresAt: null,
  summary: `${person.address} has not confirmed to be the ${ROLES[person.role]}.`,
  deciders: [person.address === caller ? 'person' : 'other'],
  call: { operation: 'confirmPerson', body: { id: person.id, decision: 'confirm' } },
  about: () => ({
    id: person.id,
    role: person.role,
    named_at: iso(person.namedAt),
    removable_days: daysRemovable(person, now),
  }),
});

/** The addresses of people that are not confirmed: of the accounts, and for a session those that its address is asked about. */
export const waitingConfirmations: ListWaiting = async (reader, query) => {
  const { caller, now } = query;
  const ofAccounts = await unconfirmedOfAccounts(reader, waitingParams(query));
  const ofCaller = caller.person === null ? [] : await waitingFor(reader, caller.person);
  const all = new Map([...ofAccounts, ...ofCaller].map((person) => [person.id, person]));
  return partOf(
    [...all.values()].map((person) => itemOf(person, caller.person, now)),
    query,
  );
};
