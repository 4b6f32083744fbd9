import { type Kysely, sql as raw, type SelectQueryBuilder } from 'kysely';
import { changeOf, type Reader, type Tx } from '../../../../api/transaction.ts';
import { lastId } from '../../../../base/ids.ts';
import type { RowOf } from '../../../../db/column-map.ts';
import { isAmong, jsonRows, jsonTexts } from '../../../../db/json-rows.ts';
import { folderLog } from '../../../../db/logs/folder-log.ts';
import { lateRows } from '../../../../db/logs/late-rows.ts';
import { termIndex } from '../../../../db/logs/term-index.ts';
import { type Engine, tables } from '../../../../db/statement.ts';
import { termsOf } from '../search/message-terms.ts';
import {
  fts5Query,
  fts5QueryOf,
  type IndexedWords,
  type SearchTerm,
  tsQuery,
  tsQueryOf,
} from '../search/search-words.ts';
import {
  ENVELOPE,
  FLAG_NAMES,
  FLAGGED,
  FLAGS,
  type FlaggedMessage,
  type Folder,
  folderOf,
  KEPT_FOLDERS,
  LIST_FLAGS,
  LIST_KINDS,
  LISTED,
  type ListedMessage,
  type ListKind,
  listName,
  MARKED,
  MARKING_MAX,
  type MarkedMessage,
  MESSAGES,
  type Message,
  type MessageList,
  type NewMessage,
  newMessage,
  PLACED,
  type Placed,
  rangeOf,
  SAFETY,
  type TermParams,
  termParams,
  termsIn,
} from './message-table.ts';

type Row = RowOf<typeof MESSAGES>;
interface Tables {
  messages: Row;
  message_words: IndexedWords;
}
const sql = tables<Tables>();

/** What lists find the visible messages of an address by. */
const termsOfMessages = termIndex('message_terms');

const insertRow = MESSAGES.insert();
const setChanged = MESSAGES.patch([...FLAG_NAMES, 'labels', 'metadata', 'folder', 'trashedAt']);
const setDoc = MESSAGES.patch(['searchDoc']);
const deleteRow = MESSAGES.remove();
const IN_INBOX = { visible: true, folder: 'inbox' } as const;
/** The messages of a thread, oldest first. */
export const messagesOfThread = MESSAGES.after(['threadId'], IN_INBOX);
const newestOfThread = MESSAGES.page(['threadId'], IN_INBOX);

const showRow = sql((q, p: Row) =>
  q
    .updateTable('messages')
    .set({ ...ENVELOPE.values(p), ...SAFETY.values(p), auth: p.auth, search_doc: p.search_doc, visible: p.visible })
    .where('id', '=', p.id),
);

const visible = (q: Kysely<Tables>) => q.selectFrom('messages').select(MESSAGES.names).where('visible', '=', 1);
const kept = (q: Kysely<Tables>) => visible(q).where('folder', '<>', 'trash');
type ById = { address: string; id: string; folder: Folder; or: Folder };
const visibleById = (q: Kysely<Tables>, p: ById) =>
  visible(q).where('id', '=', p.id).where('address', '=', p.address).where('folder', 'in', [p.folder, p.or]);

