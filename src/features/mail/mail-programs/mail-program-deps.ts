import type { AuditRecord } from '../../../api/audit-record.ts';
import type { Database, Tx } from '../../../api/transaction.ts';
import type { AddressRules } from '../../account/addresses/address.ts';
import type { Credentials } from '../../identity/login/authenticator.ts';
import type { MailboxRules } from '../mailboxes/mailbox.ts';
import type { FolderNews } from './folder-news.ts';

/** What mail programs need of other features. */
export interface MailProgramDeps {
  database: Database;
  addresses: Pick<AddressRules, 'requireOwned'>;
  credentials: Pick<Credentials, 'ofHash' | 'confirm'>;
  mailboxes: Pick<MailboxRules, 'open' | 'noteRead'>;
  folderNews: FolderNews;
  appendAudits(tx: Tx, records: readonly AuditRecord[]): Promise<void>;
  /** False while the disk is almost full. */
  mayStore(): boolean;
  now(): number;
}
