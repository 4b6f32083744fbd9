import { type Kysely, sql as raw } from 'kysely';
import type { Reader, Tx } from '../../../../api/transaction.ts';
import type { RowOf } from '../../../../db/column-map.ts';
import { isAmong, jsonTexts } from '../../../../db/json-rows.ts';
import { tables } from '../../../../db/statement.ts';
import type { Findings } from '../../../../mail/mime/screening-result.ts';
import { isLarge } from './blob-pieces.ts';
import { ATTACHMENTS, CONTENTS, type Content, type StoredAttachment } from './content-table.ts';

const NOTHING = new Uint8Array();

const insertRow = CONTENTS.insert();
/** Stores the first result of parsing only. @returns false when another process has stored one */
export const finishParsing = CONTENTS.patch(['state', 'text', 'html', 'visibleText', 'problem', 'findings'], {
  state: 'pending',
});
const insertAttachmentRow = ATTACHMENTS.insert();
const findAttachmentRow = ATTACHMENTS.find();

type Tables = { mail_contents: RowOf<typeof CONTENTS>; attachments: RowOf<typeof ATTACHMENTS> };
const sql = tables<Tables>();

const bodyById = sql((q, p: { id: string }) =>
  q
    .selectFrom('mail_contents')
    .select(['state', 'text_body', 'html_body', 'visible_text', 'problem', 'findings', 'size_bytes'])
    .where('id', '=', p.id),
);
const bodyHeadById = sql((q, p: { id: string; chars: number }) =>
  q
    .selectFrom('mail_contents')
    .select((eb) =>
      eb
        .fn<string | null>('substr', [eb.fn.coalesce('visible_text', 'text_body'), eb.lit(1), eb.val(p.chars)])
        .as('head'),
    )
    .select(['state', 'size_bytes', 'findings'])
    .where('id', '=', p.id),
);
const rawById = sql((q, p: { id: string }) =>
  q.selectFrom('mail_contents').select(['raw', 'raw_blob']).where('id', '=', p.id),
);

const sizesById = sql((q, p: { ids: string }, engine) =>
  q
    .selectFrom('mail_contents')
    .select(['id', 'size_bytes'])
    .where((eb) => isAmong(engine, eb.ref('id'), p.ids)),
);

const attachmentList = sql((q, p: { content_id: string }) =>
  q
    .selectFrom('attachments')
    .select(['n', 'filename', 'content_type', 'content_id_header', 'size_bytes'])
    .where('content_id', '=', p.content_id)
    .orderBy('n'),
);
const attachedBlobs = sql((q, p: { content_id: string }) =>
  q
    .selectFrom('attachments')
    .select('content_blob')
    .where('content_id', '=', p.content_id)
    .where('content_blob', 'is not', null),
);

const leasePending = sql((q, p: { now: number; lease_until: number; by: string; limit: number }, engine) => {
  const due = q
    .selectFrom('mail_contents')
    .select('id')
    .where('state', '=', 'pending')
    .where('parse_lease_until', '<=', p.now)
    .orderBy('parse_lease_until')
    .limit(p.limit);
  return q
    .updateTable('mail_contents')
    .set((eb) => ({
      parse_lease_until: p.lease_until,
      parse_leased_by: p.by,
      parse_attempts: eb('parse_attempts', '+', 1),
    }))
    .where('id', 'in', engine === 'postgres' ? due.forUpdate().skipLocked() : due)
    .returning(['id', 'parse_attempts']);
});

const freeing = (q: Kysely<Tables>) =>
  q.updateTable('mail_contents').set({ parse_lease_until: 0, parse_leased_by: null }).where('state', '=', 'pending');
const freeOf = sql((q, p: { by: string }) => freeing(q).where('parse_leased_by', '=', p.by));
const freeAll = sql((q, _p: Record<never, never>) => freeing(q));

const anyPending = sql((q, p: { now: number }) =>
  q
    .selectFrom('mail_contents')
    .select('id')
    .where('state', '=', 'pending')
    .where('parse_lease_until', '<=', p.now)
    .limit(1),
);

const pendingSince = sql((q, _p: Record<never, never>) =>
  q
    .selectFrom('mail_contents')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min<number | null>('created_at').as('oldest')])
    .where('state', '=', 'pending'),
);

/** PostgreSQL, which has several writers, keeps it until the transaction ends. */
const hold = sql((q, p: { id: string }, engine) => {
  const found = q.selectFrom('mail_contents').select('id').where('id', '=', p.id);
  return engine === 'postgres' ? found.forKeyShare() : found;
});
const dropCopy = sql((q, p: { id: string }) =>
  q
    .updateTable('mail_contents')
    .set((eb) => ({ copies: eb('copies', '-', 1) }))
    .where('id', '=', p.id)
    .returning(['copies', 'raw_blob', 'size_bytes']),
);
const addCopies = sql((q, p: { id: string; copies: number }) =>
  q
    .updateTable('mail_contents')
    .set((eb) => ({ copies: eb('copies', '+', p.copies) }))
    .where('id', '=', p.id),
);
const deleteRow = sql((q, p: { id: string }) =>
  q.deleteFrom('mail_contents').where('id', '=', p.id).where('copies', '<=', 0),
);

/** Without its raw bytes when a blob holds them. */
export async function insertContent(tx: Tx, content: Content, rawBlob: string | null): Promise<void> {
  const raw = rawBlob === null ? content.raw : NOTHING;
  await insertRow(tx, { parseLeasedBy: null, ...content, raw, rawBlob, parseAttempts: 0 });
}

