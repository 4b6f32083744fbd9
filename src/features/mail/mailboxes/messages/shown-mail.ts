import type { Principal } from '../../../../api/principal.ts';
import { hasScope } from '../../../../api/scopes.ts';
import type { Reader } from '../../../../api/transaction.ts';
import type { Findings, FoundLink, Safety } from '../../../../mail/mime/screening-result.ts';
import { codesOf, MASK, maskCodes, maskTexts } from '../../../../mail/screening/masked-text.ts';
import { type listAttachments, readHead } from '../content/content-store.ts';
import type { ListedMessage, Message, Shown } from './message-table.ts';
import type { Found } from './screened-mail.ts';

/**
 * What a caller sees of mail. Codes and links that arrive in mail open other accounts, so a credential without
 * `mail:codes` sees every mail masked. Replies take a {@link Shown} message, which comes from here alone.
 */

type Reading = Pick<Principal, 'scopes'>;
export const maySeeCodes = (caller: Reading): boolean => hasScope(caller, 'mail:codes');

/** A longer mail was not searched as a whole, so nothing of it is shown. */
const BYTES_MAX = 65_536;

interface Known {
  isParsed: boolean;
  sizeBytes: number;
  findings: Findings | null;
}

/** Whether only the sender and the date are shown: the mail was not read, or not all of it. */
export const isWithheld = ({ encryption }: ListedMessage, { isParsed, sizeBytes }: Known): boolean =>
  encryption !== null || !isParsed || sizeBytes > BYTES_MAX;

function hidden<M extends ListedMessage>(message: M, known: Known): Shown<M> {
  const { subject, snippet, fromName } = message;
  const codes = codesOf(known.findings);
  const seen = isWithheld(message, known)
    ? { subject: '', snippet: '' }
    : { subject: maskCodes(subject, codes), snippet: maskCodes(snippet, codes, true) };
  const masked = { fromName: fromName && maskCodes(fromName, codes), masked: true as const };
  return { ...message, ...seen, ...masked } as Shown<M>;
}

/** A message as the caller may see it. */
export async function shown<M extends ListedMessage>(reader: Reader, caller: Reading, message: M): Promise<Shown<M>> {
  if (maySeeCodes(caller)) return message as Shown<M>;
  return hidden(message, await readHead(reader, message.contentId, 0));
}

/** Messages of a list as the caller may see them. */
export const allShown = <M extends ListedMessage>(
  reader: Reader,
  caller: Reading,
  messages: readonly M[],
): Promise<Shown<M>[]> => Promise.all(messages.map((message) => shown(reader, caller, message)));

/** The beginning of the text of a masked mail. @param chars how much of it is read */
export async function maskedHead<M extends ListedMessage>(reader: Reader, message: M, chars: number) {
  const known = await readHead(reader, message.contentId, chars);
  const text = isWithheld(message, known)
    ? ''
    : maskCodes(known.text, codesOf(known.findings), known.text.length >= chars);
  return { message: hidden(message, known), text };
}

/** A text that an agent or its person wrote, and its subject, as the caller may see them. They may quote a mail. */
export function shownText(caller: Reading, subject: string, text: string | null) {
  if (maySeeCodes(caller)) return { subject, text };
  const masked = maskTexts(subject, text ?? '');
  return { subject: masked.subject, text: text && masked.text, masked: true as const };
}

/** The subject of such a mail. */
export function shownSubject(caller: Reading, { subject }: { subject: string }) {
  const { text: _, ...seen } = shownText(caller, subject, null);
  return seen;
}

const maskedUrl = ({ url, host }: FoundLink): string => (/^https?:/i.test(url) ? `https://${host}/${MASK}` : MASK);

/** What a message holds beyond its list entry. Sealed parts are base64url-encoded. */
export interface Parts {
  text: string;
  /** What a person would see; null when sealed. */
  visibleText: string | null;
  /** The same without quoted history. */
  replyText: string | null;
  html: string | null;
  parsed: boolean;
  problem: string | null;
  found: Found;
  safety: Safety | null;
  hidden: Findings['hidden'] | null;
  findings: Findings | null;
  attachments: Awaited<ReturnType<typeof listAttachments>>;
}

const NOTHING = { text: '', html: null, attachments: [], hidden: null };

/** A message and all that it holds, as the caller may see them. */
export function shownWhole(caller: Reading, message: Message, parts: Parts): { message: Shown<Message>; parts: Parts } {
  if (maySeeCodes(caller)) return { message: message as Shown<Message>, parts };
  const { findings, found, visibleText, replyText } = parts;
  const known = { isParsed: parts.parsed, sizeBytes: message.sizeBytes, findings };
  const seen = hidden(message, known);
  if (isWithheld(message, known)) {
    const text = visibleText === null ? null : '';
    const nothing = { ...NOTHING, visibleText: text, replyText: text };
    return {
      message: seen,
      parts: { ...parts, ...nothing, found: { ...found, code: null, links: found.links && [] } },
    };
  }
  const codes = codesOf(findings);
  const mask = (text: string): string => maskCodes(text, codes);
  const masked = {
    text: mask(parts.text),
    visibleText: visibleText && (visibleText === parts.text ? mask(parts.text) : mask(visibleText)),
    replyText: replyText && mask(replyText),
    // Markup can spell a code in ways that its text does not show.
    html: null,
    hidden: parts.hidden && { ...parts.hidden, text: maskCodes(parts.hidden.text, codes, true) },
    attachments: parts.attachments.map((file) => ({ ...file, filename: file.filename && mask(file.filename) })),
    found: {
      ...found,
      code: null,
      links: found.links?.map((link) => ({ ...link, url: maskedUrl(link), text: mask(link.text) })) ?? null,
    },
  };
  return { message: seen, parts: { ...parts, ...masked } };
}

interface SaidOfMail {
  subject?: string;
  snippet?: string;
}

/** What an event says of a mail, without codes and links: its detector may have missed some. */
export function maskEvent<D>(data: D): D {
  const { subject, snippet } = data as SaidOfMail;
  if (typeof subject !== 'string') return data;
  const seen = maskTexts(subject, snippet ?? '');
  return { ...data, subject: seen.subject, ...(snippet === undefined ? {} : { snippet: seen.text }), masked: true };
}

/** An event as the caller may see it. */
export const shownEvent = <E extends { type: string; data: unknown }>(caller: Reading, event: E): E =>
  maySeeCodes(caller) || !event.type.startsWith('email.') ? event : { ...event, data: maskEvent(event.data) };
