import { ApiError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { limitReached } from '../../kernel/limit-reached.ts';
import { FIXED_LIMITS } from '../../kernel/limits.ts';
import { decodeCursor, pageOf } from '../../kernel/page.ts';
import { hashSecret, isProgramKey, keyPrefix, mintKey } from '../../kernel/secret.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import type { Program } from './finding-data.ts';
import { endProgram, findProgramByKey, insertProgram, listPrograms } from './program-store.ts';

export const PROGRAMS_MAX = FIXED_LIMITS.programs.value;

/** Above every id of any kind. */
const LAST = '~';

/** The id that a page goes on before. @throws ApiError `invalid_cursor` */
export function cursorId(cursor: string | undefined): string {
  if (cursor === undefined) return LAST;
  const keys = decodeCursor(cursor, ['string']);
  if (!keys) throw new ApiError('invalid_cursor');
  return keys[0] as string;
}

/** @returns the program and its key, which is shown once. @throws ApiError `program_limit` */
export async function createProgram(
  tx: Tx,
  accountId: string,
  { name, audience }: Pick<Program, 'name' | 'audience'>,
  now: number,
): Promise<{ program: Program; key: string }> {
  const key = mintKey('program');
  const program: Program = {
    id: newId('prg', now),
    accountId,
    name,
    audience,
    keyPrefix: keyPrefix(key, 'program'),
    createdAt: now,
    endedAt: null,
  };
  if (!(await insertProgram(tx, program, hashSecret(key), PROGRAMS_MAX)))
    throw limitReached('programs', { used: PROGRAMS_MAX, max: PROGRAMS_MAX });
  return { program, key };
}

/** Newest first, ended ones too. */
export async function programsOf(reader: Reader, accountId: string, cursor: string | undefined, limit: number) {
  return pageOf(await listPrograms(reader, accountId, cursorId(cursor), limit + 1), limit, ({ id }) => [id]);
}

/** @throws ApiError `not_found` */
export async function stopProgram(tx: Tx, accountId: string, id: string, now: number): Promise<void> {
  if (!(await endProgram(tx, accountId, id, now)))
    throw new ApiError('not_found', { message: 'This account has no such program, or it has ended.' });
}

/** The program whose key this is, or null. A mistyped one is refused without a look-up. */
export const programOfKey = async (reader: Reader, key: string): Promise<Program | null> =>
  isProgramKey(key) ? findProgramByKey(reader, hashSecret(key)) : null;
