import type { UpdateMessageInput } from '../../../../client/generated/operations.ts';
import type { SignetClient } from '../../../../client/signet-client.ts';
import { counted } from '../../ui/format.ts';
import { toast } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';
import type { Row } from './mail-rows.ts';

/** What is done with conversations and messages, one or several at once, and taken back. */

export type Moved = Pick<Row, 'id' | 'isThread' | 'address' | 'isArchived' | 'isUnread' | 'isStarred'>;
export type Move =
  | 'archive'
  | 'unarchive'
  | 'spam'
  | 'inbox'
  | 'trash'
  | 'restore'
  | 'read'
  | 'unread'
  | 'star'
  | 'unstar';

/** What a move says when it is done, of how many. */
const DONE: Readonly<Record<Move, string>> = {
  archive: 'Archived',
  unarchive: 'Moved to the inbox',
  spam: 'Moved to spam',
  inbox: 'Moved to the inbox',
  trash: 'Moved to the trash',
  restore: 'Moved to the inbox',
  read: 'Marked read',
  unread: 'Marked unread',
  star: 'Starred',
  unstar: 'Star removed',
};

interface Message {
  id: string;
  address: string;
  archived: boolean;
  read: boolean;
  starred: boolean;
}

const PAGE = 100;

/** The received messages of a row. */
async function messagesOf(service: SignetClient, row: Moved): Promise<Message[]> {
  const { id, isThread, address, isArchived, isUnread, isStarred } = row;
  if (!isThread) return [{ id, address, archived: isArchived, read: !isUnread, starred: isStarred }];
  const found: Message[] = [];
  let cursor: string | undefined;
  do {
    const page = await service.getThread({ id, limit: PAGE, cursor });
    for (const one of page.messages) {
      if (one.direction !== 'received') continue;
      const { message_id: message, archived, read, starred } = one;
      found.push({ id: message, address, archived, read, starred });
    }
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

type Change = Partial<UpdateMessageInput>;
const FROM_TRASH = { query_folder: 'trash', folder: 'inbox' } as const;

/** What every message of a conversation gets. */
const FLAGS: Partial<Record<Move, readonly [flag: 'archived' | 'read' | 'starred', to: boolean]>> = {
  archive: ['archived', true],
  unarchive: ['archived', false],
  read: ['read', true],
  unread: ['read', false],
  star: ['starred', true],
  unstar: ['starred', false],
};

type Undo = () => Promise<void>;

/** @returns what takes it back */
async function moveOne(service: SignetClient, row: Moved, move: Move): Promise<Undo> {
  const messages = await messagesOf(service, row);
  const each = async (work: (message: Message) => Promise<unknown>, of = messages): Promise<void> => {
    for (const message of of) await work(message);
  };
  const update = ({ id, address }: Message, change: Change) => service.updateMessage({ id, address, ...change });
  const flags = FLAGS[move];
  if (flags !== undefined) {
    const [flag, to] = flags;
    // The others were so before.
    const changed = messages.filter((one) => one[flag] !== to);
    if (row.isThread) await service.updateThread({ id: row.id, [flag]: to });
    else await each((one) => update(one, { [flag]: to }));
    return () => each((one) => update(one, { [flag]: !to }), changed);
  }
  const trash = ({ id, address }: Message) => service.deleteMessage({ id, address });
  if (move === 'trash') {
    await each(trash);
    // Moving takes a mail out of the archive, so taking back says whether it was there.
    return () => each((one) => update(one, { ...FROM_TRASH, archived: one.archived }));
  }
  if (move === 'restore') {
    await each((one) => update(one, FROM_TRASH));
    return () => each(trash);
  }
  const other = move === 'spam' ? 'inbox' : 'spam';
  await each((one) => update(one, { folder: move === 'spam' ? 'spam' : 'inbox' }));
  return () => each((one) => update(one, { folder: other, archived: one.archived }));
}

/** Does it, says so, and offers to take it back. What can be undone does not ask. */
export async function moveRows(workspace: Workspace, rows: readonly Moved[], move: Move): Promise<void> {
  const undone: Undo[] = [];
  const undo = async (): Promise<void> => {
    for (const back of undone.toReversed()) await back();
    await workspace.refresh();
  };
  try {
    for (const row of rows) undone.push(await moveOne(workspace.service, row, move));
  } finally {
    const text = rows.length === 1 ? DONE[move] : `${DONE[move]}: ${counted(undone.length, 'entry', 'entries')}`;
    if (undone.length > 0) toast(`${text}.`, { undo });
  }
}
