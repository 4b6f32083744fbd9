import { type Kysely, sql as raw, type SelectQueryBuilder } from 'kysely';
import { type Engine, tables } from '../../db/statement.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import type { Message } from './message-data.ts';
import {
  allColumns,
  type EnvelopeRow,
  envelopeColumns,
  type ListParams,
  listName,
  listParams,
  type MessageFilter,
  type MessageRow,
  messageRow,
  type Placed,
  toMessage,
} from './message-row-data.ts';
import type { IndexedWords } from './search-data.ts';

interface Tables {
  messages: MessageRow;
  message_labels: { address: string; label: string; message_id: string };
  message_words: IndexedWords;
}

const sql = tables<Tables>();

const insertRow = sql((q, p: MessageRow) => q.insertInto('messages').values(allColumns(p)));

const showRow = sql((q, p: EnvelopeRow & { id: string; auth: string; search_doc: number }) =>
  q
    .updateTable('messages')
    .set({ ...envelopeColumns(p), auth: p.auth, search_doc: p.search_doc, visible: 1 })
    .where('id', '=', p.id),
);

const byId = sql((q, p: { address: string; id: string }) =>
  q.selectFrom('messages').selectAll().where('id', '=', p.id).where('address', '=', p.address).where('visible', '=', 1),
);
/** The same, with the row held until the transaction ends where there are several writers. */
const lockById = sql((q, p: { address: string; id: string }, engine) => {
  const query = q
    .selectFrom('messages')
    .selectAll()
    .where('id', '=', p.id)
    .where('address', '=', p.address)
    .where('visible', '=', 1);
  return engine === 'postgres' ? query.forUpdate() : query;
});
/** A stranger chooses this id and may repeat it: the newest answers to it. */
const byRfcId = sql((q, p: { address: string; rfc_message_id: string }) =>
  q
    .selectFrom('messages')
    .selectAll()
    .where('address', '=', p.address)
    .where('rfc_message_id', '=', p.rfc_message_id)
    .where('visible', '=', 1)
    .orderBy('id', 'desc')
    .limit(1),
);
const byContent = sql((q, p: { content_id: string }) =>
  q.selectFrom('messages').selectAll().where('content_id', '=', p.content_id).orderBy('id'),
);
const byThread = sql((q, p: { thread_id: string; after: string; limit: number }) =>
  q
    .selectFrom('messages')
    .selectAll()
    .where('thread_id', '=', p.thread_id)
    .where('id', '>', p.after)
    .where('visible', '=', 1)
    .orderBy('id')
    .limit(p.limit),
);
const newestOfThread = sql((q, p: { thread_id: string }) =>
  q
    .selectFrom('messages')
    .selectAll()
    .where('thread_id', '=', p.thread_id)
    .where('visible', '=', 1)
    .orderBy('id', 'desc')
    .limit(1),
);

const hiddenIn = sql((q, p: { address: string }) =>
  q.selectFrom('messages').select('id').where('address', '=', p.address).where('visible', '=', 0).limit(1),
);

const setFlags = sql((q, p: Pick<MessageRow, 'id' | 'is_read' | 'is_archived' | 'labels'>) =>
  q
    .updateTable('messages')
    .set({ is_read: p.is_read, is_archived: p.is_archived, labels: p.labels })
    .where('id', '=', p.id),
);
const deleteRow = sql((q, p: { id: string }) => q.deleteFrom('messages').where('id', '=', p.id));

const insertLabel = sql((q, p: Tables['message_labels']) =>
  q.insertInto('message_labels').values({ address: p.address, label: p.label, message_id: p.message_id }),
);
const deleteLabel = sql((q, p: Tables['message_labels']) =>
  q
    .deleteFrom('message_labels')
    .where('address', '=', p.address)
    .where('label', '=', p.label)
    .where('message_id', '=', p.message_id),
);

