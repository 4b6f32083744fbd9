import { Refusal } from '../../api/errors.ts';

/**
 * What a session of IMAP asks of the service, which keeps the mail. `mail/imap/` speaks the protocol (RFC 9051, RFC 3501) and knows
 * nothing of accounts; the service implements this.
 */

/** The folders that every address has, as clients name them (RFC 6154). No other can be made. */
export const IMAP_FOLDERS = ['INBOX', 'Archive', 'Drafts', 'Junk', 'Sent', 'Trash'] as const;
export type ImapFolder = (typeof IMAP_FOLDERS)[number];

/** A refusal that a client is told: `NO [code] text`. Any other error is a fault: `NO [SERVERBUG]`. */
export class ImapRefusal extends Refusal {
  /** A response code (RFC 5530), as `NOPERM` or `OVERQUOTA`. */
  readonly code: string;

  constructor(code: string, text: string) {
    super(text);
    this.code = code;
  }
}

/** What a client presents. */
export type ImapCredentials =
  /** `LOGIN`, `AUTHENTICATE PLAIN`. */
  | { kind: 'password'; user: string; secret: string }
  /** `OAUTHBEARER`, `XOAUTH2`. `user` may be empty. */
  | { kind: 'token'; user: string; secret: string };

export interface ImapClient {
  remoteAddress: string;
  /** Whether the connection is encrypted. */
  tls: boolean;
}

/** Who opens mailboxes. */
export interface ImapService {
  /** Whether a network may open a connection now. */
  admits(client: ImapClient): Promise<boolean>;
  /** Whether a login is taken over such a connection; if not, the session announces `LOGINDISABLED`. */
  mayLogIn(client: ImapClient): boolean;
  /**
   * Opens the mailbox of an address. The caller waits a second after a refusal, and ends the connection after the fifth.
   * @param ended called at most once, when the login ends while the session is open; the session says `* BYE [code] text`
   * @throws ImapRefusal `AUTHENTICATIONFAILED`, `PRIVACYREQUIRED`, `LIMIT`, `UNAVAILABLE`
   */
  login(credentials: ImapCredentials, client: ImapClient, ended: (why: ImapRefusal) => void): Promise<ImapMailbox>;
}

/** Where a folder's numbers end. */
export interface FolderState {
  uidValidity: number;
  uidNext: number;
  /** RFC 7162 3.1.2.1. */
  highestModSeq: number;
}

/** What SELECT and STATUS say of a folder. */
export interface FolderStatus extends FolderState {
  messages: number;
  unseen: number;
  /** With `\Deleted`. */
  deleted: number;
  /** RFC 8438: the sum of all RFC822.SIZE. */
  size: number;
}

/** A mail of a folder with its flags, without `\Recent`. */
export interface FlaggedMail {
  uid: number;
  modSeq: number;
  /** System flags as in RFC 9051 (`\Seen`), and keywords. */
  flags: readonly string[];
}

/** What happened in a folder after a mod-sequence. */
export interface FolderChanges {
  highestModSeq: number;
  uidNext: number;
  /** Those that arrived, and those whose flags changed, in the order of UIDs. */
  changed: readonly FlaggedMail[];
  /** Null: what went is not known that far back, so every UID that is absent is gone. */
  vanished: readonly number[] | null;
}

/** An address of an ENVELOPE (RFC 9051 7.5.2), its texts decoded. `host` null: the begin or end of a group. */
export interface ImapAddress {
  name: string | null;
  mailbox: string | null;
  host: string | null;
}

/** The fields of ENVELOPE. */
export interface ImapEnvelope {
  /** The Date header as it came. */
  date: string | null;
  subject: string | null;
  from: readonly ImapAddress[];
  sender: readonly ImapAddress[];
  replyTo: readonly ImapAddress[];
  to: readonly ImapAddress[];
  cc: readonly ImapAddress[];
  bcc: readonly ImapAddress[];
  inReplyTo: string | null;
  messageId: string | null;
}

/** A part of a mail, with where it is in the bytes: BODYSTRUCTURE, and every section of BODY[…]. */
export interface ImapPart {
  /** In lower case. */
  type: string;
  subtype: string;
  params: readonly (readonly [name: string, value: string])[];
  id: string | null;
  description: string | null;
  /** In lower case; `7bit` where there is none. */
  encoding: string;
  md5: string | null;
  disposition: { type: string; params: readonly (readonly [name: string, value: string])[] } | null;
  language: readonly string[];
  location: string | null;
  /** Where its header begins, where its body begins, and where it ends, in bytes from the begin of the mail. */
  headerAt: number;
  bodyAt: number;
  endAt: number;
  /** Of the body, for `text/…` and `message/rfc822`. */
  lines: number;
  /** Of a multipart. */
  parts: readonly ImapPart[];
  /** Of a `message/rfc822`: its envelope and its body. */
  message: { envelope: ImapEnvelope; body: ImapPart } | null;
}

/** What of a mail can be kept beside its bytes, so that lists need not read them. */
export interface MailOutline {
  envelope: ImapEnvelope;
  body: ImapPart;
}

