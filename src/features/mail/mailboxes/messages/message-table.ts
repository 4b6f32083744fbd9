import { idBoundary, lastId } from '../../../../base/ids.ts';
import { column, columnMap, type RecordOf } from '../../../../db/column-map.ts';
import { table } from '../../../../db/table.ts';
import { domainOf } from '../../../../mail/address/mail-address.ts';
import type { Signal, Verdict } from '../../../../mail/mime/screening-result.ts';
import type { Encryption, MailAuth } from '../../../../mail/sender-auth/mail-auth.ts';
import {
  ANSWERED_TERM,
  ATTACHMENT_TERM,
  fromTerm,
  labelTerm,
  metadataTerm,
  person,
  STARRED_TERM,
  toTerm,
} from '../search/message-terms.ts';
import type { SearchTerm } from '../search/search-words.ts';
import type { Metadata } from './message-metadata-schema.ts';

/** What the headers say. They are empty until the message has been parsed. */
export const ENVELOPE = columnMap({
  threadId: column.text('thread_id').orNull(),
  rfcMessageId: column.text('rfc_message_id').orNull(),
  fromAddress: column.text('from_address'),
  fromName: column.text('from_name').orNull(),
  recipients: column.sharedJson<{ to: string[]; cc: string[]; reply_to: string[] }>()('recipients'),
  subject: column.text('subject'),
  snippet: column.text('snippet'),
  inReplyTo: column.text('in_reply_to').orNull(),
  references: column.json<string[]>()('reference_ids'),
  /** The Date header, ISO 8601. */
  sentAt: column.text('sent_at').orNull(),
  /** How many there are. */
  attachments: column.integer('attachments'),
});
export type Envelope = RecordOf<typeof ENVELOPE>;

/**
 * What the owner of a message sets to true or false. `PATCH` takes each flag, lists can filter by it, and a new message
 * has none set. A new flag needs its column here, a place in `flagsOf`, a field in `message-schema.ts` and a migration.
 */
export const FLAGS = columnMap({
  read: column.flag('is_read'),
  archived: column.flag('is_archived'),
  starred: column.flag('is_starred'),
  /** Set by a reply, and by the owner. */
  answered: column.flag('is_answered'),
});
export type Flags = RecordOf<typeof FLAGS>;
export const FLAG_NAMES = Object.keys(FLAGS.columns) as (keyof Flags)[];
/** Lists find the others by their terms: each of these doubles the statements of a list. */
export const LIST_FLAGS = ['read', 'archived'] as const satisfies (keyof Flags)[];
/** Some flags; an absent one may be either. */
export type FlagChoice = { [F in keyof Flags]?: Flags[F] | undefined };

/** The flags of a message, with those of `change` in their place. */
export const flagsOf = (message: Flags, change: FlagChoice = {}): Flags => ({
  read: change.read ?? message.read,
  archived: change.archived ?? message.archived,
  starred: change.starred ?? message.starred,
  answered: change.answered ?? message.answered,
});

/** Where a message is. Counters, conversations and waiting know the inbox alone; nothing but the list knows the trash. */
export const FOLDERS = ['inbox', 'spam', 'trash'] as const;
export type Folder = (typeof FOLDERS)[number];
/** Every list of a mailbox: each folder, and what is archived in it. */
export const LISTS = FOLDERS.flatMap((folder) => [false, true].map((archived) => ({ folder, flags: { archived } })));
/** The folders whose messages are read by their id without saying so. */
export const KEPT_FOLDERS = ['inbox', 'spam'] as const satisfies Folder[];

/** The folder of mail programs that a message is in. */
export const folderOf = ({ address, folder, archived }: Pick<Message, 'address' | 'folder' | 'archived'>) => ({
  address,
  folder: MAIL_FOLDERS[folder === 'inbox' && archived ? 'archive' : folder],
});
const MAIL_FOLDERS = { inbox: 'inbox', archive: 'archive', spam: 'junk', trash: 'trash' } as const;

/** What the screening and the checks of the sender found; null when sealed, or from before there were any. */
export const SAFETY = columnMap({
  /** Whose share of the storage it fills: a proven domain, a network, or an account of this service. */
  senderKey: column.text('sender_key').orNull(),
  safetyVerdict: column.enum<Verdict>()('safety_verdict').orNull(),
  safetySignals: column.json<Signal[]>()('safety_signals').orNull(),
});

