import type { Principal } from '../../../api/principal.ts';
import type { ImapPart, MailOutline } from '../../../mail/imap/imap-store.ts';
import { addressesOf, decoded, fieldsOf, type HeaderField, unfolded } from '../../../mail/imap/mail-outline-header.ts';
import { PLAIN_DATE } from '../../../mail/imap/stand-in-mail.ts';
import { codesOf, maskCodes } from '../../../mail/screening/masked-text.ts';
import type { Message } from '../mailboxes/messages/message-table.ts';
import { isWithheld, type Parts, shownWhole } from '../mailboxes/messages/shown-mail.ts';

/** A caller that may read mail, and not its codes. */
export const WITHOUT_CODES: Pick<Principal, 'scopes'> = { scopes: ['mail:read'] };
/** Addresses of a header that are looked at. */
const ADDRESSES_MAX = 1000;

/** Takes out of a text what a caller without `mail:codes` may not see of this mail. */
export const hiderOf =
  ({ findings }: Parts) =>
  (text: string): string =>
    maskCodes(text, codesOf(findings));

/** Whether the API shows such a caller no more than who sent the mail, and when. */
export const isAllWithheld = (message: Message, { parsed, findings }: Parts): boolean =>
  isWithheld(message, { isParsed: parsed, sizeBytes: message.sizeBytes, findings });

/** Written by servers on the way, or without words. */
const NO_WORDS =
  /^(?:received|received-spf|return-path|delivered-to|authentication-results|dkim-signature|arc-[a-z-]+|mime-version|content-transfer-encoding)$/;
const ADDRESSES = /^(?:from|sender|reply-to|to|cc|bcc)$/;
const IDS = /^(?:message-id|in-reply-to|references)$/;
const TEXT_PARAMS: readonly string[] = ['charset', 'format', 'delsp'];

/** Whether a field shows no more than the API does. */
function isPlainField({ name, value }: HeaderField, hide: (text: string) => string): boolean {
  const isSame = (text: string): boolean => hide(text) === text;
  const line = unfolded(value);
  // `isPlainBody` has looked at it.
  if (NO_WORDS.test(name) || name === 'content-type') return true;
  if (name === 'date') return PLAIN_DATE.test(line);
  if (IDS.test(name)) return /^(?:<[^<>\s]+>(?: |$))+$/.test(line);
  if (!ADDRESSES.test(name)) return isSame(decoded(line));
  // A comment is shown by some programs. Addresses may look like codes, and are always shown.
  if (line.includes('(')) return false;
  const found = addressesOf(line, ADDRESSES_MAX);
  return (
    found.length < ADDRESSES_MAX && found.every((each) => isSame(each.name ?? (each.host ? '' : (each.mailbox ?? ''))))
  );
}

/** One text and nothing beside it. The API shows such callers no HTML and no files. */
const isPlainBody = ({ type, subtype, params, disposition }: ImapPart): boolean =>
  `${type}/${subtype}` === 'text/plain' &&
  params.every(([name, value]) => TEXT_PARAMS.includes(name) && /^[a-z\d_.:-]{0,40}$/i.test(value)) &&
  disposition === null;

/**
 * Whether a mail as it came shows nothing that the API hides from callers without `mail:codes`: codes and links, whether a
 * search finds them or not, HTML, and files. All other mails are shown to them masked.
 */
export function isCodeFree(message: Message, parts: Parts, header: Buffer, { body }: MailOutline): boolean {
  if (isAllWithheld(message, parts) || parts.html !== null || parts.attachments.length > 0) return false;
  if (!isPlainBody(body)) return false;
  const hide = hiderOf(parts);
  const seen = shownWhole(WITHOUT_CODES, message, parts);
  const isSame =
    seen.message.subject === message.subject &&
    seen.message.fromName === message.fromName &&
    seen.parts.text === parts.text &&
    seen.parts.visibleText === parts.visibleText;
  return isSame && fieldsOf(header).every((field) => isPlainField(field, hide));
}
