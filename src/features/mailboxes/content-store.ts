import { tables } from '../../db/statement.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';

interface Tables {
  mail_contents: {
    id: string;
    state: string;
    raw: Uint8Array;
    size_bytes: number;
    text_body: string | null;
    html_body: string | null;
    copies: number;
    parse_attempts: number;
    parse_lease_until: number;
    problem: string | null;
    created_at: number;
  };
  attachments: {
    content_id: string;
    n: number;
    filename: string | null;
    content_type: string;
    content_id_header: string | null;
    size_bytes: number;
    content: Uint8Array;
  };
}

const sql = tables<Tables>();

/** `pending`: the raw message alone, kept before anyone looks into it. `failed`: it could not be parsed, and never will. */
export type ContentState = 'pending' | 'parsed' | 'failed';

export interface Content {
  id: string;
  state: ContentState;
  raw: Uint8Array;
  sizeBytes: number;
  text: string | null;
  html: string | null;
  /** How many messages and waiting outbox entries refer to it; the last one to go takes it along. */
  copies: number;
  parseLeaseUntil: number;
  problem: string | null;
  createdAt: number;
}

export interface StoredAttachment {
  filename: string | null;
  contentType: string;
  contentId: string | null;
  sizeBytes: number;
  content: Uint8Array;
}

const insertRow = sql((q, p: Omit<Tables['mail_contents'], 'parse_attempts'>) =>
  q.insertInto('mail_contents').values({
    id: p.id,
    state: p.state,
    raw: p.raw,
    size_bytes: p.size_bytes,
    text_body: p.text_body,
    html_body: p.html_body,
    copies: p.copies,
    parse_attempts: 0,
    parse_lease_until: p.parse_lease_until,
    problem: p.problem,
    created_at: p.created_at,
  }),
);

const insertAttachmentRow = sql((q, p: Tables['attachments']) =>
  q.insertInto('attachments').values({
    content_id: p.content_id,
    n: p.n,
    filename: p.filename,
    content_type: p.content_type,
    content_id_header: p.content_id_header,
    size_bytes: p.size_bytes,
    content: p.content,
  }),
);

const bodyById = sql((q, p: { id: string }) =>
  q.selectFrom('mail_contents').select(['state', 'text_body', 'html_body', 'problem']).where('id', '=', p.id),
);
const bodyHeadById = sql((q, p: { id: string; chars: number }) =>
  q
    .selectFrom('mail_contents')
    .select((eb) => eb.fn<string | null>('substr', ['text_body', eb.lit(1), eb.val(p.chars)]).as('head'))
    .where('id', '=', p.id),
);
const rawById = sql((q, p: { id: string }) => q.selectFrom('mail_contents').select('raw').where('id', '=', p.id));

const attachmentList = sql((q, p: { content_id: string }) =>
  q
    .selectFrom('attachments')
    .select(['n', 'filename', 'content_type', 'content_id_header', 'size_bytes'])
    .where('content_id', '=', p.content_id)
    .orderBy('n'),
);
const attachmentByNumber = sql((q, p: { content_id: string; n: number }) =>
  q
    .selectFrom('attachments')
    .select(['filename', 'content_type', 'content'])
    .where('content_id', '=', p.content_id)
    .where('n', '=', p.n),
);

/** Only the first result is kept: a second parser of the same message changes nothing. */
const storeParsed = sql(
  (q, p: { id: string; state: string; text_body: string; html_body: string | null; problem: string | null }) =>
    q
      .updateTable('mail_contents')
      .set({ state: p.state, text_body: p.text_body, html_body: p.html_body, problem: p.problem })
      .where('id', '=', p.id)
      .where('state', '=', 'pending'),
);

const leasePending = sql((q, p: { now: number; lease_until: number; limit: number }, engine) => {
  const due = q
    .selectFrom('mail_contents')
    .select('id')
    .where('state', '=', 'pending')
    .where('parse_lease_until', '<=', p.now)
    .orderBy('parse_lease_until')
    .limit(p.limit);
  return q
    .updateTable('mail_contents')
    .set((eb) => ({ parse_lease_until: p.lease_until, parse_attempts: eb('parse_attempts', '+', 1) }))
    .where('id', 'in', engine === 'postgres' ? due.forUpdate().skipLocked() : due)
    .returning(['id', 'parse_attempts']);
});