const byId = sql(visibleById);
/** The same; PostgreSQL, which has several writers, locks the row until the transaction ends. */
const lockById = sql((q, p: ById, engine) =>
  engine === 'postgres' ? visibleById(q, p).forUpdate() : visibleById(q, p),
);
/** The sender chooses this id and may repeat it: the newest message wins. */
const byRfcId = sql((q, p: { address: string; rfc_message_id: string }) =>
  kept(q)
    .where('address', '=', p.address)
    .where('rfc_message_id', '=', p.rfc_message_id)
    .orderBy('id', 'desc')
    .limit(1),
);
const unread = sql((q, p: { addresses: string; from: string; limit: number }, engine) =>
  q
    .selectFrom('messages')
    .select(LISTED.names)
    .where((eb) => isAmong(engine, eb.ref('address'), p.addresses))
    .where('folder', '=', 'inbox')
    .where('is_archived', '=', 0)
    .where('is_read', '=', 0)
    .where('visible', '=', 1)
    .where('id', '>', p.from)
    .orderBy('id', 'desc')
    .limit(p.limit),
);
const byIds = sql((q, p: { ids: string }, engine) => visible(q).where((eb) => isAmong(engine, eb.ref('id'), p.ids)));
const notClean = sql((q, p: { thread_id: string }) =>
  visible(q).where('thread_id', '=', p.thread_id).where('safety_verdict', '<>', 'clean').limit(1),
);
const marked = sql((q, p: { threads: string }, engine) =>
  q
    .selectFrom(jsonRows(engine, p.threads, { thread: 'text' }).as('given'))
    .innerJoin('messages as m', 'm.thread_id', 'given.thread')
    .select(MARKED.names.map((name) => `m.${name}` as const))
    .where('m.visible', '=', 1)
    .where('m.folder', '=', 'inbox')
    .where((eb) =>
      eb(
        'm.id',
        '>=',
        eb.fn.coalesce(
          eb
            .selectFrom('messages as older')
            .select('older.id')
            .whereRef('older.thread_id', '=', 'given.thread')
            .orderBy('older.id', 'desc')
            .limit(1)
            .offset(MARKING_MAX - 1),
          eb.val(''),
        ),
      ),
    ),
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
    .select(MESSAGES.names)
    .where('search_doc', 'is', null)
    .where('visible', '=', 1)
    .where('encryption', 'is', null)
    .orderBy('id', 'desc')
    .limit(p.limit);
  return engine === 'postgres' ? query.forUpdate().skipLocked() : query;
});

/** The last position taken in the index, from `from` and below `below`. */
export const lastSearchDoc = async (reader: Reader, from: number, below: number): Promise<number | null> =>
  (await reader.first(lastDoc, { from, below }))?.search_doc ?? null;
/** SQLite writes the words of a whole commit as one part of the index, and would write and merge one for each message. */
const insertWordsLate = lateRows<IndexedWords>(['message_words'], (_engine, all) =>
  all.map((words) => changeOf(insertWords, words)),
);
/** Adds the words of a message to the index, at a free position. Many of them wait for no commit: they fill memory. */
export const insertSearchWords = async (tx: Tx, words: IndexedWords): Promise<void> =>
  words.isLong ? void (await tx.run(insertWords, words)) : insertWordsLate(tx, words);
/** Messages from before there was an index, newest first. PostgreSQL locks them for the caller. */
export const lockUnindexed = async (tx: Tx, limit: number): Promise<Message[]> =>
  (await tx.all(unindexed, { limit })).map(MESSAGES.fromRow);

export const setSearchDoc = async (tx: Tx, id: string, searchDoc: number): Promise<void> =>
  void (await setDoc(tx, { id, searchDoc }));

/** What lists and mail programs find a message by. */
async function appear(tx: Tx, message: Message): Promise<void> {
  await termsOfMessages.insert(tx, message.address, message.id, termsOf(message));
  await folderLog.arrives(tx, folderOf(message), message.id);
}

const isFlagged = (message: Message): string =>
  JSON.stringify([FLAG_NAMES.map((flag) => message[flag]), message.labels]);

export async function insertMessage(tx: Tx, given: NewMessage): Promise<void> {
  const message = newMessage(given);
  await insertRow(tx, message);
  if (message.visible) await appear(tx, message);
}

/** Writes what the headers say, how the sender was checked and the position in the index, and makes the message visible. 2: nothing shows it. */
export async function showMessage(tx: Tx, message: Message, visible: 1 | 2 = 1): Promise<void> {
  await tx.run(showRow, { ...MESSAGES.toRow(message), visible });
  if (visible === 1) await appear(tx, message);
}

const messageOrNull = (row: Row | undefined): Message | null => (row ? MESSAGES.fromRow(row) : null);

const KEPT = { folder: KEPT_FOLDERS[0], or: KEPT_FOLDERS[1] };
const places = (folder: 'trash' | undefined) => (folder ? { folder, or: folder } : KEPT);

