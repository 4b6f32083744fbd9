import type { Database } from '../../../../api/transaction.ts';
import { lockUnindexed } from '../messages/message-store.ts';
import { indexOlder } from './older-mail-index.ts';

/** Messages per transaction. Other writers get their turn in between. */
const AT_A_TIME = 20;

/** Indexes messages from before there was an index, newest first. Several instances may run it at a time. */
export async function reindex(database: Database, isStopping: () => boolean): Promise<void> {
  let found = AT_A_TIME;
  while (found > 0 && !isStopping()) {
    found = await database.transaction(async (tx) => {
      const older = await lockUnindexed(tx, AT_A_TIME);
      for (const message of older) await indexOlder(tx, message);
      return older.length;
    });
  }
}
