import { column, columnMap, exported, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';
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
  /** Only credentials without `mail:codes` wrote it, so they may see and send it. Absent: another one did. */
  withoutCodes?: boolean;
}

/** What a list shows. */
export const DRAFT_HEADS = columnMap({
  id: exported.text('id'),
  accountId: exported.text('account_id'),
  /** The sender. */
  address: exported.text('address'),
  headers: exported.json<DraftHeaders>()('content'),
  status: exported.enum<DraftState>()('status'),
  /** Of `status`, for the index of the list. */
  isSent: exported.flag('is_sent'),
  /** An editor saved it while someone typed, and no person or program has said since that it is to stay. */
  autosaved: exported.flag('is_autosaved'),
  /** Milliseconds. */
  sendAt: exported.integer('send_at').orNull(),
  /** The named key that scheduled it. It must stand when the mail leaves. Null: the account itself. */
  keyId: exported.text('key_id').orNull(),
  /** Why it failed. */
  error: exported.text('error').orNull(),
  /** The sent mail. */
  outboxId: exported.text('outbox_id').orNull(),
  /** Counts the changes. */
  version: exported.integer('version'),
  createdAt: exported.integer('created_at'),
  updatedAt: exported.integer('updated_at'),
});
export type DraftHead = RecordOf<typeof DRAFT_HEADS>;

export const DRAFTS = table(
  'mail_drafts',
  {
    ...DRAFT_HEADS.columns,
    text: exported.text('text_body').orNull(),
    html: exported.text('html_body').orNull(),
    /** The bytes that a mail program wrote, until something else changes the draft. */
    contentId: column.text('content_id').orNull(),
  },
  {
    key: ['id'],
    account: ['accountId'],
    erase: { by: 'draft-erasure.ts, with its bytes' },
    search: [
      {
        kind: 'draft',
        by: 'accountId',
        order: 'id',
        texts: ['headers'],
        reads: ['updatedAt'],
        where: { isSent: false },
        address: 'address',
        shown: ({ id, address, headers: { subject }, updatedAt }) => ({
          id,
          title: subject,
          at: updatedAt,
          place: ['mail', address, 'drafts', id],
        }),
      },
    ],
  },
);
export type SavedDraft = RecordOf<typeof DRAFTS>;

export const DRAFT_FILES = table(
  'draft_attachments',
  {
    draftId: exported.text('draft_id'),
    /** Its number in the draft, from 0. */
    n: exported.integer('n'),
    accountId: exported.text('account_id'),
    filename: exported.text('filename'),
    contentType: exported.text('content_type'),
    content: column.bytes('content'),
  },
  { key: ['draftId', 'n'], account: ['accountId'], erase: 'delete' },
);
export type DraftFile = Pick<RecordOf<typeof DRAFT_FILES>, 'filename' | 'contentType' | 'content'>;
export interface DraftFileEntry {
  filename: string;
  contentType: string;
  size: number;
}
