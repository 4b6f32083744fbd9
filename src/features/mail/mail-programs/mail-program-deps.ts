import type { AuditNote, Reply } from '../../../api/endpoint.ts';
import type { ApiError } from '../../../api/errors.ts';
import type { Limits } from '../../../api/limits.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Database, Tx } from '../../../api/transaction.ts';
import type { Log } from '../../../base/log.ts';
import type { ImapClient, ImapCredentials, ImapRefusal } from '../../../mail/imap/imap-store.ts';
import type { MimeParser } from '../../../mail/reading/mime-parser.ts';
import type { AddressRules } from '../../account/addresses/address.ts';
import type { Credentials } from '../../identity/login/authenticator.ts';
import type { Suppressions } from '../../service/suppressions/suppression.ts';
import type { SendPolicy } from '../mail-policy/send-policy.ts';
import type { MailboxRules } from '../mailboxes/mailbox.ts';
import type { OutboxRules } from '../outbox/sent-mail.ts';
import type { ProgramLogin } from './program-login.ts';

/** Who hands over a mail, and what a repeat of that is known by. */
export interface SendCaller {
  principal: Principal;
  /** The client's address. */
  ip: string;
  /** A hash over all that makes it the same mail. Null: each is another. */
  repeat: string | null;
  now: number;
}

/** `POST /v1/email/send` as a program calls it by another protocol: all that every call of it must pass, and leaves behind. */
export interface SendCall {
  /** @throws ApiError `insufficient_scope`, `account_deleting`, `storage_unavailable` */
  require(principal: Principal): void;
  /** The reply to the first of equal calls, for 24 hours. Null: this is the first. */
  first(caller: SendCaller): Promise<Reply | null>;
  /** Does the work, once for all equal calls, with its audit entry in the same transaction. */
  transact(caller: SendCaller, work: (tx: Tx, audit: AuditNote) => Promise<Reply>): Promise<Reply>;
  /** Notes a refusal for the owner and the administrator. */
  noteRefused(refusal: ApiError, caller: Omit<SendCaller, 'repeat'>): void;
}

/** Who may log in with a mail program. */
export interface ProgramLogins {
  /** Whether a network may open a connection now. */
  admits(client: ImapClient): Promise<boolean>;
  /** @throws ImapRefusal `AUTHENTICATIONFAILED`, `PRIVACYREQUIRED`, `LIMIT`, `UNAVAILABLE` */
  authenticate(
    credentials: ImapCredentials,
    client: ImapClient,
    scope: 'mail:read' | 'mail:send',
    ended: (why: ImapRefusal) => void,
  ): Promise<ProgramLogin & { close?(): void }>;
}

/** What mail programs need of other features. */
export interface MailProgramDeps {
  database: Database;
  mailDomain: string;
  limits: Pick<Limits, 'tried_recipients_per_hour'>;
  addresses: Pick<AddressRules, 'receiver'>;
  credentials: Pick<Credentials, 'ofHash'>;
  mailboxes: Pick<MailboxRules, 'sender'>;
  suppressions: Pick<Suppressions, 'requireMaySend'>;
  sendPolicy: Pick<SendPolicy, 'refused'>;
  outbox: Pick<OutboxRules, 'send'>;
  parser: Pick<MimeParser, 'parse'>;
  sendCall: SendCall;
  logins: ProgramLogins;
  log: Log;
  now(): number;
}
