import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { isAmong, jsonTexts } from '../../../db/json-rows.ts';
import { folderLog } from '../../../db/logs/folder-log.ts';
import { slotCounter } from '../../../db/slot-counter.ts';
import { tables } from '../../../db/statement.ts';
import {
  DRAFT_FILES,
  DRAFT_HEADS,
  DRAFTS,
  type DraftFile,
  type DraftFileEntry,
  type SavedDraft,
} from './draft-table.ts';

/** How many drafts of each account are not sent. */
export const draftSlots = slotCounter('drafts');

const insertRow = DRAFTS.insert();
export const findDraft = DRAFTS.find();
export const lockDraft = DRAFTS.lock();
const deleteRow = DRAFTS.remove();

const insertFile = DRAFT_FILES.insert();
const findFile = DRAFT_FILES.find();
const deleteFiles = DRAFT_FILES.remove(['draftId']);
/** The attachments of a draft, in their order. */
export const readFiles = DRAFT_FILES.list(['draftId']);

type Row = RowOf<typeof DRAFTS>;

const sql = tables<{ mail_drafts: Row; draft_attachments: RowOf<typeof DRAFT_FILES> }>();

const updateRow = sql((q, p: Row) => q.updateTable('mail_drafts').set(DRAFTS.values(p)).where('id', '=', p.id));
const page = sql((q, p: { account_id: string; before: string; limit: number }) =>
  q
    .selectFrom('mail_drafts')
    .select(DRAFT_HEADS.names)
    .where('account_id', '=', p.account_id)
    .where('is_sent', '=', 0)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);
const unsentByIds = sql((q, p: { ids: string }, engine) =>
  q
    .selectFrom('mail_drafts')
    .select(DRAFTS.names)
    .where((eb) => isAmong(engine, eb.ref('id'), p.ids))
    .where('is_sent', '=', 0),
);
const unschedule = sql((q, p: { account_id: string; now: number }) =>
  q
    .updateTable('mail_drafts')
    .set((eb) => ({ status: 'draft' as const, send_at: null, updated_at: p.now, version: eb('version', '+', 1) }))
    .where('account_id', '=', p.account_id)
    .where('is_sent', '=', 0)
    .where('status', '=', 'scheduled')
    .returning('id'),
);
const untouched = sql((q, p: { before: number; limit: number }) =>
  q
    .selectFrom('mail_drafts')
    .select('id')
    .where('is_autosaved', '=', 1)
    .where('status', '=', 'draft')
    .where('updated_at', '<', p.before)
    .orderBy('updated_at')
    .limit(p.limit),
);
const oldSent = sql((q, p: { before: number }) =>
  q.deleteFrom('mail_drafts').where('is_sent', '=', 1).where('updated_at', '<', p.before),
);

const filesOfAccount = sql((q, p: { account_id: string }) =>
  q.selectFrom('draft_attachments').select(['draft_id', 'n']).where('account_id', '=', p.account_id),
);
const withBytes = sql((q, p: { account_id: string }) =>
  q
    .selectFrom('mail_drafts')
    .select(['id', 'content_id'])
    .where('account_id', '=', p.account_id)
    .where('content_id', 'is not', null),
);
const fileList = sql((q, p: { draft_id: string }) =>
  q
    .selectFrom('draft_attachments')
    .select(['filename', 'content_type'])
    .select((eb) => eb.fn<number>('length', ['content']).as('size'))
    .where('draft_id', '=', p.draft_id)
    .orderBy('n'),
);

const placeOf = ({ address }: Pick<SavedDraft, 'address'>) => ({ address, folder: 'drafts' });

export async function insertDraft(tx: Tx, draft: SavedDraft): Promise<void> {
  await insertRow(tx, draft);
  await folderLog.arrives(tx, placeOf(draft), draft.id);
}

/** To mail programs, what a draft says makes another draft of it. */
export async function updateDraft(tx: Tx, before: SavedDraft, draft: SavedDraft): Promise<void> {
  await tx.run(updateRow, DRAFTS.toRow(draft));
  await folderLog.leaves(tx, placeOf(before), draft.id);
  if (!draft.isSent) await folderLog.arrives(tx, placeOf(draft), draft.id);
}

/** The same where it says what it said. */
export const noteDraftState = async (tx: Tx, draft: SavedDraft): Promise<void> =>
  void (await tx.run(updateRow, DRAFTS.toRow(draft)));

/** Deletes a draft with its attachments. */
export async function deleteDraft(tx: Tx, draft: Pick<SavedDraft, 'id' | 'address'>): Promise<void> {
  await deleteFiles(tx, draft.id);
  await deleteRow(tx, draft.id);
  await folderLog.leaves(tx, placeOf(draft), draft.id);
}

/** Drafts that are not sent, newest first, with ids smaller than `before`. */
export const listDrafts = async (reader: Reader, accountId: string, before: string, limit: number) =>
  (await reader.all(page, { account_id: accountId, before, limit })).map(DRAFT_HEADS.fromRow);

/** Some drafts that are not sent, in no order. */
export const draftsAmong = async (reader: Reader, ids: readonly string[]): Promise<SavedDraft[]> =>
  (await reader.all(unsentByIds, { ids: jsonTexts(ids) })).map(DRAFTS.fromRow);

/** Takes the time from every scheduled mail of an account. @returns their ids */
export const unscheduleAll = async (tx: Tx, accountId: string, now: number): Promise<string[]> =>
  (await tx.all(unschedule, { account_id: accountId, now })).map(({ id }) => id);

/** The ids of drafts that editors saved by themselves, unchanged since a time. Those that failed to leave stay. */
export const untouchedDrafts = async (reader: Reader, before: number, limit: number): Promise<string[]> =>
  (await reader.all(untouched, { before, limit })).map(({ id }) => id);

/** Deletes what is left of drafts that were sent before a time. */
export const purgeSentDrafts = async (tx: Tx, before: number): Promise<void> =>
  void (await tx.run(oldSent, { before }));

export async function replaceFiles(tx: Tx, { id, accountId }: SavedDraft, files: readonly DraftFile[]): Promise<void> {
  await deleteFiles(tx, id);
  for (const [n, file] of files.entries()) await insertFile(tx, { ...file, draftId: id, n, accountId });
}

/** The numbers of every attachment of an account's drafts. */
export const allFiles = async (reader: Reader, accountId: string) =>
  (await reader.all(filesOfAccount, { account_id: accountId })).map(({ draft_id: draftId, n }) => ({ draftId, n }));

/** The drafts of an account whose bytes are kept. */
export const draftsWithBytes = async (reader: Reader, accountId: string) =>
  (await reader.all(withBytes, { account_id: accountId })).map(({ id, content_id: contentId }) => ({
    id,
    contentId: contentId as string,
  }));

export const readFile = async (reader: Reader, draftId: string, n: number): Promise<Uint8Array | null> =>
  (await findFile(reader, draftId, n))?.content ?? null;

export const listFiles = async (reader: Reader, draftId: string): Promise<DraftFileEntry[]> =>
  (await reader.all(fileList, { draft_id: draftId })).map(({ filename, content_type: contentType, size }) => ({
    filename,
    contentType,
    size: Number(size),
  }));
