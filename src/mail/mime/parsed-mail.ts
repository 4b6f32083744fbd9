import type { Findings } from './screening-result.ts';

/**
 * One mailbox of a header. `address` always holds an `@`; `name` is the decoded display name, '' when there is none.
 */
export type MailAddress = { address: string; name: string };

/** One part that is not body text. `content` is decoded; `size` is its length in bytes. */
export type ParsedAttachment = {
  filename: string;
  contentType: string;
  size: number;
  /** Content-ID without its angle brackets. */
  contentId: string | null;
  /** `attachment`, `inline` or whatever token the sender wrote, lower case. */
  disposition: string | null;
  content: Uint8Array<ArrayBuffer>;
};

/**
 * A message as far as it could be understood. Every text is well-formed Unicode without NUL, so both databases store
 * it, and no header value holds a line break.
 *
 * Message ids (`rfcMessageId`, `inReplyTo`, `references`) always carry their angle brackets, so they compare as text.
 */
export type ParsedMail = {
  /** False: the structure could not be parsed and only the headers were read, see {@link ParsedMail.problem}. */
  parsed: boolean;
  /** Comma-separated {@link MailProblem}s, null for none. */
  problem: string | null;
  rfcMessageId: string | null;
  from: MailAddress | null;
  to: MailAddress[];
  cc: MailAddress[];
  /** Of a draft. What was sent names none. */
  bcc: MailAddress[];
  replyTo: MailAddress[];
  subject: string;
  /** The Date header as ISO 8601 in UTC, the sender's claim; null when absent or unreadable. */
  date: string | null;
  inReplyTo: string | null;
  references: string[];
  text: string;
  /** False: `text` is made of the HTML, because the mail has no text part. */
  hasPlainText: boolean;
  html: string | null;
  attachments: ParsedAttachment[];
  /** What a person would see of it; null when that is `text`. */
  visibleText: string | null;
  /** Codes, links and signals; null when it could not be parsed. */
  findings: Findings | null;
  /** A machine sent it (RFC 3834): answering it automatically could loop. */
  autoSubmitted: boolean;
  /** How many Received headers it carries, one for each hop. */
  receivedCount: number;
};

/**
 * What was wrong with a message. The first five come with `parsed: false`, the rest with a message cut to its limits.
 */
export type MailProblem =
  | 'deadline'
  | 'out_of_memory'
  | 'worker_crashed'
  | 'parse_error'
  | 'unparsed'
  | 'headers_too_large'
  | 'too_many_parts'
  | 'too_many_lines'
  | 'nesting_too_deep'
  | 'duplicate_from'
  | 'too_many_addresses'
  | 'too_many_references'
  | 'too_many_attachments'
  | 'subject_truncated'
  | 'text_truncated'
  | 'html_truncated';

/** Bounds of one parsed message; whatever lies beyond is dropped and named in `problem`. */
export const MAIL_LIMITS = {
  addressesPerHeader: 100,
  addressChars: 320,
  nameChars: 255,
  references: 100,
  /** RFC 5322 2.1.1: no line is longer, and no genuine id or subject either. */
  headerValueChars: 998,
  textBytes: 1_048_576,
  htmlBytes: 1_048_576,
  attachments: 200,
  filenameChars: 255,
  parts: 1000,
  /** 25 MiB of base64 in lines of 60 characters have 420,000. A line costs more than its characters. */
  lines: 500_000,
  nestingDepth: 50,
  /** All header blocks of a message together, those of its parts included. */
  headerBytes: 262_144,
} as const;

/** A message of which nothing is known yet. */
export function emptyMail(): ParsedMail {
  return {
    parsed: false,
    problem: null,
    rfcMessageId: null,
    from: null,
    to: [],
    cc: [],
    bcc: [],
    replyTo: [],
    subject: '',
    date: null,
    inReplyTo: null,
    references: [],
    text: '',
    hasPlainText: true,
    html: null,
    attachments: [],
    visibleText: null,
    findings: null,
    autoSubmitted: false,
    receivedCount: 0,
  };
}
