import type { Erasure } from '../../../api/account/erasure.ts';
import type { Tx } from '../../../api/transaction.ts';
import { rowsOf, someRowsOf } from '../../../db/account-rows.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { releaseContent } from './content/mail-content.ts';
import { deleteMessage } from './messages/message-store.ts';
import { MESSAGES } from './messages/message-table.ts';
import { deleteSent } from './messages/sent-store.ts';
import { OUTBOX } from './messages/sent-table.ts';
import { takeOut } from './quarantine/quarantine-store.ts';

/** Mail belongs to an address. */
const OF_ADDRESSES = { by: 'address', through: { table: 'addresses', id: 'address' } };
const someMessages = someRowsOf('messages', MESSAGES.names as [string], OF_ADDRESSES);
const someOfAddress = someRowsOf('messages', MESSAGES.names as [string], { by: 'address' });
const SENT = ['id', 'account_id', 'address', 'content_id', 'metadata'] as const;
const someSentOfAddress = someRowsOf('outbox', SENT, {
  by: 'thread_id',
  through: { table: 'threads', id: 'id', by: 'address' },
});
const threadsOfAddress = rowsOf('threads', ['id'], { by: 'address' });
const someSent = someRowsOf('outbox', SENT);

async function deleteMessages(tx: Tx, rows: readonly object[]): Promise<number> {
  for (const row of rows as RowOf<typeof MESSAGES>[]) {
    const message = MESSAGES.fromRow(row);
    await deleteMessage(tx, message);
    await takeOut(tx, message.id);
    await releaseContent(tx, message.contentId);
  }
  return rows.length;
}

async function deleteSentRows(tx: Tx, rows: readonly object[]): Promise<number> {
  for (const row of rows as Pick<RowOf<typeof OUTBOX>, (typeof SENT)[number]>[]) {
    const { id, account_id: accountId, address, content_id: contentId, metadata } = row;
    const kept = await deleteSent(tx, { id, accountId, address, metadata: OUTBOX.columns.metadata.read(metadata) });
    for (const held of [contentId, kept]) if (held !== null) await releaseContent(tx, held);
  }
  return rows.length;
}

/** Deletes the messages of an account. A content goes with its last copy: others may hold one. */
const messages: Erasure = {
  tables: ['messages', 'message_terms', 'message_words'],
  run: async (tx, accountId, limit) => deleteMessages(tx, await someMessages(tx, accountId, limit)),
};

const sent: Erasure = {
  tables: ['outbox', 'outbox_terms', 'sent_texts', 'sent_contents'],
  run: async (tx, accountId, limit) => deleteSentRows(tx, await someSent(tx, accountId, limit)),
};

/** What an account received and sent. */
export const mailErasures: readonly Erasure[] = [
  messages,
  sent,
  rowsOf('threads', ['id'], OF_ADDRESSES),
  rowsOf('mailbox_folders', ['address', 'folder'], OF_ADDRESSES),
  rowsOf('mailbox_uids', ['address', 'folder', 'uid'], OF_ADDRESSES),
  rowsOf('mailbox_vanished', ['address', 'folder', 'modseq', 'uid'], OF_ADDRESSES),
];

/** Deletes the mail of one address, received and sent, at most `limit` rows. @returns how many, and how many were mails */
export async function emptyAddress(tx: Tx, address: string, limit: number): Promise<{ rows: number; mails: number }> {
  let left = limit;
  left -= await deleteMessages(tx, await someOfAddress(tx, address, left));
  if (left > 0) left -= await deleteSentRows(tx, await someSentOfAddress(tx, address, left));
  const mails = limit - left;
  if (left > 0) left -= await threadsOfAddress.run(tx, address, left);
  return { rows: limit - left, mails };
}