/** What a FETCH needs beside UIDs and flags. */
export interface FetchWants {
  /** INTERNALDATE, RFC822.SIZE, EMAILID, THREADID. */
  dates?: boolean;
  /** ENVELOPE, BODY, BODYSTRUCTURE. */
  outline?: boolean;
  /** The header of the whole mail. */
  header?: boolean;
  /** All of its bytes. With them come the outline and the header. */
  bytes?: boolean;
  /** RFC 8970. */
  preview?: boolean;
}

/** A mail as it is fetched. */
export interface FetchedMail extends FlaggedMail {
  /** Milliseconds. */
  internalDate: number;
  size: number;
  /** RFC 8474. */
  emailId: string;
  threadId: string | null;
  outline: MailOutline | null;
  /** With the empty line that ends it. */
  header: Uint8Array | null;
  bytes: Uint8Array | null;
  /** At most 200 characters. */
  preview: string | null;
}

export interface StoreChange {
  does: 'add' | 'remove' | 'replace';
  flags: readonly string[];
  /** RFC 7162 3.1.3: mails with a later mod-sequence stay as they are. */
  unchangedSince: number | null;
}

/** A search key (RFC 9051 6.4.4), parsed. Texts are decoded; dates are the first millisecond of a day, UTC. */
export type SearchKey =
  | { key: 'all' }
  | { key: 'and' | 'or'; of: readonly SearchKey[] }
  | { key: 'not'; of: SearchKey }
  /** A sequence set, turned into UIDs by the session, in order and apart. */
  | { key: 'uids'; ranges: readonly (readonly [from: number, to: number])[] }
  /** A system flag or a keyword. */
  | { key: 'flag'; flag: string }
  | { key: 'from' | 'to' | 'cc' | 'bcc' | 'subject'; text: string }
  | { key: 'body' | 'text'; text: string }
  | { key: 'header'; name: string; text: string }
  /** INTERNALDATE in [from, before). */
  | { key: 'internalDate' | 'sent'; from: number; before: number }
  | { key: 'larger' | 'smaller'; bytes: number }
  | { key: 'modSeq'; least: number }
  | { key: 'emailId' | 'threadId'; id: string };

/** The UIDs of mails before and after a COPY, MOVE (RFC 4315 COPYUID). */
export interface CopiedUids {
  uidValidity: number;
  from: readonly number[];
  to: readonly number[];
}

export interface AppendedMail {
  flags: readonly string[];
  /** Milliseconds; null: now. */
  internalDate: number | null;
  bytes: Uint8Array;
}

/**
 * The mailbox of one address, as one login may use it. Every method reads and writes the state of the moment; the session
 * keeps what the client knows. UIDs that are not there any more are passed over in silence (RFC 9051 2.3.1.2).
 */
export interface ImapMailbox {
  /** All mailboxes of one owner share what it may hold of the memory. */
  owner: string;
  /** Whether flags can be changed and mails moved, copied, deleted or added to a folder. */
  mayChange(folder: ImapFolder): boolean;
  status(folder: ImapFolder): Promise<FolderStatus>;
  /** Gives UIDs to what has none, and lists all of them in their order. */
  open(folder: ImapFolder): Promise<{ state: FolderState; uids: Uint32Array }>;
  /** What came, changed and went after a mod-sequence. */
  changesSince(folder: ImapFolder, modSeq: number): Promise<FolderChanges>;
  /** Calls back when something may have changed in any folder. @returns what stops that */
  watch(onNews: () => void): () => void;
  flags(folder: ImapFolder, uids: readonly number[]): Promise<FlaggedMail[]>;
  /** In the order of UIDs, as the session can send them: it reads no further ahead than a few mails. */
  fetch(folder: ImapFolder, uids: readonly number[], wants: FetchWants): AsyncIterable<FetchedMail>;
  /** @returns the UIDs in ascending order, and the largest mod-sequence among them @throws ImapRefusal `CANNOT`, `LIMIT` */
  search(folder: ImapFolder, key: SearchKey): Promise<{ uids: number[]; highestModSeq: number }>;
  /** @returns the mails with their flags after it, and those that `unchangedSince` left alone @throws ImapRefusal `NOPERM`, `LIMIT` */
  store(
    folder: ImapFolder,
    uids: readonly number[],
    change: StoreChange,
  ): Promise<{ changed: FlaggedMail[]; modified: number[] }>;
  /** All or none. @throws ImapRefusal `NOPERM`, `CANNOT`, `OVERQUOTA` */
  copy(folder: ImapFolder, uids: readonly number[], to: ImapFolder): Promise<CopiedUids>;
  move(folder: ImapFolder, uids: readonly number[], to: ImapFolder): Promise<CopiedUids>;
  /** Removes those of the UIDs that have `\Deleted`. @throws ImapRefusal `NOPERM` */
  expunge(folder: ImapFolder, uids: readonly number[]): Promise<void>;
  /** All or none (RFC 3502). @throws ImapRefusal `NOPERM`, `CANNOT`, `OVERQUOTA`, `UNAVAILABLE`, `TOOBIG` */
  append(folder: ImapFolder, mails: readonly AppendedMail[]): Promise<{ uidValidity: number; uids: readonly number[] }>;
  /** Counts what was sent to the client. @throws ImapRefusal `LIMIT` when the bytes of the day are used up */
  spend(bytes: number): Promise<void>;
  /** The session has ended. */
  close(): void;
}
