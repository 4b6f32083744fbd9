import { readLinearly } from './html-text.ts';
import type { ParsedAttachment } from './parsed-mail.ts';

/** How many attachments are read, and how much of each. */
const FILES = 8;
const BYTES = 65_536;

/** Messages inside each other that are decoded. Deeper ones are read as they came. */
const DEPTH = 4;

const TEXTS = /^(?:text\/|message\/|application\/(?:json|xml|ics|x-yaml|yaml|rtf|javascript))/;
const NAMES = /\.(?:txt|md|csv|tsv|html?|ics|eml|json|xml|ya?ml|log|rtf)$/i;

/** Undoes the quoted-printable lines of a message that came as an attachment (RFC 2045 6.7), as far as words need it. */
const unquoted = (text: string): string =>
  text
    .replace(/=\r?\n/g, '')
    .replaceAll('=20', ' ')
    .replaceAll('=3D', '=');

/** Whether a file is a whole message, with headers and parts. */
export const isMessage = ({ contentType, filename }: Pick<File, 'contentType' | 'filename'>): boolean =>
  /^message\/(?:rfc822|global)$/.test(contentType) || /\.eml$/i.test(filename);

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
export const attachedTexts = (attachments: readonly File[]): Promise<string[]> => textsIn(attachments, 0);

async function textsIn(attachments: readonly File[], depth: number): Promise<string[]> {
  const texts: string[] = [];
  for (const file of textFiles(attachments)) texts.push(await textOf(file, depth));
  return texts;
}

/** @param depth how many messages it is inside of */
async function textOf(file: File, depth: number): Promise<string> {
  const text = unquoted(new TextDecoder().decode(file.content));
  if (isMessage(file) && depth < DEPTH) {
    // Loaded by the first such mail, which is read in a thread.
    const { messageText } = await import('./message-text.ts');
    const inner = await messageText(file.content, async (each) => (await textsIn([each], depth + 1)).join('\n'));
    return `${inner}\n${text}`.slice(0, BYTES);
  }
  if (!/html/.test(file.contentType) && !/<html|<body/i.test(text)) return text;
  const { text: words, unseen } = readLinearly(text, BYTES);
  return `${words}\n${unseen}`;
}
