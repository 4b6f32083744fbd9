import type { Principal } from '../principal.ts';
import type { Reader, Tx } from '../transaction.ts';
import type { Factor } from './factor.ts';

/** Factors whose removal is announced first, and their names in mails. */
export const NOTICE_KINDS = {
  backup_key: 'the backup key',
  e2e_key: 'the key that encrypts incoming mail',
  vault_recovery_email: 'the recovery address of the vault',
  email: 'the email address of the account',
  recovery_email: 'the recovery email',
  operator: 'an operator',
  operator_replacement: 'the operators',
} as const;
export type NoticeKind = keyof typeof NOTICE_KINDS;

/** Who decides on the command line. Such a notice cannot be undone. */
export const ADMINISTRATOR = 'administrator';

/** A removal that was announced. */
export interface Notice {
  /** `ntc_…` */
  id: string;
  accountId: string;
  what: NoticeKind;
  /** What goes, as its owner knows it: the prefix of a key, a public key, or an address. For a replacement, who comes. */
  target: string;
  askedAt: number;
  endsAt: number;
  /** The prefix of the key or the address of the session that asked; `administrator` for the command line. */
  askedBy: string;
}

/** Names the factor of a notice. */
export type NoticeTarget = Pick<Notice, 'accountId' | 'what' | 'target'>;

/** A factor that is about to go. `address`: the person's address that it is; null for a key. */
export interface NoticedFactor extends Factor {
  address: string | null;
}

/** What the feature that owns a kind of factor does about notices. All calls are in the transaction of their cause. */
export interface NoticeHandler {
  /** Finds the factor; null when it is gone. */
  find(reader: Reader, accountId: string, target: string): Promise<NoticedFactor | null>;
  /** Removes the factor at the end of the notice. */
  carryOut(tx: Tx, notice: Notice, now: number): Promise<void>;
  /** Puts back what the notice had begun, after it was undone or cancelled: a value that stands beside the old one. */
  undo?(tx: Tx, notice: Notice, now: number): Promise<void>;
}
export type NoticeHandlers = { [K in NoticeKind]?: NoticeHandler };

/** What tells who calls as a factor. */
export type Caller = Pick<Principal, 'accountId' | 'person' | 'actor'>;

/** Who asks for a removal. `confirmedSince`: since when the address of its session is confirmed; null for a key. */
export interface Asker {
  actor: string;
  confirmedSince: number | null;
  address: string | null;
}

/** A mail that tells people what happened to an account. Neither holds words that an agent chose, except quoted. */
export interface AccountNotification {
  subject: string;
  text: string;
}

/** What features use to remove old factors with notice. */
export interface Notices {
  /** Who the caller is as a factor. */
  askerOf(reader: Reader, caller: Caller): Promise<Asker>;
  /** Whether what the caller makes now counts as old at once: in the account's first hour, or by a session of an old address. */
  isTrustedFromStart(reader: Reader, caller: Caller, now: number): Promise<boolean>;
  /** Whether the account is in its first hour, in which the calls of the specification replace values at once. */
  isSettingUp(reader: Reader, accountId: string, now: number): Promise<boolean>;
  /**
   * Whether the caller removes a factor at once: it is young, the caller's own, or younger than the caller's confirmed
   * address.
   */
  removesAtOnce(factor: NoticedFactor, asker: Asker, now: number): boolean;
  /**
   * Announces a removal, by event and by mail to every confirmed address. A second call finds the first.
   * @throws ApiError `removal_disputed` after one factor undid this removal twice
   */
  start(tx: Tx, request: NoticeTarget & { by: Asker; now: number; delayMs?: number }): Promise<Notice>;
  /** Announces what the administrator decided, for 72 hours. A second call finds the first. */
  decide(tx: Tx, target: NoticeTarget, now: number): Promise<Notice>;
  /** Takes back what {@link decide} announced. @returns false without such a notice */
  withdraw(tx: Tx, target: NoticeTarget, now: number): Promise<boolean>;
  find(reader: Reader, target: NoticeTarget): Promise<Notice | null>;
  list(reader: Reader, accountId: string): Promise<Notice[]>;
  /** Drops the notice of a factor that went in another way. */
  drop(tx: Tx, target: NoticeTarget): Promise<void>;
  /** Ends the notice of something that stays after all. Who undid it before still counts. */
  supersede(tx: Tx, target: NoticeTarget): Promise<void>;
  /** Undoes the notice of a factor because it was used or kept. Nothing happens without one. */
  undoOf(tx: Tx, target: NoticeTarget, by: string, now: number): Promise<void>;
  /** Cancels every running notice of an account. @returns them */
  cancelAll(tx: Tx, accountId: string, now: number): Promise<Notice[]>;
  /** Mails every confirmed address of an account, if its mail does not come to this service. */
  notify(tx: Tx, accountId: string, mail: AccountNotification, now: number): Promise<void>;
  /** Whether the mail of an address goes elsewhere. An address whose mail we receive is never a factor. */
  isOutside(reader: Reader, address: string): Promise<boolean>;
}
