import type { ImapFolder } from '../../../mail/imap/imap-store.ts';
import type { MailFolder } from '../mailboxes/uids/folder-uids.ts';

/** The folders of mail programs (RFC 6154) by their names inside. */
const INSIDE = {
  INBOX: 'inbox',
  Archive: 'archive',
  Junk: 'junk',
  Trash: 'trash',
  Sent: 'sent',
  Drafts: 'drafts',
} as const satisfies Record<ImapFolder, MailFolder>;

/** A folder as it is named inside. */
export const folderInside = (folder: ImapFolder): MailFolder => INSIDE[folder];
