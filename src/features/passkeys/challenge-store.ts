import { tables } from '../../db/statement.ts';
import type { RowOf } from '../../kernel/column-map.ts';
import type { Tx } from '../../kernel/transaction.ts';
import { CHALLENGES, type Challenge } from './passkey-data.ts';

type Row = RowOf<typeof CHALLENGES>;

const sql = tables<{ passkey_challenges: Row }>();

const insertRow = sql((q, p: Row) => q.insertInto('passkey_challenges').values(CHALLENGES.values(p)));
/** Takes a challenge in one statement, so that one of several parallel answers gets it. */
const take = sql((q, p: { hash: string; now: number }) =>
  q.deleteFrom('passkey_challenges').where('hash', '=', p.hash).where('expires_at', '>', p.now).returning(['bound_to']),
);
const forgetExpired = sql((q, p: { now: number }) =>
  q.deleteFrom('passkey_challenges').where('expires_at', '<=', p.now),
);

export const insertChallenge = async (tx: Tx, challenge: Challenge): Promise<void> =>
  void (await tx.run(insertRow, CHALLENGES.toRow(challenge)));

/** Takes a challenge. @returns what may answer it, or null when it is unknown, used or expired */
export const takeChallenge = async (tx: Tx, hash: string, now: number): Promise<string | null> =>
  (await tx.first(take, { hash, now }))?.bound_to ?? null;

export const purgeChallenges = (tx: Tx, now: number): Promise<number> => tx.run(forgetExpired, { now });