/** A message outside the trash, or in it. */
export const findMessage = async (reader: Reader, address: string, id: string, folder?: 'trash') =>
  messageOrNull(await reader.first(byId, { address, id, ...places(folder) }));

/** The message, locked for a change: flags that were read without the lock may be old. */
export const lockMessage = async (tx: Tx, address: string, id: string, folder?: 'trash') =>
  messageOrNull(await tx.first(lockById, { address, id, ...places(folder) }));

export const findByRfcId = async (reader: Reader, address: string, rfcMessageId: string): Promise<Message | null> =>
  messageOrNull(await reader.first(byRfcId, { address, rfc_message_id: rfcMessageId }));

/** Visible messages in whatever folder, in no order. */
export const messagesByIds = async (reader: Reader, ids: readonly string[]): Promise<Message[]> =>
  ids.length === 0 ? [] : (await reader.all(byIds, { ids: jsonTexts(ids) })).map(MESSAGES.fromRow);

/** Every copy of one content, visible or not. */
export const copiesOf = MESSAGES.list(['contentId']);

/** Whether a conversation holds mail that is not clean, in whatever folder. */
export const hasSuspicious = async (reader: Reader, threadId: string): Promise<boolean> =>
  (await reader.first(notClean, { thread_id: threadId })) !== undefined;

export const newestMessageOf = async (reader: Reader, threadId: string): Promise<Message | null> =>
  (await newestOfThread(reader, { threadId }, { id: lastId('msg') }, 1))[0] ?? null;

interface ListParams extends RowOf<typeof FLAGS>, ReturnType<typeof rangeOf>, TermParams {
  address: string;
  folder: Folder;
  beforeDoc: string;
  fts5: string;
  tsquery: string;
  limit: number;
}

type ListQuery = SelectQueryBuilder<Tables & { m: Row }, 'm', RowOf<typeof PLACED>>;

type Entries = SelectQueryBuilder<Tables & { l: { item: string } }, 'l', object>;

const LAST_DOC = String(Number.MAX_SAFE_INTEGER);

const COLUMNS = LISTED.names.map((name) => `m.${name}` as const);

/** The list before it is filtered. It starts from what narrows it most: the words, else the first term, else the inbox. */
function startOf(q: Kysely<Tables>, p: ListParams, engine: Engine, isSearch: boolean, byTerm: boolean): ListQuery {
  if (isSearch && engine === 'sqlite')
    // The index returns its rows newest first, so a page costs its own length and not the number of all matches.
    return q
      .selectFrom('message_words as w')
      .crossJoin('messages as m')
      .select(COLUMNS)
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
    : byTerm
      ? // SQLite keeps the order of a cross join.
        (termsOfMessages.entries(q, p.address, p.term0, p.before) as unknown as Entries)
          .crossJoin('messages as m')
          .whereRef('m.id', '=', 'l.item')
      : q.selectFrom('messages as m');
  const query = (from as unknown as ListQuery).select(COLUMNS).select('m.id as place').where('m.id', '<', p.before);
  return byTerm && !isSearch ? query.orderBy('l.item' as 'm.id', 'desc') : query.orderBy('m.id', 'desc');
}

const list = ({ isSearch, terms, flags }: ListKind) =>
  sql((q, p: ListParams, engine) => {
    const byTerm = terms > 0 && !isSearch;
    // Of the table that the list starts from: the planner starts where it sees a range.
    const id = (byTerm ? 'l.item' : 'm.id') as 'm.id';
    let query = startOf(q, p, engine, isSearch, byTerm)
      .where('m.address', '=', p.address)
      .where('m.folder', '=', p.folder)
      .where('m.visible', '=', 1)
      .where(id, '>=', p.since)
      .where(id, '<', p.until)
      .where('m.attachments', '<=', p.most)
      .where('m.is_starred', '<=', p.starredMost)
      .where('m.is_answered', '<=', p.answeredMost)
      .where(raw<boolean>`(${p.to} = '%' or lower(m.recipients) like ${p.to} escape '\\')`)
      .limit(p.limit);
    for (const flag of flags) {
      const { name } = FLAGS.columns[flag];
      query = query.where(`m.${name}`, '=', p[name]);
    }
    for (let i = byTerm ? 1 : 0; i < terms; i++)
      query = query.where(termsOfMessages.has(p.address, p[`term${i}` as keyof TermParams], raw`m.id`));
    return query;
  });

