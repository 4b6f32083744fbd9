import type { WaitingParams } from '../../../../api/account/waiting.ts';
import type { Reader, Tx } from '../../../../api/transaction.ts';
import { lastId } from '../../../../base/ids.ts';
import type { RowOf } from '../../../../db/column-map.ts';
import { folderLog } from '../../../../db/folder-log.ts';
import { isAmong, jsonTexts } from '../../../../db/json-rows.ts';
import { tables } from '../../../../db/statement.ts';
import { termIndex } from '../../../../db/term-index.ts';
import { isAfterPlace, isSeenAddress } from '../../../../db/waiting-rows.ts';
import { metadataTerms } from '../search/message-terms.ts';
import { OUTBOX, type OutboxEntry, outboxEntry, SENT_CONTENTS, SENT_TEXTS, WITHDRAWN } from './sent-table.ts';

/** What lists find the sent mail of an account by. */
const termsOfSent = termIndex('outbox_terms');

const insertRow = OUTBOX.insert();
const findRow = OUTBOX.find();
/** An attempt to send, and a report about an earlier one, may write the results of one mail: they take turns. */
const lockRow = OUTBOX.lock();
const page = OUTBOX.page(['accountId']);
const inThread = OUTBOX.after(['threadId']);
const newestInThread = OUTBOX.page(['threadId']);
const pageOfAddress = OUTBOX.page(['address', 'accountId']);
/** Saves the fields of an entry that change. The caller has locked it. */
export const updateOutbox = OUTBOX.patch([
  'status',
  'providerId',
  'error',
  'sentAt',
  'failedAt',
  'contentId',
  'outcomes',
  'deferrals',
  'externalRecipients',
  'provider',
  'excerpt',
]);
const deleteRow = OUTBOX.remove();

const insertText = SENT_TEXTS.insert();
const findText = SENT_TEXTS.find();
const deleteText = SENT_TEXTS.remove();

const insertSentContent = SENT_CONTENTS.insert();
const findSentContent = SENT_CONTENTS.find();
const deleteSentContent = SENT_CONTENTS.remove();
/** The contents that are kept of an account's sent mail, newest first. */
export const pageOfSentContents = SENT_CONTENTS.page(['accountId']);

const sql = tables<{ outbox: RowOf<typeof OUTBOX> }>();

const byIds = sql((q, p: { ids: string }, engine) =>
  q
    .selectFrom('outbox')
    .select(OUTBOX.names)
    .where((eb) => isAmong(engine, eb.ref('id'), p.ids))
    .orderBy('id', 'desc'),
);

const threadByRfcId = sql((q, p: { address: string; rfc_message_id: string }) =>
  q
    .selectFrom('outbox')
    .select('thread_id')
    .where('rfc_message_id', '=', p.rfc_message_id)
    .where('address', '=', p.address)
    .limit(1),
);

const failed = sql((q, p: WaitingParams & { from: number }, engine) =>
  q
    .selectFrom('outbox')
    .select(OUTBOX.names)
    .where((eb) => isAmong(engine, eb.ref('account_id'), p.ids))
    .where('failed_at', '>', p.from)
    .where((eb) => isSeenAddress(engine, eb.ref('address'), p))
    .where((eb) => isAfterPlace(eb.ref('failed_at'), eb.ref('id'), p))
    .where('error', '<>', WITHDRAWN)
    .orderBy('failed_at')
    .orderBy('id')
    .limit(p.limit),
);

/** Lists mail of these accounts that failed after a time, oldest first, without what its sender withdrew. */
export const failedSince = async (reader: Reader, params: WaitingParams, from: number): Promise<OutboxEntry[]> =>
  (await reader.all(failed, { ...params, from })).map((row) => outboxEntry(OUTBOX.fromRow(row)));

export async function insertOutbox(tx: Tx, entry: OutboxEntry): Promise<void> {
  await insertRow(tx, entry);
  await termsOfSent.insert(tx, entry.accountId, entry.id, metadataTerms(entry.metadata));
  await folderLog.arrives(tx, { address: entry.address, folder: 'sent' }, entry.id);
}

export async function findOutbox(reader: Reader, id: string): Promise<OutboxEntry | null> {
  const found = await findRow(reader, id);
  return found && outboxEntry(found);
}

/** The same, locked until the transaction ends. */
export async function lockOutbox(tx: Tx, id: string): Promise<OutboxEntry | null> {
  const found = await lockRow(tx, id);
  return found && outboxEntry(found);
}

/** Which sent mail a list shows. */
export interface SentFilter {
  accountId: string;
  /** Only mail from these; null: from every address. */
  addresses: readonly string[] | null;
  /** What its metadata holds, as terms. */
  terms: readonly string[];
}

