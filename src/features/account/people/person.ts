import { type Factor, isTrusted, TRUST_DELAY_MS } from '../../../api/account/factor.ts';
import { ADMINISTRATOR } from '../../../api/account/removal-notices.ts';
import type { EnqueueJob } from '../../../api/job-types.ts';
import type { ActingPerson, Principal } from '../../../api/principal.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { lastId, newId } from '../../../base/ids.ts';
import { DAY_MS } from '../../../base/period.ts';
import {
  confirmedOfAddress,
  insertPerson,
  operatedBy,
  peopleOfAccount,
  peopleOfAccounts,
  personById,
  savePerson,
  unconfirmedOfAddress,
} from './person-store.ts';
import type { Person, PersonRole } from './person-table.ts';

/** The newest agents of an operator: the bound of one call. */
const AGENTS_MAX = 1000;

/**
 * The accounts that a session acts for as their operator. A link that was mailed for one account opens a session for that
 * account alone, also where its address is an operator.
 */
export async function operatedAccounts(
  reader: Reader,
  { operator, person }: Pick<Principal, 'operator' | 'person'>,
): Promise<string[]> {
  if (!operator || person === null) return [];
  return (await operatedBy(reader, person, lastId('per'), AGENTS_MAX)).map(({ accountId }) => accountId);
}

export { operatedBy, type Person, peopleOfAccount, peopleOfAccounts, personById };

/** The age of a person's address: it begins at its confirmation. */
export const factorOfPerson = ({ confirmedAt, oldWhenConfirmed }: Person): Factor => ({
  since: confirmedAt,
  trustedFromStart: oldWhenConfirmed,
});

/** For how many days from its confirmation the account's key removes an address at once. 0: it needs notice. */
export const daysRemovable = ({ confirmedAt, oldWhenConfirmed }: Person, now: number): number =>
  isTrusted({ since: confirmedAt ?? now, trustedFromStart: oldWhenConfirmed }, now) ? 0 : TRUST_DELAY_MS / DAY_MS;

/**
 * Whether the administrator named an operator, who has not confirmed yet. Only the administrator can take this back.
 */
export const isReplacement = ({ role, namedBy, confirmedAt }: Person): boolean =>
  role === 'operator' && namedBy === ADMINISTRATOR && confirmedAt === null;

/** A person whose address is confirmed. */
export type ConfirmedPerson = Person & { confirmedAt: number };

/** Lists the confirmed addresses of an account in every role, oldest first. */
export const confirmedPeople = async (reader: Reader, accountId: string): Promise<ConfirmedPerson[]> =>
  (await peopleOfAccount(reader, accountId)).filter((person): person is ConfirmedPerson => person.confirmedAt !== null);

/** Lists the confirmed operators of an account, oldest first: at most three. Each of them decides. */
export const confirmedOperators = async (reader: Reader, accountId: string): Promise<ConfirmedPerson[]> =>
  (await confirmedPeople(reader, accountId)).filter(({ role }) => role === 'operator');

/** Who acts in a session or with a mailed login: an operator, or else by the first role of the address. */
export const actingPerson = (
  people: readonly Person[],
  { person: address, operator }: { person: string | null; operator: boolean },
): ActingPerson => {
  const role = people.find((one) => one.address === address && one.role !== 'operator')?.role;
  return { kind: 'person', address: address as string, role: operator ? 'operator' : (role ?? 'email') };
};

/** An operator who decides, proven by a mailed link, a session or a passkey. */
export const actingOperator = (address: string): ActingPerson => ({ kind: 'person', address, role: 'operator' });

/** Whether an address is a confirmed operator of the account. */
export const isOperator = async (reader: Reader, accountId: string, address: string): Promise<boolean> =>
  (await confirmedOperators(reader, accountId)).some((operator) => operator.address === address);

/** How many accounts one login mail lists: all that are confirmed, then the oldest and the newest that are not. */
const CONFIRMED_PER_MAIL = 100;
/** A decoy has at most three roles, so these rows are of more than five accounts. */
const UNCONFIRMED_READ = 20;

/** What an address opens, for a login mail. */
export interface LoginPeople {
  confirmed: Person[];
  /** Oldest first, as many as may be needed to list five. */
  oldest: Person[];
  /** Newest first. */
  newest: Person[];
}

/** Finds what an address opens. A stranger who names it for a hundred accounts pushes none of the confirmed out. */
export const loginPeople = async (reader: Reader, address: string): Promise<LoginPeople> => ({
  confirmed: await confirmedOfAddress(reader, address, CONFIRMED_PER_MAIL),
  oldest: await unconfirmedOfAddress(reader, address, 'oldest', UNCONFIRMED_READ),
  newest: await unconfirmedOfAddress(reader, address, 'newest', UNCONFIRMED_READ),
});

/** What the console lists from each end. */
const WAITING_PER_END = 50;

/**
 * Lists what waits for an address to be confirmed, oldest first: the 50 oldest and the 50 newest. A stranger can name
 * the
 * address, so decoys must hide neither what was there before nor what was named last. For a session of this address.
 */
export async function waitingFor(reader: Reader, address: string): Promise<Person[]> {
  const oldest = await unconfirmedOfAddress(reader, address, 'oldest', WAITING_PER_END);
  const newest = await unconfirmedOfAddress(reader, address, 'newest', WAITING_PER_END);
  return [...new Map([...oldest, ...newest.reverse()].map((person) => [person.id, person])).values()];
}

export interface NamedPerson {
  accountId: string;
  role: PersonRole;
  address: string;
  /** The prefix of the key or the address of the session that names it. */
  by: string;
  /** Whether it counts as old once it is confirmed. */
  trustedFromStart: boolean;
}

/** Stores an address that is not confirmed yet. */
export async function addPerson(tx: Tx, { by, trustedFromStart, ...named }: NamedPerson, now: number): Promise<Person> {
  const person: Person = {
    ...named,
    id: newId('per', now),
    namedAt: now,
    namedBy: by,
    oldWhenConfirmed: trustedFromStart,
    confirmedAt: null,
    removalDueAt: null,
  };
  await insertPerson(tx, person);
  return person;
}

/** Stores the address that a sign-up names, and mails a question to it. What a sign-up names counts as old once confirmed. */
export async function nameAtSignUp(
  tx: Tx,
  enqueueJob: EnqueueJob,
  named: Pick<Person, 'accountId' | 'address'> & { role: 'email' | 'recovery' },
  now: number,
): Promise<void> {
  const { id: personId } = await addPerson(tx, { ...named, by: 'sign-up', trustedFromStart: true }, now);
  await enqueueJob(tx, { kind: 'mail.confirm', payload: { personId, authority: null }, runAt: now });
}

/** Confirms `email` and `recovery` of an account by a login link to the address. @returns those that are newly confirmed */
export async function confirmByLogin(tx: Tx, accountId: string, address: string, now: number): Promise<Person[]> {
  const waiting = (await peopleOfAccount(tx, accountId)).filter(
    (person) => person.address === address && person.role !== 'operator' && person.confirmedAt === null,
  );
  const confirmed = waiting.map((person) => ({ ...person, confirmedAt: now }));
  for (const person of confirmed) await savePerson(tx, person);
  return confirmed;
}
