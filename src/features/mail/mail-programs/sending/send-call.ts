import type { AuditNote, Reply } from '../../../../api/endpoint.ts';
import type { ApiError } from '../../../../api/errors.ts';
import type { Principal } from '../../../../api/principal.ts';
import type { Tx } from '../../../../api/transaction.ts';

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
