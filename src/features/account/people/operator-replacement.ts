import { ADMINISTRATOR, type Notice, type NoticeHandler } from '../../../api/account/removal-notices.ts';
import { ApiError } from '../../../api/errors.ts';
import type { Tx } from '../../../api/transaction.ts';
import { findAccount, lockAccounts } from '../accounts/account-lifecycle.ts';
import { type PeopleDeps, type PeopleRules, requireWilling } from './people-changes.ts';
import { addPerson, confirmedOperators, isReplacement } from './person.ts';
import { findPerson, peopleOfAccount } from './person-store.ts';
import type { Person } from './person-table.ts';

const WHAT = 'operator_replacement';

/** Removes every operator but one. The authority stays, because one operator is left. */
export async function removeOtherOperators(people: PeopleRules, tx: Tx, kept: Person, now: number): Promise<void> {
  for (const person of await peopleOfAccount(tx, kept.accountId))
    if (person.role === 'operator' && person.id !== kept.id) await people.remove(tx, person, now);
}

/**
 * The way back when all operators lost their mailboxes: the administrator names another. After 72 hours, of which all
 * are told, the new one is asked, and when the new one confirms, the former ones go. Until then they decide.
 */
export class OperatorReplacement {
  readonly #people: PeopleRules;
  readonly #deps: PeopleDeps;

  constructor(people: PeopleRules, deps: PeopleDeps) {
    this.#people = people;
    this.#deps = deps;
  }

  /**
   * Announces the replacement. A second call finds the first; another address takes its place.
   * @throws ApiError `not_found` without such an account or without a confirmed operator, `address_refused`,
   * `invalid_request` for an address of ours
   */
  async ask(tx: Tx, accountId: string, address: string, now: number): Promise<Notice> {
    const { notices } = this.#deps;
    if (!(await findAccount(tx, accountId))) throw new ApiError('not_found', { message: 'There is no such account.' });
    await lockAccounts(tx, [accountId]);
    if ((await confirmedOperators(tx, accountId)).length === 0)
      throw new ApiError('not_found', { message: 'This account has no confirmed operator to replace.' });
    await requireWilling(tx, accountId, address);
    await this.#people.requireOutside(tx, address);
    for (const { what, target } of await notices.list(tx, accountId))
      if (what === WHAT && target !== address) await this.cancel(tx, accountId, target, now);
    return notices.decide(tx, { accountId, what: WHAT, target: address }, now);
  }

  /** Takes a replacement back, until the new operator has confirmed. @returns false when there is none */
  async cancel(tx: Tx, accountId: string, address: string, now: number): Promise<boolean> {
    await lockAccounts(tx, [accountId]);
    if (await this.#deps.notices.withdraw(tx, { accountId, what: WHAT, target: address }, now)) return true;
    const person = await findPerson(tx, accountId, 'operator', address);
    if (!person || !isReplacement(person)) return false;
    await this.#people.remove(tx, person, now);
    return true;
  }

  readonly handler: NoticeHandler = {
    // Nothing of the account has this name: `remove-factor` does not start a replacement.
    find: async () => null,
    carryOut: async (tx, { accountId, target: address }, now) => {
      const people = this.#people;
      const known = await findPerson(tx, accountId, 'operator', address);
      if (known && known.confirmedAt !== null) return removeOtherOperators(people, tx, known, now);
      for (const former of await peopleOfAccount(tx, accountId))
        if (isReplacement(former) && former.address !== address) await people.remove(tx, former, now);
      // Named anew, so that what a key named before does not count.
      if (known) await people.remove(tx, known, now);
      const named = { accountId, role: 'operator', address, by: ADMINISTRATOR, trustedFromStart: true } as const;
      const person = await addPerson(tx, named, now);
      await people.changed(tx, person, 'named', now);
      const payload = { personId: person.id, authority: await this.#deps.authority.of(tx, accountId) };
      await this.#deps.enqueueJob(tx, { kind: 'mail.confirm', payload, runAt: now });
    },
  };
}