/** How many entries with a term are read at once, to find those with the others too. */
const READ_AT_ONCE = 200;

/** The same for a list by metadata. It costs what has the first term. */
async function listNoted(reader: Reader, { accountId, addresses, terms }: SentFilter, before: string, limit: number) {
  const found: OutboxEntry[] = [];
  const isWhole = terms.length === 1 && addresses === null;
  const chunk = isWhole ? limit : READ_AT_ONCE;
  for (let last = before; ; ) {
    const owned = { owner: accountId, term: terms[0] as string };
    const ids = await termsOfSent.items(reader, { ...owned, before: last, limit: chunk });
    for (const entry of await sentByIds(reader, ids)) {
      const has = metadataTerms(entry.metadata);
      if (terms.every((term) => has.includes(term)) && (addresses?.includes(entry.address) ?? true)) found.push(entry);
    }
    if (ids.length < chunk || found.length >= limit) return found.slice(0, limit);
    last = ids.at(-1) as string;
  }
}

/** Newest first, with ids smaller than `before`. */
export async function listOutbox(
  reader: Reader,
  filter: SentFilter,
  before: string,
  limit: number,
): Promise<OutboxEntry[]> {
  const { accountId, addresses } = filter;
  if (filter.terms.length > 0) return listNoted(reader, filter, before, limit);
  if (addresses === null) return (await page(reader, { accountId }, { id: before }, limit)).map(outboxEntry);
  const pages = await Promise.all(
    addresses.map((address) => pageOfAddress(reader, { address, accountId }, { id: before }, limit)),
  );
  const newest = pages.flat().sort((a, b) => (a.id < b.id ? 1 : -1));
  return newest.slice(0, limit).map(outboxEntry);
}

/** Some sent mails, newest first. */
export const sentByIds = async (reader: Reader, ids: readonly string[]): Promise<OutboxEntry[]> =>
  ids.length === 0
    ? []
    : (await reader.all(byIds, { ids: jsonTexts(ids) })).map((row) => outboxEntry(OUTBOX.fromRow(row)));

/** The conversations of some sent mails. */
export const threadsOfSent = async (reader: Reader, ids: readonly string[]): Promise<string[]> =>
  (await sentByIds(reader, ids)).flatMap(({ threadId }) => threadId ?? []);

/** The thread of the mail that this address sent with this Message-ID. */
export const sentThread = async (reader: Reader, address: string, rfcMessageId: string): Promise<string | null> =>
  (await reader.first(threadByRfcId, { address, rfc_message_id: rfcMessageId }))?.thread_id ?? null;

/** What was sent in a thread, with ids after `after`, oldest first. */
export const sentInThread = async (
  reader: Reader,
  threadId: string,
  after: string,
  limit: number,
): Promise<OutboxEntry[]> => (await inThread(reader, { threadId }, { id: after }, limit)).map(outboxEntry);

export async function newestSentOf(reader: Reader, threadId: string): Promise<OutboxEntry | null> {
  const [newest] = await newestInThread(reader, { threadId }, { id: lastId('out') }, 1);
  return newest ? outboxEntry(newest) : null;
}

/** Keeps the whole text of a sent mail. */
export const keepSentText = (
  tx: Tx,
  { id, accountId }: Pick<OutboxEntry, 'id' | 'accountId'>,
  content: string,
): Promise<void> => insertText(tx, { outboxId: id, accountId, content });

/** Notes that the content of a sent mail is kept. The caller has added a reference to it. */
export const keepSentContent = (
  tx: Tx,
  { id, accountId }: Pick<OutboxEntry, 'id' | 'accountId'>,
  contentId: string,
): Promise<void> => insertSentContent(tx, { accountId, outboxId: id, contentId });

export const readSentText = async (reader: Reader, id: string): Promise<string | null> =>
  (await findText(reader, id))?.content ?? null;

/** @returns the content that was kept of it, for the caller to release; null for none */
export async function deleteSent(
  tx: Tx,
  entry: Pick<OutboxEntry, 'id' | 'accountId' | 'address' | 'metadata'>,
): Promise<string | null> {
  const kept = await findSentContent(tx, entry.accountId, entry.id);
  if (kept) await deleteSentContent(tx, entry.accountId, entry.id);
  await termsOfSent.remove(tx, entry.accountId, entry.id, metadataTerms(entry.metadata));
  await folderLog.leaves(tx, { address: entry.address, folder: 'sent' }, entry.id);
  await deleteText(tx, entry.id);
  await deleteRow(tx, entry.id);
  return kept?.contentId ?? null;
}
