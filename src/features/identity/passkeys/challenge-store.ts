import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { CHALLENGES } from './passkey-table.ts';

export const insertChallenge = CHALLENGES.insert();

const sql = tables<{ passkey_challenges: RowOf<typeof CHALLENGES> }>();

const byHash = sql((q, p: { hash: string; now: number }) =>
  q.selectFrom('passkey_challenges').select('bound_to').where('hash', '=', p.hash).where('expires_at', '>', p.now),
);
/** Takes a challenge in one statement, so that one of several parallel answers gets it. */
const take = sql((q, p: { hash: string; now: number }) =>
  q.deleteFrom('passkey_challenges').where('hash', '=', p.hash).where('expires_at', '>', p.now),
);
const forgetExpired = sql((q, p: { now: number }) =>
  q.deleteFrom('passkey_challenges').where('expires_at', '<=', p.now),
);

/** Finds what may answer a challenge. Null: it is unknown, used or expired. */
export const findChallenge = async (reader: Reader, hash: string, now: number): Promise<string | null> =>
  (await reader.first(byHash, { hash, now }))?.bound_to ?? null;

/** Uses a challenge up. @returns false when it is unknown, used or expired */
export const takeChallenge = async (tx: Tx, hash: string, now: number): Promise<boolean> =>
  (await tx.run(take, { hash, now })) === 1;

export const purgeChallenges = (tx: Tx, now: number): Promise<number> => tx.run(forgetExpired, { now });
