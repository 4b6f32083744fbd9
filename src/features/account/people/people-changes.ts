import { isSetUp, isTrusted } from '../../../api/account/factor.ts';
import { requireNoDeletion } from '../../../api/account/pending-deletion.ts';
import type { Asker, NoticeKind, Notices } from '../../../api/account/removal-notices.ts';
import type { Authority } from '../../../api/authority.ts';
import { ApiError, invalidField } from '../../../api/errors.ts';
import type { AppendEvent, PersonChange } from '../../../api/events.ts';
import type { EnqueueJob } from '../../../api/job-types.ts';
import type { Limits } from '../../../api/limits.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Database, Reader, Tx } from '../../../api/transaction.ts';
import type { Gate } from '../../../api/way-out.ts';
import type { Awaitable } from '../../../base/lazy.ts';
import type { LinkMailer } from '../../service/mailer/link-mailer.ts';
import { dropConfirmation } from '../../service/mailer/mailed-link.ts';
import { findAccount, lockAccounts, suspensionWithin } from '../accounts/account-lifecycle.ts';
import { isRefused } from './confirmation-store.ts';
import { addPerson, confirmedPeople, factorOfPerson, isReplacement, type NamedPerson } from './person.ts';
import { deletePerson, findPerson, peopleOfAccount, savePerson } from './person-store.ts';
import type { Person, PersonRole } from './person-table.ts';
import { formerMail, operatorMail } from './role-change-mails.ts';

/** What the people of accounts need. Each part takes what it uses of this. */
export interface PeopleDeps {
  database: Database;
  gate: Gate;
  limits: Limits;
  notices: Notices;
  appendEvent: AppendEvent<Tx>;
  enqueueJob: EnqueueJob;
  /** Locks the account. @throws ApiError `operator_required` when only the operator may change addresses */
  requireAddressAuthority(tx: Tx, principal: Principal): Promise<void>;
  authority: {
    of(reader: Reader, accountId: string): Promise<Authority>;
    set(tx: Tx, accountId: string, authority: Authority): Promise<void>;
  };
  /** Ends the sessions and links of an address for one account. */
  endLogins(tx: Tx, accountId: string, address: string): Promise<void>;
  credentials: {
    /** Returns the principal of a session, or null. */
    authenticate(token: string, now: number): Awaitable<Principal | null>;
    /** Checks a session again, inside the transaction. @throws ApiError `unauthorized` when it has ended */
    confirm(tx: Tx, principal: Principal): Promise<void>;
  };
  mailer: LinkMailer;
  baseUrl(): string;
}

/** How a removal ends: at once, or when its notice does. `endsAt` in milliseconds. */
export interface Removal {
  status: 'ended' | 'scheduled';
  endsAt: number;
}

/** Called in the transaction in which an address stops being a confirmed operator of an account. */
export type PersonEnded = (tx: Tx, accountId: string, address: string) => Promise<void>;

export const NOTICE_OF_ROLE = {
  email: 'email',
  recovery: 'recovery_email',
  operator: 'operator',
} as const satisfies Record<PersonRole, NoticeKind>;

/** Names, replaces and removes the addresses of an account's people. The older factor wins (api/account/factor.ts). */
export class PeopleRules {
  readonly #deps: PeopleDeps;
  readonly #personEnded: PersonEnded[] = [];

  constructor(deps: PeopleDeps) {
    this.#deps = deps;
  }

  /** Calls `ended` for each address that may log in no more. For features that keep what its person decided. */
  watchPeople(ended: PersonEnded): void {
    this.#personEnded.push(ended);
  }

  /** Lists the addresses of an account, oldest first. */
  list(reader: Reader, accountId: string): Promise<Person[]> {
    return peopleOfAccount(reader, accountId);
  }

  /**
   * Sets or clears (null) the address that logs in when keys are lost. An old, confirmed address stands beside the new
   * one until its notice ends.
   * @throws ApiError as {@link Gate.require} for a pod; `operator_required`, `address_refused`, `removal_disputed`
   * @returns whether the address is confirmed already
   */
  async setRecovery(tx: Tx, principal: Principal, address: string | null, now: number): Promise<boolean> {
    const { accountId } = principal;
    await this.#deps.requireAddressAuthority(tx, principal);
    if (address !== null) {
      // Who logs in to a pod reads it, so its platform has a say.
      if (principal.parentId !== null) await this.#deps.gate.require(tx, principal, 'invite');
      await requireOpen(tx, principal);
      await requireWilling(tx, accountId, address);
    }
    for (const person of await peopleOfAccount(tx, accountId))
      if (person.role === 'recovery' && person.address !== address) await this.#end(tx, person, principal, now);
    if (address === null) return false;
    const named = await this.#name(tx, principal, { role: 'recovery', address }, null, now);
    return named.confirmedAt !== null;
  }

