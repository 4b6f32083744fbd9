import type { Tx } from '../../../../api/transaction.ts';
import { listAttachments, readBodyHead } from '../content/content-store.ts';
import { setSearchDoc } from '../messages/message-store.ts';
import type { Message } from '../messages/message-table.ts';
import { BODY_CHARS, indexMessage, nextSearchDoc, searchWordsOf } from './mail-search.ts';

/** Gives a stored message a place in the search index. */
export async function indexOlder(tx: Tx, message: Message): Promise<void> {
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
