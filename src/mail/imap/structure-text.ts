import type { ImapAddress, ImapEnvelope, ImapPart } from './imap-store.ts';
import { headerString, imapString } from './imap-text.ts';

/** ENVELOPE as it is written (RFC 9051 7.5.2). `utf8`: texts in UTF-8, else as RFC 2047 words. */
export function envelopeText(envelope: ImapEnvelope, utf8: boolean): string {
  const list = (addresses: readonly ImapAddress[]): string =>
    addresses.length === 0 ? 'NIL' : `(${addresses.map((address) => addressText(address, utf8)).join('')})`;
  const { from } = envelope;
  const or = (addresses: readonly ImapAddress[]): string => list(addresses.length === 0 ? from : addresses);
  return `(${[
    imapString(envelope.date),
    headerString(envelope.subject, utf8),
    list(from),
    or(envelope.sender),
    or(envelope.replyTo),
    list(envelope.to),
    list(envelope.cc),
    list(envelope.bcc),
    imapString(envelope.inReplyTo),
    imapString(envelope.messageId),
  ].join(' ')})`;
}

const addressText = ({ name, mailbox, host }: ImapAddress, utf8: boolean): string =>
  `(${headerString(name, utf8)} NIL ${imapString(mailbox, utf8)} ${imapString(host, utf8)})`;

/** What a multipart without parts is shown as: the grammar has none. */
const EMPTY_PART = '("TEXT" "PLAIN" NIL NIL NIL "7BIT" 0 0)';

/** BODYSTRUCTURE, or BODY without what extends it (RFC 9051 7.5.2). */
export function structureText(part: ImapPart, extended: boolean, utf8: boolean): string {
  const extension = extended ? ` ${extensionText(part, utf8)}` : '';
  if (part.type === 'multipart') {
    const parts = part.parts.map((inner) => structureText(inner, extended, utf8)).join('');
    const params = extended ? ` ${paramsText(part.params, utf8)}` : '';
    return `(${parts || EMPTY_PART} ${imapString(part.subtype.toUpperCase())}${params}${extension})`;
  }
  const fields = [
    imapString(part.type.toUpperCase()),
    imapString(part.subtype.toUpperCase()),
    paramsText(part.params, utf8),
    imapString(part.id),
    headerString(part.description, utf8),
    imapString(part.encoding.toUpperCase()),
    String(part.endAt - part.bodyAt),
  ];
  if (part.message !== null) {
    fields.push(envelopeText(part.message.envelope, utf8), structureText(part.message.body, extended, utf8));
  }
  if (part.message !== null || part.type === 'text') fields.push(String(part.lines));
  const md5 = extended ? ` ${imapString(part.md5)}` : '';
  return `(${fields.join(' ')}${md5}${extension})`;
}

function extensionText({ disposition, language, location }: ImapPart, utf8: boolean): string {
  const disposed =
    disposition === null
      ? 'NIL'
      : `(${imapString(disposition.type.toUpperCase())} ${paramsText(disposition.params, utf8)})`;
  const languages = language.length === 0 ? 'NIL' : `(${language.map((tag) => imapString(tag)).join(' ')})`;
  return `${disposed} ${languages} ${imapString(location, utf8)}`;
}

function paramsText(params: ImapPart['params'], utf8: boolean): string {
  if (params.length === 0) return 'NIL';
  return `(${params.map(([name, value]) => `${imapString(name.toUpperCase())} ${headerString(value, utf8)}`).join(' ')})`;
}
