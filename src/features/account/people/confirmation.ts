import type { Authority } from '../../../api/authority.ts';
import { ApiError } from '../../../api/errors.ts';
import type { Limits } from '../../../api/limits.ts';
import { FIXED_LIMITS } from '../../../api/metering/fixed-limits.ts';
import { limitReached } from '../../../api/metering/limit-reached.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { isId } from '../../../base/ids.ts';
import { dropConfirmation, findConfirmation, findLink, mintLink } from '../../service/mailer/mailed-link.ts';
import { requireBeyondMail, requireLoginMethod } from '../../service/settings/operator-settings.ts';
import { lockAccounts } from '../accounts/account-lifecycle.ts';
import { askerOf } from '../addresses/address-asker.ts';
import { saveRefusal } from './confirmation-store.ts';
import { removeOtherOperators } from './operator-replacement.ts';
import type { PeopleDeps, PeopleRules } from './people-changes.ts';
import { confirmedOperators, isReplacement } from './person.ts';
import { peopleOfAccount, personById, savePerson } from './person-store.ts';
import type { Person } from './person-table.ts';
import { operatorMail } from './role-change-mails.ts';

/** What proves the address: the token of a link, or a session of the address, which names what it means by id. */
export type AddressProof = { token: string } | { id: string; principal: Principal };

/** An address that its owner has proven, and may confirm or refuse. */
interface ProvenPerson {
  person: Person;
  /** What the page proposes for "Must you approve spending and changes?". */
  authority: Authority | null;
}

/** Makes a new link for an address; the one before ends. @returns its token */
export function mintConfirmation(
  tx: Tx,
  { id: subject, accountId, address: email }: Person,
  authority: Authority | null,
  limits: Pick<Limits, 'confirmation_ttl_seconds'>,
  now: number,
): Promise<string> {
  const expiresAt = now + limits.confirmation_ttl_seconds * 1000;
  return mintLink(tx, { kind: 'confirmation', accountId, subject, email, detail: authority, expiresAt });
}

/** Finds what a proof is for. @throws ApiError `invalid_token`; `not_found` for an id of another address */
async function provenPerson(reader: Reader, proof: AddressProof, now: number): Promise<ProvenPerson> {
  if ('token' in proof) {
    const link = await findLink(reader, 'confirmation', proof.token, now);
    const person = link && (await personById(reader, link.subject));
    if (!person) throw new ApiError('invalid_token');
    return { person, authority: link.detail };
  }
  const person = isId('per', proof.id) ? await personById(reader, proof.id) : null;
  if (person?.address !== proof.principal.person) throw new ApiError('not_found');
  return { person, authority: (await findConfirmation(reader, person.id))?.detail ?? null };
}

/** Finds what a proof is for, and who asks. @throws ApiError `invalid_token`, `not_found` */
export async function readQuestion(reader: Reader, proof: AddressProof, now: number) {
  const proven = await provenPerson(reader, proof, now);
  return { ...proven, agent: await askerOf(reader, proven.person.accountId) };
}

/** Takes the decision of the person whose address was named. */
export class ConfirmationRules {
  readonly #people: PeopleRules;
  readonly #deps: PeopleDeps;

  constructor(people: PeopleRules, deps: PeopleDeps) {
    this.#people = people;
    this.#deps = deps;
  }

  /**
   * Confirms an address. `authority: operator` reserves spending and changes to the operators.
   * @throws ApiError `invalid_token`, `not_found`, `operator_limit`; `operator_required`: the account has operators who
   * decide, and none of them named this one; `passkey_required`
   */
  async confirm(tx: Tx, proof: AddressProof, authority: Authority | null, now: number): Promise<Person> {
    const people = this.#people;
    const person = await this.#lock(tx, proof, 'confirm', now);
    const { accountId, role, address } = person;
    await dropConfirmation(tx, person.id);
    const isNew = person.confirmedAt === null;
    const confirmed = { ...person, confirmedAt: person.confirmedAt ?? now };
    if (role === 'operator') {
      if (isNew && !isReplacement(person)) await this.#requirePlace(tx, person);
      await people.requireOutside(tx, address);
    }
    if (isNew) {
      // Before the row is saved: the person who has just pressed the button needs no mail.
      if (role === 'operator') await this.#deps.notices.notify(tx, accountId, operatorMail(confirmed, 'added'), now);
      await savePerson(tx, confirmed);
      await people.changed(tx, confirmed, 'confirmed', now);
      if (isReplacement(person)) await removeOtherOperators(people, tx, confirmed, now);
    }
    if (role === 'operator' && authority === 'operator') await this.#deps.authority.set(tx, accountId, 'operator');
    return confirmed;
  }

  /**
   * Takes the word of a person that this is not their agent: the address goes from the account in every role that is not
   * confirmed, and in this one, and the account cannot name it again. @throws ApiError `invalid_token`, `not_found`
   */
  async refuse(tx: Tx, proof: AddressProof, now: number): Promise<Person> {
    const person = await this.#lock(tx, proof, 'refuse', now);
    const { accountId, address } = person;
    await saveRefusal(tx, { accountId, address, refusedAt: now });
    for (const other of await peopleOfAccount(tx, accountId)) {
      const isRefused = other.id === person.id || (other.address === address && other.confirmedAt === null);
      if (isRefused) await this.#people.remove(tx, other, now, 'refused');
    }
    return person;
  }

  /**
   * Finds the person again under the lock of the account. Who requires a passkey becomes an operator, and changes a
   * confirmed role, with a passkey. The mailbox is enough to refuse a role that waits, and to confirm the address of a
   * login. @throws ApiError `passkey_required`
   */
  async #lock(tx: Tx, proof: AddressProof, decision: 'confirm' | 'refuse', now: number): Promise<Person> {
    const { accountId } = (await provenPerson(tx, proof, now)).person;
    await lockAccounts(tx, [accountId]);
    const { person } = await provenPerson(tx, proof, now);
    const gains = decision === 'confirm' && person.role === 'operator';
    if (person.confirmedAt === null && !gains) return person;
    await ('token' in proof ? requireBeyondMail(tx, person.address) : requireLoginMethod(tx, proof.principal));
    return person;
  }

  async #requirePlace(tx: Tx, { accountId, namedBy }: Person): Promise<void> {
    const operators = await confirmedOperators(tx, accountId);
    const max = FIXED_LIMITS.operators.value;
    if (operators.length >= max) throw limitReached('operators', { used: operators.length, max });
    // A key may have named this operator before the others took the authority.
    const isHandedOver = operators.length > 0 && (await this.#deps.authority.of(tx, accountId)) === 'operator';
    if (isHandedOver && !operators.some(({ address }) => address === namedBy))
      throw new ApiError('operator_required', {
        message: 'The operators of this account decide who joins them. Ask one of them to name you.',
      });
  }
}
