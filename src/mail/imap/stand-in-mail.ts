/** The mails that stand for others: what a mail program sees of a masked or a sealed mail, of a sent mail, and of a draft. */

import {
  addressLines,
  dateLine,
  filePart,
  type GeneratedFile,
  idLines,
  mailOf,
  multipart,
  type NamedAddress,
  textLine,
  textPart,
} from './generated-mail.ts';
import { fieldsOf, unfolded } from './mail-outline-header.ts';

/** What the header of a mail says. */
export interface StandInHeader {
  from: NamedAddress;
  to: readonly string[];
  cc: readonly string[];
  subject: string;
  /** Milliseconds. */
  date: number | null;
  messageId: string | null;
  inReplyTo: string | null;
  references: readonly string[];
}

const bare = (addresses: readonly string[]): NamedAddress[] => addresses.map((address) => ({ address }));

const idsIn = ({ messageId, inReplyTo, references }: StandInHeader): string[] => [
  ...idLines('Message-ID', messageId === null ? [] : [messageId]),
  ...idLines('In-Reply-To', inReplyTo === null ? [] : [inReplyTo]),
  ...idLines('References', references),
];

/** A Date without free words (RFC 5322 3.3). */
export const PLAIN_DATE =
  /^(?:[A-Z][a-z]{2}, ?)?\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d(?::\d\d)? (?:[+-]\d{4}|[A-Z]{1,4})(?: \([A-Z]{1,5}\))?$/;

export interface MaskedMail {
  /** Without its codes. `from.name` and `subject` too. */
  header: StandInHeader;
  /** As it came; null where nothing of it may be shown. */
  cameWith: Buffer | null;
  /** Without its codes. */
  text: string;
  /** Takes codes out of a text. */
  hide(text: string): string;
}

/** Lines of From, To and Cc as they came, or none if they may say more than who they name. */
function asTheyCame(header: Buffer, name: string, hide: (text: string) => string): string[] {
  const fields = fieldsOf(header, new Set([name.toLowerCase()]));
  const isPlain = fields.every(({ value }) => {
    const line = unfolded(value);
    // A comment, and a word that another program may decode otherwise, are no names.
    return value.length < 900 && !line.includes('=?') && !line.includes('(') && hide(line) === line;
  });
  if (fields.length !== 1 || !isPlain) return [];
  return fields.map(({ value }) => `${name}: ${unfolded(value)}`);
}

/** A mail for those who may not see its codes. */
export function maskedMail({ header, cameWith, text, hide }: MaskedMail): Buffer {
  const came = (name: string, otherwise: string[]): string[] => {
    const lines = cameWith === null ? [] : asTheyCame(cameWith, name, hide);
    return lines.length > 0 ? lines : otherwise;
  };
  const [date] = cameWith === null ? [] : fieldsOf(cameWith, new Set(['date']));
  const dated = date === undefined ? '' : unfolded(date.value);
  const lines = [
    ...came('From', addressLines('From', [header.from])),
    ...came('To', addressLines('To', bare(header.to))),
    ...came('Cc', addressLines('Cc', bare(header.cc))),
    textLine('Subject', header.subject),
    ...(PLAIN_DATE.test(dated) ? [`Date: ${dated}`] : header.date === null ? [] : [dateLine(header.date)]),
    ...idsIn(header),
    'X-Signet-Masked: yes',
  ];
  return mailOf(lines, textPart(text));
}

/** A sealed part of a mail: IV, ciphertext and tag. */
export interface SealedPiece {
  what: 'raw' | 'text' | 'html' | 'attachment';
  /** Of an attachment. */
  filename: string | null;
  bytes: Uint8Array;
}

export interface SealedMail {
  header: StandInHeader;
  /** The additional data of every seal. */
  messageId: string;
  seal: { alg: string; key_id: string; ephemeral_public_key: string };
  pieces: readonly SealedPiece[];
}

const FILE_NAMES = { raw: 'message.eml', text: 'text.txt', html: 'text.html', attachment: 'file' } as const;

/** A mail that only its owner can open. Each part has all that this takes, beside the key. */
export function sealedMail({ header, messageId, seal, pieces }: SealedMail): Buffer {
  const says = [
    'This mail is sealed: only the private key of this address opens it, and this service does not have it.',
    `Each part of type application/vnd.signet.sealed is IV, ciphertext and tag (${seal.alg}), sealed`,
    `for the key ${seal.key_id}. The id in X-Signet-Message-Id is its additional data, and epk the ephemeral public key.`,
    'openMessage of the client library does it.',
  ].join('\r\n');
  const params = { alg: seal.alg, key_id: seal.key_id, epk: seal.ephemeral_public_key };
  const idLine = `X-Signet-Message-Id: ${messageId}`;
  const file = ({ what, filename, bytes }: SealedPiece): GeneratedFile => ({
    contentType: 'application/vnd.signet.sealed',
    params: { ...params, piece: what },
    filename: `${filename ?? FILE_NAMES[what]}.sealed`,
    content: bytes,
    lines: [idLine],
  });
  const lines = [
    ...addressLines('From', [header.from]),
    ...addressLines('To', bare(header.to)),
    ...addressLines('Cc', bare(header.cc)),
    textLine('Subject', header.subject),
    ...(header.date === null ? [] : [dateLine(header.date)]),
    ...idsIn(header),
    idLine,
  ];
  return mailOf(lines, multipart('mixed', [textPart(says), ...pieces.map((piece) => filePart(file(piece)))]));
}

/** A sent mail of which no bytes are kept. */
export function sentMail(header: StandInHeader, text: string): Buffer {
  const lines = [
    ...addressLines('From', [header.from]),
    ...addressLines('To', bare(header.to)),
    ...addressLines('Cc', bare(header.cc)),
    textLine('Subject', header.subject),
    ...(header.date === null ? [] : [dateLine(header.date)]),
    ...idsIn(header),
    'X-Signet-Generated: yes',
  ];
  return mailOf(lines, textPart(text));
}

export interface DraftMail {
  header: StandInHeader;
  bcc: readonly string[];
  replyTo: string | null;
  text: string | null;
  html: string | null;
  files: readonly GeneratedFile[];
  /** Whether codes are left out. */
  isMasked: boolean;
}

/** A draft, blind copies included: it has not left. */
export function draftMail({ header, bcc, replyTo, text, html, files, isMasked }: DraftMail): Buffer {
  const lines = [
    ...addressLines('From', [header.from]),
    ...addressLines('To', bare(header.to)),
    ...addressLines('Cc', bare(header.cc)),
    ...addressLines('Bcc', bare(bcc)),
    ...addressLines('Reply-To', replyTo === null ? [] : [{ address: replyTo }]),
    textLine('Subject', header.subject),
    ...(header.date === null ? [] : [dateLine(header.date)]),
    ...idsIn(header),
    ...(isMasked ? ['X-Signet-Masked: yes'] : []),
  ];
  const texts = [
    ...(text === null && html !== null ? [] : [textPart(text ?? '')]),
    ...(html === null ? [] : [textPart(html, 'html')]),
  ];
  return mailOf(lines, multipart('mixed', [multipart('alternative', texts), ...files.map(filePart)]));
}
