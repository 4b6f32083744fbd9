import type { Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { INVITES } from './invite-table.ts';

export const insertInvite = INVITES.insert();

const sql = tables<{ invites: RowOf<typeof INVITES> }>();

/** Checks and uses an invite in one statement, so that one of several parallel calls gets the row. */
const takeRow = sql((q, p: { hash: string; now: number }) =>
  q.deleteFrom('invites').where('hash', '=', p.hash).where('expires_at', '>', p.now).returning('id'),
);

const forgetExpired = sql((q, p: { now: number }) => q.deleteFrom('invites').where('expires_at', '<=', p.now));

/** @returns false when the invite is unknown, used or expired */
export const takeInvite = async (tx: Tx, hash: string, now: number): Promise<boolean> =>
  (await tx.first(takeRow, { hash, now })) !== undefined;

export const purgeInvites = (tx: Tx, now: number): Promise<number> => tx.run(forgetExpired, { now });
