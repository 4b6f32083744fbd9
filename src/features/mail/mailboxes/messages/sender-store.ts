import type { Tx } from '../../../../api/transaction.ts';
import { SENDERS } from './sender-table.ts';

const insertSender = SENDERS.insertNew();

/** Remembers that an account had mail from an address. @returns true when it is the first */
export const addSender = (tx: Tx, accountId: string, address: string, now: number): Promise<boolean> =>
  insertSender(tx, { accountId, sender: address.toLowerCase(), firstAt: now });
