import { tables } from '../../db/statement.ts';
import type { Tx } from '../../kernel/transaction.ts';

interface Row {
  id: string;
  account_id: string;
  address: string;
  subject: string;
  messages: number;
  unread: number;
  created_at: number;
  last_message_at: number;
}

const sql = tables<{ threads: Row }>();

const insertRow = sql((q, p: Omit<Row, 'messages' | 'unread' | 'last_message_at'>) =>
  q.insertInto('threads').values({
    id: p.id,
    account_id: p.account_id,
    address: p.address,
    subject: p.subject,
    messages: 0,
    unread: 0,
    created_at: p.created_at,
    last_message_at: p.created_at,
  }),
);

const count = sql((q, p: { id: string; messages: number; unread: number; at: number }) =>
  q
    .updateTable('threads')
    .set((eb) => ({
      messages: eb('messages', '+', p.messages),
      unread: eb('unread', '+', p.unread),
      last_message_at: eb.case().when('last_message_at', '<', p.at).then(p.at).else(eb.ref('last_message_at')).end(),
    }))
    .where('id', '=', p.id),
);

interface NewThread {
  id: string;
  accountId: string;
  address: string;
  subject: string;
  now: number;
}

export const insertThread = async (tx: Tx, thread: NewThread): Promise<void> =>
  void (await tx.run(insertRow, {
    id: thread.id,
    account_id: thread.accountId,
    address: thread.address,
    subject: thread.subject,
    created_at: thread.now,
  }));

/** Adds to a thread's counters and moves its last message forward. */
export const addToThread = async (
  tx: Tx,
  id: string,
  delta: { messages: number; unread: number; at: number },
): Promise<void> => void (await tx.run(count, { id, ...delta }));