  /**
   * Replaces the recovery addresses of a pod for its platform; null clears them. At once, because a platform may end all
   * that a pod has. The new one counts as old once it is confirmed, so the pod's key removes it only with notice.
   * @throws ApiError `address_refused`
   */
  async replaceRecovery(
    tx: Tx,
    { accountId, by, address }: { accountId: string; by: string; address: string | null },
    now: number,
  ): Promise<void> {
    if (address !== null) await requireWilling(tx, accountId, address);
    let isNamed = false;
    for (const person of await peopleOfAccount(tx, accountId)) {
      if (person.role !== 'recovery') continue;
      if (person.address !== address) await this.remove(tx, person, now);
      else isNamed = person.confirmedAt !== null && person.removalDueAt === null;
    }
    if (address !== null && !isNamed)
      await this.#save(tx, { accountId, role: 'recovery', address, by, trustedFromStart: true }, null, now);
  }

  /**
   * Names an operator, who decides once the address is confirmed; null removes them all. Confirmed operators stay beside
   * a new one. One who is not confirmed gives way to the next.
   * @throws ApiError `operator_required`, `address_refused`, `removal_disputed`, `invalid_request` for an address of ours
   * @returns the operator; null: none was named
   */
  async setOperator(
    tx: Tx,
    principal: Principal,
    { address, authority }: { address: string | null; authority: Authority | null },
    now: number,
  ): Promise<Person | null> {
    const { accountId } = principal;
    if (address === null) await lockAccounts(tx, [accountId]);
    else {
      await this.#deps.requireAddressAuthority(tx, principal);
      await requireOpen(tx, principal);
      await requireWilling(tx, accountId, address);
      await this.requireOutside(tx, address);
    }
    for (const person of await peopleOfAccount(tx, accountId)) {
      const isReplaced = address === null || (person.confirmedAt === null && person.address !== address);
      if (person.role === 'operator' && isReplaced && !isReplacement(person))
        await this.#end(tx, person, principal, now);
    }
    return address === null ? null : this.#name(tx, principal, { role: 'operator', address }, authority, now);
  }

  /** @throws ApiError `not_found`, `operator_required`, `removal_disputed`; `older_factor_required` for one that the administrator named */
  async removeOperator(tx: Tx, principal: Principal, address: string, now: number): Promise<Removal> {
    await lockAccounts(tx, [principal.accountId]);
    const person = await findPerson(tx, principal.accountId, 'operator', address);
    if (!person) throw new ApiError('not_found', { message: 'This account has no such operator.' });
    // The controller of an account that lost its operators would keep out the next one for ever.
    if (isReplacement(person)) throw new ApiError('older_factor_required');
    return this.#end(tx, person, principal, now);
  }

