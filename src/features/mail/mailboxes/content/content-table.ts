import { column, type RecordOf } from '../../../../db/column-map.ts';
import { table } from '../../../../db/table.ts';
import type { Findings } from '../../../../mail/mime/screening-result.ts';

/** `pending`: only the raw message is stored and it is not parsed yet. `failed`: it could not be parsed and never will. */
export type ContentState = 'pending' | 'parsed' | 'failed';

/** What a mail consists of, once for all its copies in inboxes and the outbox. */
export const CONTENTS = table(
  'mail_contents',
  {
    id: column.text('id'),
    state: column.enum<ContentState>()('state'),
    /** Empty when it is in a blob. */
    raw: column.bytes('raw'),
    sizeBytes: column.integer('size_bytes'),
    text: column.text('text_body').orNull(),
    html: column.text('html_body').orNull(),
    /** How many messages and waiting outbox entries refer to it. It is deleted with the last one. */
    copies: column.integer('copies'),
    parseAttempts: column.integer('parse_attempts'),
    /** Until when the process that parses it has it for itself, milliseconds. */
    parseLeaseUntil: column.integer('parse_lease_until'),
    /** The instance that parses it. */
    parseLeasedBy: column.text('parse_leased_by').orNull(),
    /** What was cut or wrong, comma-separated. */
    problem: column.text('problem').orNull(),
    createdAt: column.integer('created_at'),
    /** What a person would see; null when that is the text, or when sealed. */
    visibleText: column.text('visible_text').orNull(),
    /** Codes, links and signals; null when sealed, or not computed yet. */
    findings: column.json<Findings>()('findings').orNull(),
    /** The blob that holds the raw message, if it is large. */
    rawBlob: column.text('raw_blob').orNull(),
  },
  { key: ['id'], account: [], erase: { by: 'content-store.ts, with the last copy' } },
);
type Stored = RecordOf<typeof CONTENTS>;
export type Content = Omit<Stored, 'parseAttempts' | 'parseLeasedBy' | 'rawBlob'> &
  Partial<Pick<Stored, 'parseLeasedBy'>>;

export const ATTACHMENTS = table(
  'attachments',
  {
    mailId: column.text('content_id'),
    /** Its number in the mail, from 0. */
    n: column.integer('n'),
    filename: column.text('filename').orNull(),
    contentType: column.text('content_type'),
    /** The Content-ID header (RFC 2392). */
    contentId: column.text('content_id_header').orNull(),
    sizeBytes: column.integer('size_bytes'),
    /** Empty when it is in a blob. */
    content: column.bytes('content'),
    contentBlob: column.text('content_blob').orNull(),
  },
  { key: ['mailId', 'n'], account: [], erase: { by: 'content-store.ts, with their mail' } },
);
export type StoredAttachment = Omit<RecordOf<typeof ATTACHMENTS>, 'mailId' | 'n' | 'contentBlob'>;

/** Large bytes of a mail, in pieces. */
export const BLOBS = table(
  'mail_blobs',
  {
    id: column.text('id'),
    /** How many pieces it has when it is whole. */
    pieces: column.integer('pieces'),
    /** When it is removed, milliseconds, unless a mail refers to it by then. 0: none does any more. Null: one does. */
    purgeAt: column.integer('purge_at').orNull(),
  },
  { key: ['id'], account: [], erase: { by: 'blob.ts, when no mail refers to it' } },
);

export const BLOB_PIECES = table(
  'mail_blob_pieces',
  {
    blobId: column.text('blob_id'),
    n: column.integer('n'),
    bytes: column.bytes('bytes'),
  },
  { key: ['blobId', 'n'], account: [], erase: { by: 'blob.ts, before their blob' } },
);