const anyPending = sql((q, p: { now: number }) =>
  q
    .selectFrom('mail_contents')
    .select('id')
    .where('state', '=', 'pending')
    .where('parse_lease_until', '<=', p.now)
    .limit(1),
);

const dropCopy = sql((q, p: { id: string }) =>
  q
    .updateTable('mail_contents')
    .set((eb) => ({ copies: eb('copies', '-', 1) }))
    .where('id', '=', p.id)
    .returning('copies'),
);
const deleteRow = sql((q, p: { id: string }) =>
  q.deleteFrom('mail_contents').where('id', '=', p.id).where('copies', '<=', 0),
);

export async function insertContent(tx: Tx, content: Content): Promise<void> {
  await tx.run(insertRow, {
    id: content.id,
    state: content.state,
    raw: content.raw,
    size_bytes: content.sizeBytes,
    text_body: content.text,
    html_body: content.html,
    copies: content.copies,
    parse_lease_until: content.parseLeaseUntil,
    problem: content.problem,
    created_at: content.createdAt,
  });
}

export async function insertAttachments(
  tx: Tx,
  contentId: string,
  attachments: readonly StoredAttachment[],
): Promise<void> {
  for (const [n, attachment] of attachments.entries()) {
    await tx.run(insertAttachmentRow, {
      content_id: contentId,
      n,
      filename: attachment.filename,
      content_type: attachment.contentType,
      content_id_header: attachment.contentId,
      size_bytes: attachment.sizeBytes,
      content: attachment.content,
    });
  }
}

export async function readBody(reader: Reader, id: string) {
  const row = await reader.first(bodyById, { id });
  return row
    ? { state: row.state as ContentState, text: row.text_body, html: row.html_body, problem: row.problem }
    : null;
}

/** The first characters of the text. */
export const readBodyHead = async (reader: Reader, id: string, chars: number): Promise<string> =>
  (await reader.first(bodyHeadById, { id, chars }))?.head ?? '';

export const readRaw = async (reader: Reader, id: string): Promise<Uint8Array | null> =>
  (await reader.first(rawById, { id }))?.raw ?? null;

export const listAttachments = async (reader: Reader, contentId: string) =>
  (await reader.all(attachmentList, { content_id: contentId })).map((row) => ({
    n: row.n,
    filename: row.filename,
    contentType: row.content_type,
    contentId: row.content_id_header,
    sizeBytes: row.size_bytes,
  }));

export async function readAttachment(reader: Reader, contentId: string, n: number) {
  const row = await reader.first(attachmentByNumber, { content_id: contentId, n });
  return row ? { filename: row.filename, contentType: row.content_type, content: row.content } : null;
}

/** @returns false when somebody else has parsed it */
export const finishParsing = async (
  tx: Tx,
  id: string,
  result: { state: Exclude<ContentState, 'pending'>; text: string; html: string | null; problem: string | null },
): Promise<boolean> =>
  (await tx.run(storeParsed, {
    id,
    state: result.state,
    text_body: result.text,
    html_body: result.html,
    problem: result.problem,
  })) === 1;

export const hasUnparsed = async (reader: Reader, now: number): Promise<boolean> =>
  (await reader.first(anyPending, { now })) !== undefined;

/** Messages whose parser died, handed to this one until the lease ends. */
export const leaseUnparsed = async (tx: Tx, lease: { dueBy: number; until: number; limit: number }) =>
  (await tx.all(leasePending, { now: lease.dueBy, lease_until: lease.until, limit: lease.limit })).map((row) => ({
    id: row.id,
    attempts: row.parse_attempts,
  }));

/** One reference less; without any left the content goes. */
export async function releaseContent(tx: Tx, id: string): Promise<void> {
  const row = await tx.first(dropCopy, { id });
  if (row && row.copies <= 0) await tx.run(deleteRow, { id });
}