/** Without its bytes when a blob holds them. */
export async function insertAttachment(
  tx: Tx,
  attachment: StoredAttachment & { mailId: string; n: number; contentBlob: string | null },
): Promise<void> {
  const content = attachment.contentBlob === null ? attachment.content : NOTHING;
  await insertAttachmentRow(tx, { ...attachment, content });
}

export async function readBody(reader: Reader, id: string) {
  const row = await reader.first(bodyById, { id });
  if (!row) return null;
  const findings = CONTENTS.columns.findings.read(row.findings);
  const { state, text_body: text, html_body: html, visible_text: visibleText, problem, size_bytes: sizeBytes } = row;
  return { state, text, html, visibleText, problem, findings, sizeBytes };
}

/** The first characters of the text. */
export const readBodyHead = async (reader: Reader, id: string, chars: number): Promise<string> =>
  (await reader.first(bodyHeadById, { id, chars }))?.head ?? '';

/** The same, with what says whether a text could be read as a whole, and what was found in it. */
export async function readHead(reader: Reader, id: string, chars: number) {
  const row = await reader.first(bodyHeadById, { id, chars });
  if (!row) return { text: '', isParsed: false, sizeBytes: 0, findings: null };
  const findings = CONTENTS.columns.findings.read(row.findings);
  return { text: row.head ?? '', isParsed: row.state === 'parsed', sizeBytes: row.size_bytes, findings };
}

/** Bytes of a mail: in its row, or in a blob. */
export interface StoredBytes {
  bytes: Uint8Array;
  /** Null: `bytes` has them. */
  blob: string | null;
}

export async function findRaw(reader: Reader, id: string): Promise<StoredBytes | null> {
  const row = await reader.first(rawById, { id });
  return row ? { bytes: row.raw, blob: row.raw_blob } : null;
}

/** The bytes of some contents, by their ids. */
export const sizesOfContents = async (reader: Reader, ids: readonly string[]): Promise<Map<string, number>> =>
  new Map((await reader.all(sizesById, { ids: jsonTexts(ids) })).map((row) => [row.id, row.size_bytes]));

export const listAttachments = async (reader: Reader, contentId: string) =>
  (await reader.all(attachmentList, { content_id: contentId })).map((row) => ({
    n: row.n,
    filename: row.filename,
    contentType: row.content_type,
    contentId: row.content_id_header,
    sizeBytes: row.size_bytes,
  }));

export async function findAttachment(reader: Reader, contentId: string, n: number) {
  const found = await findAttachmentRow(reader, contentId, n);
  if (!found) return null;
  const { filename, contentType, content: bytes, contentBlob: blob } = found;
  return { filename, contentType, stored: { bytes, blob } };
}

export const hasUnparsed = async (reader: Reader, now: number): Promise<boolean> =>
  (await reader.first(anyPending, { now })) !== undefined;

/** How much mail is not parsed yet, and since when, in milliseconds. */
export async function unparsedMail(reader: Reader): Promise<{ count: number; oldest: number | null }> {
  const row = await reader.first(pendingSince, {});
  return { count: Number(row?.count ?? 0), oldest: row?.oldest ?? null };
}

/** Makes the contents free that an instance, or with null any, was parsing. */
export const freeUnparsed = async (tx: Tx, instanceId: string | null): Promise<void> =>
  void (await (instanceId === null ? tx.run(freeAll, {}) : tx.run(freeOf, { by: instanceId })));

/** Takes over contents that nobody parses, until the lease ends. */
export const leaseUnparsed = async (tx: Tx, lease: { now: number; until: number; by: string; limit: number }) =>
  (await tx.all(leasePending, { ...lease, lease_until: lease.until })).map((row) => ({
    id: row.id,
    attempts: row.parse_attempts,
  }));

/** Keeps a content until the transaction ends. @returns false when it is deleted already */
export const holdContent = async (tx: Tx, id: string): Promise<boolean> => (await tx.first(hold, { id })) !== undefined;

/** Adds references to a content that the transaction holds already. */
export const addReferences = async (tx: Tx, id: string, copies: number): Promise<void> =>
  void (await tx.run(addCopies, { id, copies }));

/** Removes one reference, and the content with the last one. @returns the blobs that it held */
export async function dropReference(tx: Tx, id: string): Promise<string[]> {
  const row = await tx.first(dropCopy, { id });
  if (!row || row.copies > 0) return [];
  const attached = isLarge(row.size_bytes) ? await tx.all(attachedBlobs, { content_id: id }) : [];
  await tx.run(deleteRow, { id });
  return [row.raw_blob, ...attached.map(({ content_blob: blob }) => blob)].filter((blob) => blob !== null);
}

/** In the JSON of the findings. Quotation marks inside of its texts are escaped. */
const HAS_CODE = raw.lit('%ode":{%');

const withCode = sql((q, p: { ids: string }, engine) =>
  q
    .selectFrom('mail_contents')
    .select(['id', 'findings'])
    .where((eb) => isAmong(engine, eb.ref('id'), p.ids))
    .where('findings', 'like', HAS_CODE),
);

/** What was found in those of some mails that may hold a code, by the id of the content. */
export async function findingsWithCode(reader: Reader, ids: readonly string[]): Promise<Map<string, Findings>> {
  const rows = await reader.all(withCode, { ids: jsonTexts(ids) });
  return new Map(rows.map(({ id, findings }) => [id, CONTENTS.columns.findings.read(findings) as Findings]));
}
