import type { Database, Tx } from '../../kernel/transaction.ts';
import { listAttachments, readBodyHead } from './content-store.ts';
import type { Message } from './message-data.ts';
import { lockUnindexed, setSearchDoc } from './message-store.ts';
import { BODY_CHARS, indexMessage, nextSearchDoc, searchWordsOf } from './search-rules.ts';

/** Messages a transaction: other writers get their turn in between. */
const AT_A_TIME = 20;

async function indexOlder(tx: Tx, message: Message): Promise<void> {
  const { id, contentId, fromAddress, fromName, to, cc, subject } = message;
  const bare = (address: string) => ({ address, name: '' });
  const words = searchWordsOf(
    {
      from: { address: fromAddress, name: fromName ?? '' },
      to: to.map(bare),
      cc: cc.map(bare),
      subject,
      text: await readBodyHead(tx, contentId, BODY_CHARS),
      attachments: message.attachments > 0 ? await listAttachments(tx, contentId) : [],
    },
    1,
  );
  const searchDoc = await nextSearchDoc(tx, message.receivedAt);
  await setSearchDoc(tx, id, searchDoc);
  await indexMessage(tx, { ...message, searchDoc }, words);
}

/** Puts into the index what arrived before there was one, newest first; any number of instances may be at it. */
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