/** The same in several inboxes, without the trash. What is sealed or in quarantine has no words in the index. */
const anywhere = sql((q, p: { addresses: string; fts5: string; tsquery: string; limit: number }, engine) => {
  const newest = { fts5: p.fts5, tsquery: p.tsquery, before: lastId('msg'), beforeDoc: LAST_DOC };
  const found = startOf(q, newest as ListParams, engine, true, false);
  return found
    .where((eb) => isAmong(engine, eb.ref('m.address'), p.addresses))
    .where('m.folder', '<>', 'trash')
    .where('m.visible', '=', 1)
    .where('m.encryption', 'is', null)
    .limit(p.limit);
});

const flaggedByIds = sql((q, p: { ids: string }, engine) =>
  q
    .selectFrom('messages')
    .select(FLAGGED.names)
    .where((eb) => isAmong(engine, eb.ref('id'), p.ids))
    .where('visible', '=', 1),
);
const idsIn = sql((q, p: { address: string; folder: Folder; least: number; most: number }) =>
  visible(q)
    .clearSelect()
    .select('id')
    .where('address', '=', p.address)
    .where('folder', '=', p.folder)
    .where('is_archived', '>=', p.least)
    .where('is_archived', '<=', p.most),
);
const measured = sql((q, p: { address: string; folder: Folder; least: number; most: number }) =>
  q
    .selectFrom('messages')
    .select((eb) => [
      eb.fn.countAll<number>().as('messages'),
      raw<number>`coalesce(sum(1 - is_read), 0)`.as('unread'),
      raw<number>`coalesce(sum(size_bytes), 0)`.as('bytes'),
      raw<number>`coalesce(sum(case when encryption is null then 0 else size_bytes end), 0)`.as('sealed_bytes'),
    ])
    .where('address', '=', p.address)
    .where('folder', '=', p.folder)
    .where('is_archived', '>=', p.least)
    .where('is_archived', '<=', p.most)
    .where('visible', '=', 1),
);
const foundIds = sql((q, p: { address: string; fts5: string; tsquery: string; limit: number }, engine) =>
  (engine === 'sqlite'
    ? q
        .selectFrom('message_words as w')
        .crossJoin('messages as m')
        .select('m.id')
        .where(raw<boolean>`w.message_words match ${p.fts5}`)
        .whereRef('m.search_doc', '=', 'w.rowid')
    : q
        .selectFrom(
          raw<{ message_id: string }>`(select message_words_found(cast(${p.tsquery} as tsquery)) as message_id)`.as(
            'w',
          ),
        )
        .innerJoin('messages as m', 'm.id', 'w.message_id')
        .select('m.id')
  )
    .where('m.address', '=', p.address)
    .where('m.visible', '=', 1)
    .limit(p.limit),
);

/** One statement for each choice of filters, each compiled and prepared once. */
const LISTS = new Map(LIST_KINDS.map((kind) => [listName(kind), list(kind)]));

/** Lists messages newest first: ids are time-ordered, and so is the index. */
export async function listMessages(reader: Reader, filter: MessageList): Promise<Placed[]> {
  const { address, folder, flags, search, before, limit } = filter;
  const chosen = LIST_FLAGS.filter((flag) => flags[flag] !== undefined);
  const { terms, params } = termParams(termsIn(filter));
  const statement = LISTS.get(listName({ isSearch: search !== undefined, terms, flags: chosen })) as ReturnType<
    typeof list
  >;
  const rows = await reader.all(statement, {
    // A flag that is not chosen stands in no condition.
    ...FLAGS.toRow(flags as Required<typeof flags> as never),
    address,
    folder,
    ...params,
    ...rangeOf(filter),
    beforeDoc: before ?? LAST_DOC,
    fts5: fts5Query(search ?? [], address),
    tsquery: tsQuery(search ?? [], address),
    limit,
  });
  return rows.map(PLACED.fromRow);
}