const { threadId, rfcMessageId, fromAddress, fromName, recipients, subject, snippet, attachments } = ENVELOPE.columns;

/** What a list reads of a message: less than all of it, because each column of each row costs time. */
export const LISTED = columnMap({
  id: column.text('id'),
  accountId: column.text('account_id'),
  address: column.text('address'),
  contentId: column.text('content_id'),
  threadId,
  rfcMessageId,
  fromAddress,
  fromName,
  recipients,
  subject,
  snippet,
  attachments,
  ...FLAGS.columns,
  folder: column.enum<Folder>()('folder'),
  /** In the order in which they were given. */
  labels: column.sharedJson<string[]>()('labels'),
  /** What the owner notes about it. */
  metadata: column.json<Metadata>()('metadata').orNull(),
  envelopeFrom: column.text('envelope_from'),
  auth: column.sharedJson<MailAuth>()('auth'),
  encryption: column.json<Encryption>()('encryption').orNull(),
  /** Milliseconds. */
  receivedAt: column.integer('received_at'),
  safetyVerdict: SAFETY.columns.safetyVerdict,
});

/** A copy of a mail in one inbox. */
export const MESSAGES = table(
  'messages',
  {
    ...LISTED.columns,
    ...ENVELOPE.columns,
    ...SAFETY.columns,
    /** When it was moved to the trash, milliseconds. */
    trashedAt: column.integer('trashed_at').orNull(),
    sizeBytes: column.integer('size_bytes'),
    /** False until the message has been parsed. It is stored before, but there is nothing to show yet. */
    visible: column.flag('visible'),
    /** Its position in the search index; null when it is not indexed. */
    searchDoc: column.integer('search_doc').orNull(),
  },
  {
    key: ['id'],
    account: ['accountId'],
    erase: { by: 'mail-erasure.ts, with its content and words' },
    page: ['id'],
  },
);
/** What a conversation shows of its messages without their text. */
export const MARKED = columnMap({
  id: LISTED.columns.id,
  threadId,
  contentId: LISTED.columns.contentId,
  fromAddress,
  fromName,
  attachments,
  starred: FLAGS.columns.starred,
  safetyVerdict: SAFETY.columns.safetyVerdict,
  encryption: LISTED.columns.encryption,
  auth: LISTED.columns.auth,
});
/** What a mail program reads of a message for its flags. */
export const FLAGGED = columnMap({
  id: LISTED.columns.id,
  accountId: LISTED.columns.accountId,
  address: LISTED.columns.address,
  folder: LISTED.columns.folder,
  labels: LISTED.columns.labels,
  safetyVerdict: SAFETY.columns.safetyVerdict,
  ...FLAGS.columns,
});
export type FlaggedMessage = RecordOf<typeof FLAGGED>;
/** Of each conversation, so many of the latest messages are marked. */
export const MARKING_MAX = 50;
export type MarkedMessage = RecordOf<typeof MARKED>;
export type ListedMessage = RecordOf<typeof LISTED>;
export type Message = RecordOf<typeof MESSAGES>;

declare const SHOWN: unique symbol;
/** A message as its caller may see it. `masked`: without codes and links. Only `shown-mail.ts` makes one. */
export type Shown<M extends ListedMessage = ListedMessage> = M & { readonly [SHOWN]: true; masked?: true };

type Changeable = Pick<Message, keyof Flags | 'labels' | 'metadata' | 'folder' | 'trashedAt'>;
export type NewMessage = Omit<Message, keyof Changeable> & Partial<Changeable>;

const NO_FLAGS = Object.fromEntries(FLAG_NAMES.map((flag) => [flag, false])) as Flags;

/** A message as it begins: in the inbox, without flags and labels. */
export const newMessage = (message: NewMessage): Message => ({
  ...NO_FLAGS,
  labels: [],
  metadata: null,
  folder: 'inbox',
  trashedAt: null,
  ...message,
});

/** Every set of flags that a list can be filtered by. `archived` is in each. */
const FLAG_SETS = LIST_FLAGS.reduce<(typeof LIST_FLAGS)[number][][]>(
  (sets, flag) => sets.flatMap((set) => (flag === 'archived' ? [[...set, flag]] : [set, [...set, flag]])),
  [[]],
);

/** How many terms a statement looks for. Fewer are repeated up to the next number. */
const TERM_COUNTS = [0, 1, 3, 9] as const;

