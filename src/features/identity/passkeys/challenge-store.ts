import type { Reader } from '../../../api/transaction.ts';
import { CHALLENGES } from './passkey-table.ts';

export const insertChallenge = CHALLENGES.insert();
const findOpen = CHALLENGES.find(['hash', 'expiresAt']);
/** Uses a challenge up, one of several parallel answers. @returns 0 when it is unknown, used or expired */
export const takeChallenge = CHALLENGES.remove(['hash', 'expiresAt']);
export const purgeChallenges = CHALLENGES.purge('expiresAt');

/** Finds what may answer a challenge. Null: it is unknown, used or expired. */
export const findChallenge = async (reader: Reader, hash: string, now: number): Promise<string | null> =>
  (await findOpen(reader, hash, now))?.boundTo ?? null;
