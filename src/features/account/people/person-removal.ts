import { isTrusted } from '../../../api/account/factor.ts';
import { LOOK_BACK_DAYS, type LockdownHook, type RecentChange } from '../../../api/account/lockdown-parts.ts';
import type { NoticeHandler } from '../../../api/account/removal-notices.ts';
import type { Tx } from '../../../api/transaction.ts';
import { DAY_MS } from '../../../base/period.ts';
import type { PeopleRules } from './people-changes.ts';
import { factorOfPerson } from './person.ts';
import { findPerson, peopleOfAccount, savePerson } from './person-store.ts';
import type { Person, PersonRole } from './person-table.ts';

/** What notices do about the addresses of a role. */
export const noticeHandlerOf = (people: PeopleRules, role: PersonRole): NoticeHandler => ({
  find: async (reader, accountId, target) => {
    const person = await findPerson(reader, accountId, role, target);
    return person && { ...factorOfPerson(person), address: person.address };
  },
  carryOut: async (tx, { accountId, target }, now) => {
    const person = await findPerson(tx, accountId, role, target);
    if (person) await people.remove(tx, person, now);
  },
  undo: async (tx, { accountId, target, askedAt }, now) => {
    const person = await findPerson(tx, accountId, role, target);
    if (!person) return;
    await savePerson(tx, { ...person, removalDueAt: null });
    if (role !== 'recovery') return;
    // The address that was to replace this one came with the removal, and goes with it while it is young.
    for (const other of await peopleOfAccount(tx, accountId)) {
      const isBeside = other.role === role && other.id !== person.id && other.namedAt >= askedAt;
      if (isBeside && !isTrusted(factorOfPerson(other), now)) await people.remove(tx, other, now);
    }
  },
});

const changeOf = ({ role, address }: Person, what: string, at: number): RecentChange => ({
  at,
  what: `${role === 'recovery' ? 'recovery_email' : role}_${what}`,
  detail: address,
});

/** Takes back young addresses and operators, and cancels removals that wait. @returns what it took back */
async function revertYoung(
  people: PeopleRules,
  tx: Tx,
  accountId: string,
  now: number,
): Promise<readonly RecentChange[]> {
  const changes: RecentChange[] = [];
  for (const person of await peopleOfAccount(tx, accountId)) {
    // What the set-up named and is not confirmed yet is the owner's.
    const isKept = isTrusted(factorOfPerson(person), now) || (person.confirmedAt === null && person.oldWhenConfirmed);
    if (isKept) {
      if (person.removalDueAt !== null) await savePerson(tx, { ...person, removalDueAt: null });
      continue;
    }
    await people.remove(tx, person, now);
    changes.push(changeOf(person, 'removed', now));
  }
  return changes;
}

/** Removes every address of an account. A platform calls this for a pod whose key it replaces. */
async function dropAll(people: PeopleRules, tx: Tx, accountId: string, now: number): Promise<void> {
  for (const person of await peopleOfAccount(tx, accountId)) await people.remove(tx, person, now);
}

/** What people add to securing an account: recent changes, and what is taken back. */
export const securePartOf =
  (people: PeopleRules): LockdownHook =>
  async (tx, { accountId, revert, whole, now }) => {
    const since = now - LOOK_BACK_DAYS * DAY_MS;
    const recent: RecentChange[] = (await peopleOfAccount(tx, accountId)).flatMap((person) => [
      ...(person.namedAt >= since ? [changeOf(person, 'named', person.namedAt)] : []),
      ...((person.confirmedAt ?? 0) >= since ? [changeOf(person, 'confirmed', person.confirmedAt as number)] : []),
    ]);
    if (whole) {
      await dropAll(people, tx, accountId, now);
      return { changes: recent };
    }
    return { changes: [...recent, ...(revert ? await revertYoung(people, tx, accountId, now) : [])] };
  };
