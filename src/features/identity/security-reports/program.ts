import { ApiError } from '../../../api/errors.ts';
import { FIXED_LIMITS } from '../../../api/metering/fixed-limits.ts';
import { limitReached } from '../../../api/metering/limit-reached.ts';
import { newestFirst, type Page } from '../../../api/page.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { newId } from '../../../base/ids.ts';
import { hashSecret, isProgramKey, keyPrefix, mintKey } from '../../../base/secret.ts';
import type { Program } from './finding-table.ts';
import { endProgram, findProgramByKey, insertProgram, listPrograms, programSlots } from './program-store.ts';

export const PROGRAMS_MAX = FIXED_LIMITS.programs.value;

/** Creates a program. @returns it and its key, which is shown once. @throws ApiError `program_limit` */
export async function createProgram(
  tx: Tx,
  accountId: string,
  { name, audience }: Pick<Program, 'name' | 'audience'>,
  now: number,
): Promise<{ program: Program; key: string }> {
  if (!(await programSlots.take(tx, accountId, PROGRAMS_MAX)))
    throw limitReached('programs', { used: PROGRAMS_MAX, max: PROGRAMS_MAX });
  const key = mintKey('program');
  const program: Program = {
    id: newId('prg', now),
    accountId,
    name,
    audience,
    keyHash: hashSecret(key),
    keyPrefix: keyPrefix(key, 'program'),
    createdAt: now,
    endedAt: null,
  };
  await insertProgram(tx, program);
  return { program, key };
}

/** Lists programs, newest first, including ended ones. @throws ApiError `invalid_cursor` */
export const programsOf = (
  reader: Reader,
  accountId: string,
  page: { cursor: string | undefined; limit: number },
): Promise<Page<Program>> =>
  newestFirst(
    'prg',
    page,
    (before, many) => listPrograms(reader, { accountId }, { id: before }, many),
    ({ id }) => id,
  );

/** Ends a program. @throws ApiError `not_found` */
export async function stopProgram(tx: Tx, accountId: string, id: string, now: number): Promise<void> {
  if (!(await endProgram(tx, { id, accountId, endedAt: now })))
    throw new ApiError('not_found', { message: 'This account has no such program, or it has already ended.' });
  await programSlots.giveBack(tx, accountId);
}

/** The program with this key, or null. A mistyped key is rejected without a query. */
export const programOfKey = async (reader: Reader, key: string): Promise<Program | null> =>
  isProgramKey(key) ? findProgramByKey(reader, hashSecret(key)) : null;