const lastDoc = sql((q, p: { from: number; below: number }) =>
  q
    .selectFrom('messages')
    .select('search_doc')
    .where('search_doc', '>=', p.from)
    .where('search_doc', '<', p.below)
    .orderBy('search_doc', 'desc')
    .limit(1),
);
const setDoc = sql((q, p: { id: string; search_doc: number }) =>
  q.updateTable('messages').set({ search_doc: p.search_doc }).where('id', '=', p.id),
);
const insertWords = sql((q, p: Tables['message_words'], engine) =>
  q
    .insertInto('message_words')
    .values(
      (engine === 'sqlite'
        ? { rowid: p.rowid, sender: p.sender, recipients: p.recipients, subject: p.subject, body: p.body }
        : { message_id: p.message_id, words: raw<string>`cast(${p.words} as tsvector)` }) as never,
    ),
);
const deleteWords = sql((q, p: { rowid: number; message_id: string }, engine) => {
  const query = q.deleteFrom('message_words');
  return engine === 'sqlite' ? query.where('rowid', '=', p.rowid) : query.where('message_id', '=', p.message_id);
});
const unindexed = sql((q, p: { limit: number }, engine) => {
  const query = q
    .selectFrom('messages')
    .selectAll()
    .where('search_doc', 'is', null)
    .where('visible', '=', 1)
    .where('encryption', 'is', null)
    .orderBy('id', 'desc')
    .limit(p.limit);
  return engine === 'postgres' ? query.forUpdate().skipLocked() : query;
});

/** The last place taken in the order of the index, of those from `from` and below `below`. */
export const lastSearchDoc = async (reader: Reader, from: number, below: number): Promise<number | null> =>
  (await reader.first(lastDoc, { from, below }))?.search_doc ?? null;

/** Puts the words of a message into the index, at a place nobody has. */
export const insertSearchWords = async (tx: Tx, words: IndexedWords): Promise<void> =>
  void (await tx.run(insertWords, words));

/** Messages, newest first, that came before there was an index; held by the caller where there are several writers. */
export const lockUnindexed = async (tx: Tx, limit: number): Promise<Message[]> =>
  (await tx.all(unindexed, { limit })).map(toMessage);

export const setSearchDoc = async (tx: Tx, id: string, doc: number): Promise<void> =>
  void (await tx.run(setDoc, { id, search_doc: doc }));

export const insertMessage = async (tx: Tx, message: Message): Promise<void> =>
  void (await tx.run(insertRow, messageRow(message)));

/** Fills in what the headers say and how the sender was checked, and lets the message be seen. */
export const showMessage = async (tx: Tx, message: Message, searchDoc: number): Promise<void> =>
  void (await tx.run(showRow, { ...messageRow(message), search_doc: searchDoc }));

const messageOrNull = (row: MessageRow | undefined): Message | null => (row ? toMessage(row) : null);

export const findMessage = async (reader: Reader, address: string, id: string): Promise<Message | null> =>
  messageOrNull(await reader.first(byId, { address, id }));

/** The message as it stands, for whoever is about to change it: flags read without the lock may be old by then. */
export const lockMessage = async (tx: Tx, address: string, id: string): Promise<Message | null> =>
  messageOrNull(await tx.first(lockById, { address, id }));

export const findByRfcId = async (reader: Reader, address: string, rfcMessageId: string): Promise<Message | null> =>
  messageOrNull(await reader.first(byRfcId, { address, rfc_message_id: rfcMessageId }));

/** Every copy of one content, seen or not. */
export const copiesOf = async (reader: Reader, contentId: string): Promise<Message[]> =>
  (await reader.all(byContent, { content_id: contentId })).map(toMessage);

/** The messages of a thread with ids behind `after`, oldest first. */
export const messagesOfThread = async (
  reader: Reader,
  threadId: string,
  after: string,
  limit: number,
): Promise<Message[]> => (await reader.all(byThread, { thread_id: threadId, after, limit })).map(toMessage);

export const newestMessageOf = async (reader: Reader, threadId: string): Promise<Message | null> =>
  messageOrNull(await reader.first(newestOfThread, { thread_id: threadId }));

export const hasHidden = async (reader: Reader, address: string): Promise<boolean> =>
  (await reader.first(hiddenIn, { address })) !== undefined;