/** The {@link MARKING_MAX} latest messages of each of some conversations, in no order. */
export const latestOfThreads = async (reader: Reader, threadIds: readonly string[]): Promise<MarkedMessage[]> =>
  (await reader.all(marked, { threads: jsonTexts(threadIds) })).map(MARKED.fromRow);

/** Lists messages of these inboxes that have all the words, newest first. */
export const messagesWith = async (
  reader: Reader,
  addresses: readonly string[],
  terms: readonly SearchTerm[],
  limit: number,
): Promise<ListedMessage[]> =>
  (
    await reader.all(anywhere, {
      addresses: jsonTexts(addresses),
      fts5: fts5QueryOf(terms, addresses),
      tsquery: tsQueryOf(terms, addresses),
      limit,
    })
  ).map(PLACED.fromRow);

/** Some messages as far as their flags go, in no order. */
export const flaggedMessages = async (reader: Reader, ids: readonly string[]): Promise<FlaggedMessage[]> =>
  (await reader.all(flaggedByIds, { ids: jsonTexts(ids) })).map(FLAGGED.fromRow);

/** The messages of an inbox in a folder, in the order of their ids. */
export async function idsInFolder(reader: Reader, address: string, folder: Folder, archived: boolean | null) {
  const [least, most] = archived === null ? [0, 1] : [Number(archived), Number(archived)];
  return (await reader.all(idsIn, { address, folder, least, most })).map(({ id }) => id).sort();
}

/** What an inbox holds in a folder: how many are not read, and the bytes of all and of those that are sealed. */
export async function measureFolder(reader: Reader, address: string, folder: Folder, archived: boolean | null) {
  const [least, most] = archived === null ? [0, 1] : [Number(archived), Number(archived)];
  const row = await reader.first(measured, { address, folder, least, most });
  const [messages, unread] = [Number(row?.messages ?? 0), Number(row?.unread ?? 0)];
  return { messages, unread, bytes: Number(row?.bytes ?? 0), sealedBytes: Number(row?.sealed_bytes ?? 0) };
}

/** The messages of an inbox that have all the words, in any folder and in no order, at most `limit`. */
export const idsWith = async (reader: Reader, address: string, terms: readonly SearchTerm[], limit: number) =>
  (
    await reader.all(foundIds, { address, fts5: fts5Query(terms, address), tsquery: tsQuery(terms, address), limit })
  ).map(({ id }) => id);

/** Saves what the owner can change. The caller has locked `before` by {@link lockMessage}. */
export async function saveChange(tx: Tx, before: Message, message: Message): Promise<void> {
  await setChanged(tx, message);
  const { address, id } = message;
  await termsOfMessages.replace(tx, address, id, termsOf(before), termsOf(message));
  const [was, is] = [folderOf(before), folderOf(message)];
  if (was.folder !== is.folder) {
    await folderLog.leaves(tx, was, id);
    await folderLog.arrives(tx, is, id);
  } else if (isFlagged(before) !== isFlagged(message)) await folderLog.changes(tx, is, id);
}

/** Deletes a message that the caller has locked. */
export async function deleteMessage(tx: Tx, message: Message): Promise<void> {
  const { address, id, searchDoc } = message;
  await termsOfMessages.remove(tx, address, id, termsOf(message));
  await folderLog.leaves(tx, folderOf(message), id);
  if (searchDoc !== null) await tx.run(deleteWords, { rowid: searchDoc, message_id: id });
  await deleteRow(tx, id);
}

/** The newest unread messages in the inboxes of these addresses, with an id after `from`. */
export const newestUnread = async (reader: Reader, addresses: readonly string[], from: string, limit: number) =>
  (await reader.all(unread, { addresses: jsonTexts(addresses), from, limit })).map(LISTED.fromRow);
