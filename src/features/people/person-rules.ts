import type { Factor } from '../../kernel/factor.ts';
import type { Reader } from '../../kernel/transaction.ts';
import type { Person } from './person-data.ts';
import { peopleOfAccount } from './person-store.ts';

export type { Person };

/** The age of a person's address: it begins at its confirmation. */
export const factorOfPerson = ({ confirmedAt, oldWhenConfirmed }: Person): Factor => ({
  since: confirmedAt,
  bornOld: oldWhenConfirmed,
});

/** Lists the confirmed operators of an account, oldest first: at most three. Each of them decides. */
export const confirmedOperators = async (reader: Reader, accountId: string): Promise<Person[]> =>
  (await peopleOfAccount(reader, accountId)).filter(
    ({ role, confirmedAt }) => role === 'operator' && confirmedAt !== null,
  );

/** A person whose address is confirmed. */
export type ConfirmedPerson = Person & { confirmedAt: number };

/** Lists the confirmed addresses of an account in every role, oldest first. */
export const confirmedPeople = async (reader: Reader, accountId: string): Promise<ConfirmedPerson[]> =>
  (await peopleOfAccount(reader, accountId)).filter((person): person is ConfirmedPerson => person.confirmedAt !== null);