/** A choice of filters. Each has a statement of its own. */
export interface ListKind {
  isSearch: boolean;
  terms: (typeof TERM_COUNTS)[number];
  flags: readonly (typeof LIST_FLAGS)[number][];
}

export const LIST_KINDS: readonly ListKind[] = [false, true].flatMap((isSearch) =>
  TERM_COUNTS.flatMap((terms) => FLAG_SETS.map((flags) => ({ isSearch, terms, flags }))),
);

export const listName = ({ isSearch, terms, flags }: ListKind): string => [isSearch, terms, ...flags].join();

/** The values of the terms of a statement. A page starts from the first. */
export type TermParams = Record<`term${0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8}`, string>;

/** The terms of a list, and how many its statement looks for. */
export function termParams(found: readonly string[]): { terms: ListKind['terms']; params: TermParams } {
  if (found.length === 0) return { terms: 0, params: NO_TERMS };
  const terms = TERM_COUNTS.find((count) => found.length <= count) ?? 9;
  return { terms, params: paramsOf(found) };
}

const paramsOf = (found: readonly string[]): TermParams =>
  Object.fromEntries(
    Array.from({ length: 9 }, (_, i) => [`term${i}`, found[Math.min(i, found.length - 1)] ?? '']),
  ) as TermParams;
const NO_TERMS = paramsOf([]);

export interface MessageFilter {
  folder: Folder;
  /** A list shows archived messages or the others, never both. */
  flags: FlagChoice & Pick<Flags, 'archived'>;
  label?: string | undefined;
  search?: readonly SearchTerm[] | undefined;
  /** Mail that came at this time or later, and before `until`, milliseconds. */
  since?: number | undefined;
  until?: number | undefined;
  /** An address or a domain. */
  from?: string | undefined;
  /** The same, in To or Cc. */
  to?: string | undefined;
  hasAttachment?: boolean | undefined;
  /** What its metadata holds, as text. */
  metadata?: Readonly<Record<string, string>> | undefined;
}

export interface MessageList extends MessageFilter {
  address: string;
  /** The `place` of the last message of the page before. */
  before?: string | undefined;
  limit: number;
}

const escaped = (text: string): string => text.replace(/[\\%_]/g, (sign) => `\\${sign}`);

/** The pattern of LIKE for the JSON of To and Cc, which ends with Reply-To. */
const toPattern = (to: string): string => `%${to.startsWith('@') ? '' : '"'}${escaped(to)}"%"reply_to":%`;

/** Whether a filter names the inbox itself or its domain. Almost every message has them in To, so they are no terms. */
const isOwn = (to: string, address: string): boolean => to === address || to === `@${domainOf(address)}`;

/** The terms that a list asks for: what is likely to be rare comes first. */
export function termsIn({ address, flags, from, to, label, hasAttachment, metadata = {} }: MessageList): string[] {
  return [
    ...Object.entries(metadata).map(([name, value]) => metadataTerm(name, value)),
    ...(from === undefined ? [] : [fromTerm(from)]),
    ...(to === undefined || isOwn(person(to), address) ? [] : [toTerm(to)]),
    ...(label === undefined ? [] : [labelTerm(label)]),
    ...(flags.starred ? [STARRED_TERM] : []),
    ...(flags.answered ? [ANSWERED_TERM] : []),
    ...(hasAttachment ? [ATTACHMENT_TERM] : []),
  ];
}

/** The conditions that stand in every list. An absent filter lets every message through. */
export function rangeOf({ address, flags, since, until, to, hasAttachment, before, search }: MessageList) {
  const end = until === undefined ? lastId('msg') : idBoundary('msg', until);
  const place = before ?? lastId('msg');
  return {
    since: idBoundary('msg', since ?? 0),
    until: end,
    // One bound, so that the index starts at the right end.
    before: search === undefined && end < place ? end : place,
    to: to !== undefined && isOwn(person(to), address) ? toPattern(person(to)) : '%',
    most: hasAttachment === false ? 0 : Number.MAX_SAFE_INTEGER,
    starredMost: flags.starred === false ? 0 : 1,
    answeredMost: flags.answered === false ? 0 : 1,
  };
}

/** A message and its position in a list: its id or, in a search on SQLite, its number in the index. */
export const PLACED = columnMap({ ...LISTED.columns, place: column.text('place') });
export type Placed = RecordOf<typeof PLACED>;
