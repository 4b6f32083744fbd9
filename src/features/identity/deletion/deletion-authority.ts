import { type Factor, isTrusted } from '../../../api/account/factor.ts';
import type { Asker } from '../../../api/account/removal-notices.ts';
import { ApiError } from '../../../api/errors.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader } from '../../../api/transaction.ts';
import { confirmedOperators, factorOfPerson, isOperator } from '../../account/people/person.ts';
import type { Deletion } from './deletion-table.ts';

/** Who asks on the command line and the administration API. Only the administrator cancels what they asked for. */
export const ADMINISTRATOR = 'administrator';

/** Who asks for a deletion, or for an end of it. */
export type DeletionCaller = Principal | typeof ADMINISTRATOR;

/** How a deletion remembers who asked for it. */
type AskerFields = Pick<Deletion, 'askedBy' | 'askerKind' | 'askerSince' | 'askerBornOld'>;

/** The name of a caller in events, and in the mail to people. */
export const nameOf = (caller: DeletionCaller): string =>
  caller === ADMINISTRATOR ? ADMINISTRATOR : (caller.person ?? caller.actor);

export async function askerFieldsOf(reader: Reader, caller: DeletionCaller): Promise<AskerFields> {
  const none = { askedBy: nameOf(caller), askerSince: null, askerBornOld: false };
  if (caller === ADMINISTRATOR) return { ...none, askerKind: 'administrator' };
  const { accountId, person, operator, sessionHash } = caller;
  if (!operator) return { ...none, askerKind: sessionHash === null ? 'key' : 'session' };
  const operators = await confirmedOperators(reader, accountId);
  const found = operators.find(({ address }) => address === person);
  if (!found) throw new ApiError('operator_required');
  const { since, trustedFromStart } = factorOfPerson(found);
  return { ...none, askerKind: 'operator', askerSince: since, askerBornOld: trustedFromStart };
}

/** The operator who asked, as a factor. */
const factorOf = ({ askerSince, askerBornOld }: Deletion): Factor => ({
  since: askerSince,
  trustedFromStart: askerBornOld,
});

/** Whether an operator asked who is still young. The older factor wins: such a deletion is no operator's decision yet. */
export const isByYoungOperator = (deletion: Deletion, now: number): boolean =>
  deletion.askerKind === 'operator' && !isTrusted(factorOf(deletion), now);

/**
 * Whether a caller may cancel a deletion: who asked for it decides. What an operator asked for is cancelled by that
 * operator, by a session of an address that was confirmed earlier, and once that operator is gone, by the others. Keys
 * cancel it only while that operator is young.
 * @param asker the caller as a factor. Read only if it matters
 */
export async function mayCancel(
  reader: Reader,
  deletion: Deletion,
  { caller, asker }: { caller: Principal; asker(): Promise<Asker> },
  now: number,
): Promise<boolean> {
  const { accountId, askerKind, askedBy, askerSince } = deletion;
  if (askerKind !== 'operator') return askerKind !== 'administrator';
  if (caller.sessionHash === null) return isByYoungOperator(deletion, now);
  if (caller.operator && (caller.person === askedBy || !(await isOperator(reader, accountId, askedBy)))) return true;
  const { confirmedSince } = await asker();
  return confirmedSince !== null && askerSince !== null && confirmedSince < askerSince;
}

/** @throws ApiError why this caller may not cancel the deletion */
export function refuseCancelling({ askerKind }: Deletion): never {
  if (askerKind === 'administrator')
    throw new ApiError('account_deleting', { message: 'The administrator of this service deletes this account.' });
  throw new ApiError('operator_required', {
    message:
      'An operator began this deletion. Only that operator, or a session of an address that was confirmed earlier, can cancel it.',
  });
}
