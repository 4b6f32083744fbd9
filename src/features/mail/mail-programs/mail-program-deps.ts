import type { AuditRecord } from '../../../api/audit-record.ts';
import type { EnqueueJob } from '../../../api/job-types.ts';
import type { Database, Tx } from '../../../api/transaction.ts';
import type { MimeParser } from '../../../mail/reading/mime-parser.ts';
import type { AddressRules } from '../../account/addresses/address.ts';
import type { Credentials } from '../../identity/login/authenticator.ts';
import type { DraftRules } from '../drafts/draft.ts';
import type { MailboxRules } from '../mailboxes/mailbox.ts';
import type { StorageRules } from '../storage/storage-quota.ts';
import type { FolderNews } from './folder-news.ts';

/** What mail programs need of other features. */
export interface MailProgramDeps {
  database: Database;
  addresses: Pick<AddressRules, 'requireOwned'>;
  credentials: Pick<Credentials, 'ofHash' | 'confirm'>;
  mailboxes: Pick<MailboxRules, 'open' | 'noteRead'>;
  drafts: Pick<DraftRules, 'changed' | 'create' | 'remove'>;
  storage: Pick<StorageRules, 'requireRoom'>;
  parser: Pick<MimeParser, 'parse'>;
  folderNews: FolderNews;
  enqueueJob: EnqueueJob;
  appendAudits(tx: Tx, records: readonly AuditRecord[]): Promise<void>;
  /** False while the disk is almost full. */
  mayStore(): boolean;
  now(): number;
}
