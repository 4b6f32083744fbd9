import type { WaitingParams } from '../../../../api/account/waiting.ts';
import type { Reader, Tx } from '../../../../api/transaction.ts';
import { lastId } from '../../../../base/ids.ts';
import type { RowOf } from '../../../../db/column-map.ts';
import { isAmong, jsonTexts } from '../../../../db/json-rows.ts';
import { folderLog } from '../../../../db/logs/folder-log.ts';
import { termIndex } from '../../../../db/logs/term-index.ts';
import { tables } from '../../../../db/statement.ts';
import { isAfterPlace, isSeenAddress } from '../../../../db/waiting-rows.ts';
import { metadataTerms } from '../search/message-terms.ts';
import { OUTBOX, type OutboxEntry, outboxEntry, SENT_CONTENTS, SENT_TEXTS, WITHDRAWN } from './sent-table.ts';

/** What lists find the sent mail of an account by. */
const termsOfSent = termIndex('outbox_terms');

const insertRow = OUTBOX.insert();
const findRow = OUTBOX.find();
/** An attempt to send, and a report about an earlier one, may write the results of one mail: they take turns. */
const lockRow = OUTBOX.lock();
const page = OUTBOX.page(['accountId'], { imported: false });
const inThread = OUTBOX.after(['threadId']);
const newestInThread = OUTBOX.page(['threadId']);
const pageOfAddress = OUTBOX.page(['address', 'accountId'], { imported: false });
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
const setExpunged = OUTBOX.patch(['expunged']);

const findText = SENT_TEXTS.find();
const deleteText = SENT_TEXTS.remove();

const insertSentContent = SENT_CONTENTS.insertNew();
const findSentContent = SENT_CONTENTS.find();
const deleteSentContent = SENT_CONTENTS.remove();
/** The contents that are kept of an account's sent mail, newest first. */
export const pageOfSentContents = SENT_CONTENTS.page(['accountId']);

const sql = tables<{ outbox: RowOf<typeof OUTBOX>; sent_contents: RowOf<typeof SENT_CONTENTS> }>();

const byIds = sql((q, p: { ids: string }, engine) =>
  q
    .selectFrom('outbox')
    .select(OUTBOX.names)
    .where((eb) => isAmong(engine, eb.ref('id'), p.ids))
    .orderBy('id', 'desc'),
);

const keptByIds = sql((q, p: { account_id: string; ids: string }, engine) =>
  q
    .selectFrom('sent_contents')
    .select(['outbox_id', 'content_id'])
    .where('account_id', '=', p.account_id)
    .where((eb) => isAmong(engine, eb.ref('outbox_id'), p.ids)),
);

const idsOfAddress = sql((q, p: { address: string }) =>
  q.selectFrom('outbox').select(['id', 'is_expunged']).where('address', '=', p.address),
);

const threadByRfcId = sql((q, p: { address: string; rfc_message_id: string }) =>
  q
    .selectFrom('outbox')
    .select('thread_id')
    .where('rfc_message_id', '=', p.rfc_message_id)
    .where('address', '=', p.address)
    .limit(1),
);

const newestByRfcId = sql((q, p: { address: string; rfc_message_id: string; since: number }) =>
  q
    .selectFrom('outbox')
    .select(OUTBOX.names)
    .where('rfc_message_id', '=', p.rfc_message_id)
    .where('address', '=', p.address)
    .where('is_imported', '=', 0)
    .where('queued_at', '>=', p.since)
    .orderBy('id', 'desc')
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

/** What the folder of sent mail of an address has, in the order of ids. */
export const idsInSent = async (reader: Reader, address: string): Promise<string[]> =>
  (await reader.all(idsOfAddress, { address })).flatMap(({ id, is_expunged: gone }) => (gone === 0 ? id : [])).sort();

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

/** What was handed in since a time from this address with this Message-ID, the newest first. */
export async function sentWithRfcId(
  reader: Reader,
  address: string,
  rfcMessageId: string,
  since: number,
): Promise<OutboxEntry | null> {
  const row = await reader.first(newestByRfcId, { address, rfc_message_id: rfcMessageId, since });
  return row ? outboxEntry(OUTBOX.fromRow(row)) : null;
}

/** Takes a sent mail out of its folder, or puts it there again. */
export async function setInFolder(tx: Tx, { id, address }: OutboxEntry, isThere: boolean): Promise<void> {
  await setExpunged(tx, { id, expunged: !isThere });
  await (isThere ? folderLog.arrives : folderLog.leaves)(tx, { address, folder: 'sent' }, id);
}

/** Notes that the content of a sent mail is kept. @returns whether it has the caller's reference now: it may be kept already */
export const keepSentContent = (
  tx: Tx,
  { id, accountId }: Pick<OutboxEntry, 'id' | 'accountId'>,
  contentId: string,
): Promise<boolean> => insertSentContent(tx, { accountId, outboxId: id, contentId });

/** The content of a sent mail; null where there is none, or where the sender or a recipient keeps mail sealed. */
export async function contentOfSent(
  reader: Reader,
  { id, accountId, contentId, excerpt }: Pick<OutboxEntry, 'id' | 'accountId' | 'contentId' | 'excerpt'>,
): Promise<string | null> {
  if (excerpt === null) return null;
  return contentId ?? (await findSentContent(reader, accountId, id))?.contentId ?? null;
}

/** The contents of some sent mails of an account, by their ids, as {@link contentOfSent} finds each. */
export async function contentsOfSent(reader: Reader, accountId: string, entries: readonly OutboxEntry[]) {
  const readable = entries.filter(({ excerpt }) => excerpt !== null);
  const ids = jsonTexts(readable.filter(({ contentId }) => contentId === null).map(({ id }) => id));
  const rows = await reader.all(keptByIds, { account_id: accountId, ids });
  return new Map([
    ...readable.flatMap(({ id, contentId }): [string, string][] => (contentId === null ? [] : [[id, contentId]])),
    ...rows.map((row): [string, string] => [row.outbox_id, row.content_id]),
  ]);
}

/** The contents that are kept of an account's sent mail, oldest first. */
export const oldestSentContents = SENT_CONTENTS.after(['accountId']);

/**
 * Keeps the content of a sent mail no longer, for the caller to release. To mail programs it is another mail from then on.
 * @returns false for a mail that a program brought: its content is all that there is of it
 */
export async function forgetSentContent(tx: Tx, accountId: string, outboxId: string): Promise<boolean> {
  const entry = await findRow(tx, outboxId);
  if (entry?.imported) return false;
  await deleteSentContent(tx, accountId, outboxId);
  if (entry === null || entry.expunged) return true;
  await folderLog.leaves(tx, { address: entry.address, folder: 'sent' }, outboxId);
  await folderLog.arrives(tx, { address: entry.address, folder: 'sent' }, outboxId);
  return true;
}

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