/** Newest first: ids are time-ordered, and so is the index. */
export async function listMessages(reader: Reader, filter: MessageFilter): Promise<Placed[]> {
  const rows = await reader.all(LISTS.get(listName(filter)) as ReturnType<typeof list>, listParams(filter));
  return rows.map((row) => ({ ...toMessage(row), place: row.place }));
}

type ListQuery = SelectQueryBuilder<Tables & { m: MessageRow }, 'm', MessageRow & { place: string }>;

/** What narrows a list most comes first: the words, else the label, else the inbox itself. */
function startOf(q: Kysely<Tables>, p: ListParams, engine: Engine, isSearch: boolean, byLabel: boolean): ListQuery {
  if (isSearch && engine === 'sqlite')
    // The index hands its rows out newest first, so a page costs its own length and not that of all that was found.
    return q
      .selectFrom('message_words as w')
      .crossJoin('messages as m')
      .selectAll('m')
      .select(raw<string>`cast(w.rowid as text)`.as('place'))
      .where(raw<boolean>`w.message_words match ${p.fts5}`)
      .whereRef('m.search_doc', '=', 'w.rowid')
      .where(raw<boolean>`w.rowid < cast(${p.beforeDoc} as integer)`)
      .orderBy('w.rowid', 'desc') as unknown as ListQuery;
  const from = isSearch
    ? q
        .selectFrom(
          raw<{ message_id: string }>`(select message_words_found(cast(${p.tsquery} as tsquery)) as message_id)`.as(
            'found',
          ),
        )
        .innerJoin('messages as m', 'm.id', 'found.message_id')
    : byLabel
      ? q
          .selectFrom('message_labels as l')
          .innerJoin('messages as m', 'm.id', 'l.message_id')
          .where('l.address', '=', p.address)
          .where('l.label', '=', p.label)
          .where('l.message_id', '<', p.before)
      : q.selectFrom('messages as m');
  const query = (from as unknown as ListQuery).selectAll('m').select('m.id as place').where('m.id', '<', p.before);
  return byLabel && !isSearch ? query.orderBy('l.message_id' as 'm.id', 'desc') : query.orderBy('m.id', 'desc');
}

const list = (isSearch: boolean, byLabel: boolean, byRead: boolean) =>
  sql((q, p: ListParams, engine) => {
    let query = startOf(q, p, engine, isSearch, byLabel)
      .where('m.address', '=', p.address)
      .where('m.is_archived', '=', p.is_archived)
      .where('m.visible', '=', 1)
      .limit(p.limit);
    if (byRead) query = query.where('m.is_read', '=', p.is_read);
    if (isSearch && byLabel)
      query = query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('message_labels as l')
            .select('l.label')
            .where('l.address', '=', p.address)
            .where('l.label', '=', p.label)
            .whereRef('l.message_id', '=', 'm.id'),
        ),
      );
    return query;
  });

const both = [false, true];
/** One statement for each choice of filters, each compiled and prepared once. */
const LISTS = new Map(
  both.flatMap((isSearch) =>
    both.flatMap((byLabel) =>
      both.map((byRead) => [`${isSearch}${byLabel}${byRead}`, list(isSearch, byLabel, byRead)] as const),
    ),
  ),
);

/** These change a row that the caller holds by {@link lockMessage}. */
export const saveFlags = async (tx: Tx, message: Message): Promise<void> =>
  void (await tx.run(setFlags, messageRow(message)));
export const addLabel = async (tx: Tx, { address, id }: Message, label: string): Promise<void> =>
  void (await tx.run(insertLabel, { address, label, message_id: id }));
export const removeLabel = async (tx: Tx, { address, id }: Message, label: string): Promise<void> =>
  void (await tx.run(deleteLabel, { address, label, message_id: id }));
export async function deleteMessage(tx: Tx, message: Message): Promise<void> {
  const { id, searchDoc } = message;
  for (const label of message.labels) await removeLabel(tx, message, label);
  if (searchDoc !== null) await tx.run(deleteWords, { rowid: searchDoc, message_id: id });
  await tx.run(deleteRow, { id });
}
