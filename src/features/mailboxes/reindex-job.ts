import type { Database, Tx } from '../../kernel/transaction.ts';
import { listAttachments, readBodyHead } from './content-store.ts';
import type { Message } from './message-data.ts';
import { lockUnindexed, setSearchDoc } from './message-store.ts';
import { BODY_CHARS, indexMessage, nextSearchDoc, searchWordsOf } from './search-rules.ts';

/** Messages per transaction. Other writers get their turn in between. */
const AT_A_TIME = 20;

async function indexOlder(tx: Tx, message: Message): Promise<void> {
  const { id, contentId, fromAddress, fromName, recipients, subject } = message;
  const bare = (address: string) => ({ address, name: '' });
  const words = searchWordsOf(
    {
      from: { address: fromAddress, name: fromName ?? '' },
      to: recipients.to.map(bare),
      cc: recipients.cc.map(bare),
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
