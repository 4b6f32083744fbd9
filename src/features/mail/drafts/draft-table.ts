import { column, columnMap, type RecordOf } from '../../../db/column-map.ts';
import type { Metadata } from '../mailboxes/messages/message-metadata-schema.ts';

/** `failed`: it could not leave when it was due. */
export const DRAFT_STATES = ['draft', 'scheduled', 'sent', 'failed'] as const;
export type DraftState = (typeof DRAFT_STATES)[number];

/** The headers of a mail, as far as they are written. */
export interface DraftHeaders {
  to: string[];
  cc: string[];
  bcc: string[];
  replyTo: string | null;
  subject: string;
  inReplyTo: string | null;
  references: string[];
  /** What the sender notes about it. Absent in drafts of earlier versions. */
  metadata?: Metadata | null;
  unsubscribe?: boolean;
}

/** What a list shows. */
export const DRAFT_HEADS = columnMap({
  id: column.text('id'),
  accountId: column.text('account_id'),
  /** The sender. */
  address: column.text('address'),
  headers: column.json<DraftHeaders>()('content'),
  status: column.word<DraftState>()('status'),
  /** Of `status`, for the index of the list. */
  isSent: column.flag('is_sent'),
  /** Milliseconds. */
  sendAt: column.integer('send_at').orNull(),
  /** The named key that scheduled it. It must stand when the mail leaves. Null: the account itself. */
  keyId: column.text('key_id').orNull(),
  /** Why it failed. */
  error: column.text('error').orNull(),
  /** The sent mail. */
  outboxId: column.text('outbox_id').orNull(),
  /** Counts the changes. */
  version: column.integer('version'),
  createdAt: column.integer('created_at'),
  updatedAt: column.integer('updated_at'),
});
export type DraftHead = RecordOf<typeof DRAFT_HEADS>;

export const DRAFTS = columnMap({
  ...DRAFT_HEADS.columns,
  text: column.text('text_body').orNull(),
  html: column.text('html_body').orNull(),
});
export type SavedDraft = RecordOf<typeof DRAFTS>;

export const DRAFT_FILES = columnMap({
  draftId: column.text('draft_id'),
  /** Its number in the draft, from 0. */
  n: column.integer('n'),
  accountId: column.text('account_id'),
  filename: column.text('filename'),
  contentType: column.text('content_type'),
  content: column.bytes('content'),
});
export type DraftFile = Pick<RecordOf<typeof DRAFT_FILES>, 'filename' | 'contentType' | 'content'>;
export interface DraftFileEntry {
  filename: string;
  contentType: string;
  size: number;
}