  /** Removes an address now: its sessions and links end, and those whom it concerns are told. */
  async remove(tx: Tx, person: Person, now: number, change: PersonChange = 'removed'): Promise<void> {
    const { accountId, role, address, confirmedAt } = person;
    if (!(await deletePerson(tx, person.id))) return;
    await dropConfirmation(tx, person.id);
    await this.#deps.notices.drop(tx, { accountId, what: NOTICE_OF_ROLE[role], target: address });
    await this.changed(tx, person, change, now);
    const left = await confirmedPeople(tx, accountId);
    if (role === 'operator' || !left.some((other) => other.address === address)) {
      await this.#deps.endLogins(tx, accountId, address);
      // A client that the address let in would go on without it.
      for (const ended of this.#personEnded) await ended(tx, accountId, address);
    }
    if (confirmedAt === null) return;
    const isFormerTold = change === 'removed' && (await this.#deps.notices.isOutside(tx, address));
    const payload = { to: address, ...formerMail(person) };
    if (isFormerTold) await this.#deps.enqueueJob(tx, { kind: 'mail.told', payload, runAt: now });
    if (role !== 'operator') return;
    await this.#deps.notices.notify(tx, accountId, operatorMail(person, 'removed'), now);
    if (!left.some((other) => other.role === 'operator')) await this.#deps.authority.set(tx, accountId, 'account');
  }

  /** Appends the event of a change. */
  changed(tx: Tx, { accountId, id, role, address }: Person, change: PersonChange, now: number): Promise<void> {
    const data = { person_id: id, role, address, change };
    return this.#deps.appendEvent(tx, { accountId, type: 'account.person_changed', data, now });
  }

  /** @throws ApiError `invalid_request` for an address whose mail this service receives: an agent may read it */
  async requireOutside(reader: Reader, address: string): Promise<void> {
    if (await this.#deps.notices.isOutside(reader, address)) return;
    const message = 'This service receives the mail of this address. An operator needs one elsewhere.';
    throw invalidField('/body/email', 'own_address', message);
  }

  async #end(tx: Tx, person: Person, principal: Principal, now: number): Promise<Removal> {
    const { notices } = this.#deps;
    const { accountId, role, address, removalDueAt } = person;
    const asker = await notices.askerOf(tx, principal);
    const factor = { ...factorOfPerson(person), address };
    // What stands for less than seven days falls, even under an authority that it took.
    const isPlanted = !isTrusted(factor, now) && !(person.confirmedAt === null && person.oldWhenConfirmed);
    const isHandedOver = (await this.#deps.authority.of(tx, accountId)) === 'operator';
    if (!isPlanted && isHandedOver && !principal.operator) throw new ApiError('operator_required');
    const isFactor = await notices.isOutside(tx, address);
    if (!isFactor || notices.removesAtOnce(factor, asker, now)) {
      await this.remove(tx, person, now);
      return { status: 'ended', endsAt: now };
    }
    if (removalDueAt !== null) return { status: 'scheduled', endsAt: removalDueAt };
    const { endsAt } = await notices.start(tx, {
      accountId,
      what: NOTICE_OF_ROLE[role],
      target: address,
      by: asker,
      now,
    });
    await savePerson(tx, { ...person, removalDueAt: endsAt });
    return { status: 'scheduled', endsAt };
  }

  async #name(
    tx: Tx,
    principal: Principal,
    { role, address }: { role: PersonRole; address: string },
    authority: Authority | null,
    now: number,
  ): Promise<Person> {
    const { accountId } = principal;
    const asker = await this.#deps.notices.askerOf(tx, principal);
    const trustedFromStart = await this.#isTrustedFromStart(tx, accountId, asker, now);
    return this.#save(tx, { accountId, role, address, by: asker.actor, trustedFromStart }, authority, now);
  }

  /** Stores an address that was named, and asks its owner unless it is confirmed already. */
  async #save(tx: Tx, named: NamedPerson, authority: Authority | null, now: number): Promise<Person> {
    const { notices, enqueueJob } = this.#deps;
    const { accountId, role, address } = named;
    const known = await findPerson(tx, accountId, role, address);
    // A recovery address that is named again stays. An operator's removal ends in its own ways.
    const removalDueAt = role === 'recovery' ? null : (known?.removalDueAt ?? null);
    const person = known ? { ...known, namedAt: now, removalDueAt } : await addPerson(tx, named, now);
    if (known) await savePerson(tx, person);
    if (known?.removalDueAt !== removalDueAt)
      await notices.supersede(tx, { accountId, what: NOTICE_OF_ROLE[role], target: address });
    if (!known) await this.changed(tx, person, 'named', now);
    if (person.confirmedAt === null)
      await enqueueJob(tx, { kind: 'mail.confirm', payload: { personId: person.id, authority }, runAt: now });
    return person;
  }

  /** Whether what the caller names counts as old: it belongs to the set-up, or an old address names it. */
  async #isTrustedFromStart(tx: Tx, accountId: string, { address }: Asker, now: number): Promise<boolean> {
    const account = await findAccount(tx, accountId);
    if (account && isSetUp(account.createdAt, now)) return true;
    if (address === null) return false;
    const people = await confirmedPeople(tx, accountId);
    return people.some((person) => person.address === address && isTrusted(factorOfPerson(person), now));
  }
}

/** @throws ApiError `address_refused`: its owner said that this is not their agent */
export async function requireWilling(tx: Tx, accountId: string, address: string): Promise<void> {
  if (await isRefused(tx, accountId, address)) throw new ApiError('address_refused');
}

/**
 * Neither a suspension by an operator nor a pending deletion bars clearing an address. Naming one, they do.
 * @throws ApiError `account_deleting`, `account_suspended`, `pod_suspended`
 */
async function requireOpen(tx: Tx, principal: Principal): Promise<void> {
  requireNoDeletion(principal);
  const { accountId, parentId, operator } = principal;
  const account = await findAccount(tx, accountId);
  const parent = parentId === null ? null : await findAccount(tx, parentId);
  if (operator || !account || suspensionWithin(account, parent) === 'none') return;
  throw new ApiError(parentId === null ? 'account_suspended' : 'pod_suspended');
}
