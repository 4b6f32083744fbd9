import type { Principal } from '../../../api/principal.ts';
import type { ImapPart, MailOutline } from '../../../mail/imap/imap-store.ts';
import {
  addressesOf,
  decoded,
  fieldsOf,
  type HeaderField,
  isAllFields,
  unfolded,
} from '../../../mail/imap/mail-outline-header.ts';
import { headerOf } from '../../../mail/imap/mail-section.ts';
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
  /^(?:received|received-spf|return-path|delivered-to|authentication-results|dkim-signature|arc-[a-z-]+|mime-version)$/;
const ADDRESSES = /^(?:from|sender|reply-to|to|cc|bcc)$/;
const IDS = /^(?:message-id|in-reply-to|references)$/;
/** A text whose letters and digits are those of ASCII: another program reads it as the service did. */
const CHARSET =
  '(?:us-ascii|utf-?8|iso-?8859-\\d{1,2}|(?:windows-|cp)125\\d|koi8-[ru]|gb(?:2312|k|18030)|big5|shift_jis|euc-(?:jp|kr))';
const TEXT_PARAM = ` *; *(?:charset="?${CHARSET}"?|format="?(?:flowed|fixed)"?|delsp="?(?:yes|no)"?)`;
/** How the body is written. A mail has one of each. */
const WRITTEN: Readonly<Record<string, RegExp>> = {
  'content-type': new RegExp(`^text/plain(?:${TEXT_PARAM}){0,3} *;?$`, 'i'),
  'content-transfer-encoding': /^(?:7bit|8bit|binary|quoted-printable|base64)$/i,
};

/** Whether a field shows no more than the API does. */
function isPlainField({ name, value }: HeaderField, hide: (text: string) => string): boolean {
  const isSame = (text: string): boolean => hide(text) === text;
  const line = unfolded(value);
  const written = WRITTEN[name];
  if (written) return written.test(line);
  if (NO_WORDS.test(name)) return true;
  if (!isSame(name)) return false;
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

const BASE64_LINES = /^(?:[A-Za-z0-9+/]*={0,2}\r?\n)*[A-Za-z0-9+/]*={0,2}\r?$/;

/** One text and nothing beside it. The API shows such callers no HTML and no files. */
function isPlainBody(bytes: Buffer, { type, subtype, encoding, disposition, bodyAt, endAt }: ImapPart): boolean {
  if (`${type}/${subtype}` !== 'text/plain' || disposition !== null) return false;
  // What is called base64 and is none would be read as it stands.
  return encoding !== 'base64' || BASE64_LINES.test(bytes.toString('latin1', bodyAt, endAt));
}

/** Whether a header has fields alone, and none that shows more than the API does. */
function isPlainHeader(header: Buffer, hide: (text: string) => string): boolean {
  const fields = fieldsOf(header);
  const isOnce = Object.keys(WRITTEN).every((name) => fields.filter((field) => field.name === name).length <= 1);
  return isOnce && isAllFields(header) && fields.every((field) => isPlainField(field, hide));
}

/**
 * Whether a mail as it came shows nothing that the API hides from callers without `mail:codes`: codes and links, whether a
 * search finds them or not, HTML, and files. All other mails are shown to them masked.
 */
export function isCodeFree(message: Message, parts: Parts, bytes: Buffer, { body }: MailOutline): boolean {
  if (isAllWithheld(message, parts) || parts.html !== null || parts.attachments.length > 0) return false;
  if (!isPlainBody(bytes, body)) return false;
  const hide = hiderOf(parts);
  const seen = shownWhole(WITHOUT_CODES, message, parts);
  const isSame =
    seen.message.subject === message.subject &&
    seen.message.fromName === message.fromName &&
    seen.parts.text === parts.text &&
    seen.parts.visibleText === parts.visibleText;
  return isSame && isPlainHeader(bytes.subarray(0, headerOf(bytes).length), hide);
}
