import { ApiError } from '../../../api/errors.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { hashSecret } from '../../../base/secret.ts';
import { CEREMONY_MS, challengeIn } from './ceremony.ts';
import { findChallenge, insertChallenge, purgeChallenges, takeChallenge } from './challenge-store.ts';

/** A registration is answered in the session that asked for it. */
export const registrationOf = (sessionHash: string | null): string => `register:${sessionHash}`;

/** A login is answered by a passkey of the address that was named. Null: by any. */
export const loginOf = (address: string | null): string => `login:${address === null ? '' : hashSecret(address)}`;

/** Stores a challenge by its hash. @param boundTo what may answer it */
export const keepChallenge = (tx: Tx, challenge: string, boundTo: string, now: number): Promise<void> =>
  insertChallenge(tx, { hash: hashSecret(challenge), boundTo, expiresAt: now + CEREMONY_MS });

/**
 * Finds the challenge that an answer claims to answer.
 * @param boundTo what the answer is for. Several: any of them
 * @throws ApiError `invalid_passkey` when it is unknown, used, expired or bound to something else
 */
export async function expectedChallenge(
  reader: Reader,
  clientDataJSON: string,
  boundTo: readonly string[],
  now: number,
): Promise<string> {
  const challenge = challengeIn(clientDataJSON);
  const found = challenge === null ? null : await findChallenge(reader, hashSecret(challenge), now);
  if (challenge === null || found === null || !boundTo.includes(found)) throw new ApiError('invalid_passkey');
  return challenge;
}

/** Uses a challenge up, so that of several parallel answers one counts. @throws ApiError `invalid_passkey` when it is gone */
export async function spendChallenge(tx: Tx, challenge: string, now: number): Promise<void> {
  if ((await takeChallenge(tx, hashSecret(challenge), now)) === 0) throw new ApiError('invalid_passkey');
}

/** Uses a challenge up after a wrong answer, so that there is no second try. */
export const burnChallenge = async (tx: Tx, challenge: string, now: number): Promise<void> =>
  void (await takeChallenge(tx, hashSecret(challenge), now));

export { purgeChallenges };
