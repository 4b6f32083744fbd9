import type { Factor } from '../../kernel/factor.ts';
import type { Reader } from '../../kernel/transaction.ts';
import type { Person } from './person-data.ts';
import { findPerson, operatedBy, peopleOfAccount, waitingFor } from './person-store.ts';

export type { Person };
export { operatedBy, waitingFor };

/** The age of a person's address: it begins at its confirmation. */
export const factorOfPerson = ({ confirmedAt, oldWhenConfirmed }: Person): Factor => ({
  since: confirmedAt,
  bornOld: oldWhenConfirmed,
});

/** Lists every address of people of an account, oldest first. */
export const peopleOf = peopleOfAccount;

/** Whether an address is a confirmed operator of an account. */
export async function isConfirmedOperator(reader: Reader, accountId: string, address: string): Promise<boolean> {
  const person = await findPerson(reader, accountId, 'operator', address);
  return person !== null && person.confirmedAt !== null;
}

/** Lists the confirmed operators of an account, oldest first: at most three. Each of them decides. */
export const confirmedOperators = async (reader: Reader, accountId: string): Promise<Person[]> =>
  (await peopleOfAccount(reader, accountId)).filter(
    ({ role, confirmedAt }) => role === 'operator' && confirmedAt !== null,
  );
