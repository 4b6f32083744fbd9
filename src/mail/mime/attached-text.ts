import { readLinearly } from './html-text.ts';
import type { ParsedAttachment } from './parsed-mail.ts';

/** How many attachments are read, and how much of each. */
const FILES = 8;
const BYTES = 65_536;

const TEXTS = /^(?:text\/|message\/|application\/(?:json|xml|ics|x-yaml|yaml|rtf|javascript))/;
const NAMES = /\.(?:txt|md|csv|tsv|html?|ics|eml|json|xml|ya?ml|log|rtf)$/i;

/** Undoes the quoted-printable lines of a message that came as an attachment (RFC 2045 6.7), as far as words need it. */
const unquoted = (text: string): string =>
  text
    .replace(/=\r?\n/g, '')
    .replaceAll('=20', ' ')
    .replaceAll('=3D', '=');

type File = Pick<ParsedAttachment, 'filename' | 'contentType' | 'content'>;

/** The attachments that {@link attachedTexts} reads, with the bytes that it reads. */
export const textFiles = (attachments: readonly File[]): File[] =>
  attachments
    .filter(({ contentType, filename }) => TEXTS.test(contentType) || NAMES.test(filename))
    .slice(0, FILES)
    .map(({ filename, contentType, content }) => ({ filename, contentType, content: content.slice(0, BYTES) }));

/**
 * The words of attachments that a program may read next, for the search for instructions: text, HTML, calendars and
 * messages inside the message. At most 64 KiB of each of eight.
 */
export function attachedTexts(attachments: readonly File[]): string[] {
  return textFiles(attachments).map(({ content, contentType }) => {
    const text = unquoted(new TextDecoder().decode(content));
    if (!/html/.test(contentType) && !/<html|<body/i.test(text)) return text;
    const { text: words, unseen } = readLinearly(text, BYTES);
    return `${words}\n${unseen}`;
  });
}
