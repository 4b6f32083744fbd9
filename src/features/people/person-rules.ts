import type { Factor } from '../../kernel/factor.ts';
import type { Reader } from '../../kernel/transaction.ts';
import type { Person } from './person-data.ts';
import { peopleOfAccount, peopleOfAddress } from './person-store.ts';

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

/** Lists the accounts of which an address is a confirmed operator, the one confirmed first at the start. */
export const operatedBy = async (reader: Reader, address: string): Promise<string[]> =>
  (await peopleOfAddress(reader, address))
    .filter(({ role, confirmedAt }) => role === 'operator' && confirmedAt !== null)
    .sort((a, b) => (a.confirmedAt as number) - (b.confirmedAt as number))
    .map(({ accountId }) => accountId);
