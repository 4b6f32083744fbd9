import { column, type RecordOf } from '../../../../db/column-map.ts';
import { table } from '../../../../db/table.ts';

/** The folders of an address, as mail programs see them. `db/folder-log.ts` writes the rows of all three tables. */
export type MailFolder = 'inbox' | 'archive' | 'junk' | 'trash' | 'sent' | 'drafts';

const BY = { by: 'mail-erasure.ts, with the mail of their address' };

/** Where the UIDs and mod-sequences of a folder end (RFC 9051 2.3.1.1, RFC 7162 3.1). */
export const FOLDERS_OPENED = table(
  'mailbox_folders',
  {
    address: column.text('address'),
    folder: column.enum<MailFolder>()('folder'),
    /** Seconds since the epoch. Another one says that every UID is another. */
    uidValidity: column.integer('uid_validity'),
    uidNext: column.integer('uid_next'),
    modSeq: column.integer('modseq'),
    /** Removals with this mod-sequence or a smaller one are not listed any more. */
    vanishedFrom: column.integer('vanished_from'),
    /** False until what was there before has its UIDs. */
    numbered: column.flag('numbered'),
  },
  { key: ['address', 'folder'], account: [], erase: BY },
);
export type FolderEnds = RecordOf<typeof FOLDERS_OPENED>;

/** What is in a folder: messages, sent mail or drafts, by UID. */
export const UIDS = table(
  'mailbox_uids',
  {
    address: column.text('address'),
    folder: column.enum<MailFolder>()('folder'),
    uid: column.integer('uid'),
    /** Of a message, a sent mail or a draft. */
    itemId: column.text('item_id'),
    modSeq: column.integer('modseq'),
    /** The flags that the item itself has no place for: `\Deleted`, and of sent mail and drafts all. */
    flags: column.json<string[]>()('flags'),
  },
  { key: ['address', 'folder', 'uid'], account: [], erase: BY },
);
export type Numbered = RecordOf<typeof UIDS>;

/** The UIDs that a folder no longer has. */
export const VANISHED = table(
  'mailbox_vanished',
  {
    address: column.text('address'),
    folder: column.enum<MailFolder>()('folder'),
    modSeq: column.integer('modseq'),
    uid: column.integer('uid'),
    /** Milliseconds; 0 until the sweep sees it. */
    removedAt: column.integer('removed_at'),
  },
  { key: ['address', 'folder', 'modSeq', 'uid'], account: [], erase: BY },
);
