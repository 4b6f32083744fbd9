import type { AuditRecord } from '../../../api/audit-record.ts';
import type { EnqueueJob } from '../../../api/job-types.ts';
import type { Limits } from '../../../api/limits.ts';
import type { CallCount } from '../../../api/metering/call-bucket.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Database, Tx } from '../../../api/transaction.ts';
import type { ClientNetworks } from '../../../base/client-network.ts';
import type { Log } from '../../../base/log.ts';
import type { MimeParser } from '../../../mail/reading/mime-parser.ts';
import type { AddressRules } from '../../account/addresses/address.ts';
import type { Credentials } from '../../identity/login/authenticator.ts';
import type { MeterRules, RequestMeter } from '../../service/limits/request-meter.ts';
import type { Suppressions } from '../../service/suppressions/suppression.ts';
import type { DraftRules } from '../drafts/draft.ts';
import type { SendPolicy } from '../mail-policy/send-policy.ts';
import type { MailboxRules } from '../mailboxes/mailbox.ts';
import type { OutboxRules } from '../outbox/sent-mail.ts';
import type { StorageRules } from '../storage/storage-quota.ts';
import type { FolderNews } from './folder-news.ts';

/** What mail programs need of other features. */
export interface MailProgramDeps {
  database: Database;
  mailDomain: string;
  addresses: Pick<AddressRules, 'requireOwned' | 'receiver'>;
  credentials: Pick<Credentials, 'ofHash' | 'current' | 'confirm' | 'keyUses'>;
  mailboxes: Pick<MailboxRules, 'open' | 'noteRead' | 'sender'>;
  drafts: Pick<DraftRules, 'changed' | 'create' | 'remove'>;
  outbox: Pick<OutboxRules, 'send'>;
  storage: Pick<StorageRules, 'requireRoom'>;
  suppressions: Pick<Suppressions, 'requireMaySend'>;
  sendPolicy: Pick<SendPolicy, 'refused'>;
  parser: Pick<MimeParser, 'parse'>;
  folderNews: FolderNews;
  enqueueJob: EnqueueJob;
  appendAudits(tx: Tx, records: readonly AuditRecord[]): Promise<void>;
  /** False while the disk is almost full. */
  mayStore(): boolean;
  meter: Pick<RequestMeter, 'take' | 'giveBack'>;
  meterRules(principal: Principal, count?: CallCount): MeterRules;
  limits: Pick<Limits, 'mail_program_connections' | 'tried_recipients_per_hour'>;
  /** Whether a login may be in clear from this machine. */
  development: boolean;
  hashIp(ip: string): string;
  networksOf(ip: string): ClientNetworks;
  /** Counts a login by its outcome. */
  countLogin(outcome: string): void;
  log: Log;
  onFault(err: unknown, message: string): void;
  now(): number;
}
