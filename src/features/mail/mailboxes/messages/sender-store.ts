import type { Tx } from '../../../../api/transaction.ts';
import type { RowOf } from '../../../../db/column-map.ts';
import { tables } from '../../../../db/statement.ts';
import { SENDERS } from './sender-table.ts';

type Row = RowOf<typeof SENDERS>;

const sql = tables<{ mail_senders: Row }>();

const insertRow = sql((q, p: Row) =>
  q
    .insertInto('mail_senders')
    .values(SENDERS.values(p))
    .onConflict((oc) => oc.doNothing()),
);

/** Remembers that an account had mail from an address. @returns true when it is the first */
export const addSender = async (tx: Tx, accountId: string, address: string, now: number): Promise<boolean> =>
  (await tx.run(insertRow, SENDERS.toRow({ accountId, sender: address.toLowerCase(), firstAt: now }))) === 1;
