import type { AppendEvents } from '../../../api/events.ts';
import type { EnqueueJob } from '../../../api/job-types.ts';
import type { Limits } from '../../../api/limits.ts';
import type { Database, Tx } from '../../../api/transaction.ts';
import type { Sealer } from '../../../base/sealing.ts';
import type { ReadsWritten } from '../../../mail/reading/mime-parser.ts';
import type { MailTransport } from '../../../mail/smtp-out/mail-transport.ts';
import type { ReturnPaths, UnsubscribeTokens } from '../../../mail/smtp-out/return-path.ts';
import type { AddressRules } from '../../account/addresses/address.ts';
import type { PaymentRules } from '../../service/payments/payment.ts';
import type { Suppressions } from '../../service/suppressions/suppression.ts';
import type { SendPolicy } from '../mail-policy/send-policy.ts';
import type { MailboxRules } from '../mailboxes/mailbox.ts';
import type { ReviewRules } from '../reviews/review.ts';
import type { StorageRules } from '../storage/storage-quota.ts';
import type { PostmasterQuota } from './postmaster-quota.ts';

/** What sending mail needs. Each part takes what it uses of this. */
export interface OutboxDeps {
  database: Database;
  sealer: Sealer;
  mailDomain: string;
  limits: Pick<Limits, 'tried_recipients_per_hour'>;
  baseUrl(): string;
  appendEvents: AppendEvents<Tx>;
  enqueueJob: EnqueueJob;
  /** What carries mail to external recipients. */
  transport: MailTransport;
  returnPaths: ReturnPaths;
  unsubscribing: UnsubscribeTokens;
  /** Called when a mail was sent, with its place in the development outbox. Never with its content. */
  onSent(sent: { id: string; provider: string; providerId: string }): void;
  readWritten: ReadsWritten;
  payments: PaymentRules;
  addresses: AddressRules;
  /** Checks which addresses a caller may send from, and which messages it may answer. */
  mailboxes: Pick<MailboxRules, 'sender' | 'message' | 'ownAddresses'>;
  suppressions: Suppressions;
  sendPolicy: SendPolicy;
  reviews: ReviewRules;
  storage: StorageRules;
  postmasterRoom: PostmasterQuota;
}
