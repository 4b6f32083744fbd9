import type { OutgoingMail } from './outgoing-mail.ts';

const ADDRESS = /^[A-Za-z0-9]+(?:[._+-][A-Za-z0-9]+)*@(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)*[a-z]+$/;
const NAME = /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/;
/** Words of ASCII with one space between them. The library encodes a subject with a quotation mark. */
const SUBJECT = /^[!#-~]+(?: [!#-~]+)*$/;
const ID = /^<[A-Za-z0-9._+-]+@[A-Za-z0-9.-]+>$/;
/** A longer header is folded, and a body with a line of more than 998 characters is encoded (RFC 5322 2.1.1). */
const HEADER_CHARS_MAX = 75;
const BODY = /^(?:[\t\x20-\x7e]{0,998}\r\n)*[\t\x20-\x7e]{0,998}$/;

/**
 * The bytes of a mail of short ASCII headers and one plain part, which is what agents write to each other most. The same
 * bytes as the library's, for a tenth of the time: it would build streams and parse every header. Null for any other mail.
 * @param ids in angle brackets
 * @param body with CRLF
 */
export function plainMail(
  mail: OutgoingMail,
  ids: { messageId: string; inReplyTo?: string; references: readonly string[] },
  body: string,
): Buffer | null {
  const { from, to, cc = [], replyTo, subject, html, calendar, attachments = [], autoSubmitted } = mail;
  if (html || calendar !== undefined || attachments.length > 0 || body === '' || !BODY.test(body)) return null;
  const addresses = [from.address, ...to, ...cc, ...(replyTo ? [replyTo] : [])];
  if (!addresses.every((address) => ADDRESS.test(address)) || (from.name && !NAME.test(from.name))) return null;
  if (!SUBJECT.test(subject) || subject.includes('=?')) return null;
  const { messageId, inReplyTo, references } = ids;
  if (![messageId, ...references, ...(inReplyTo ? [inReplyTo] : [])].every((id) => ID.test(id))) return null;
  const headers: [name: string, value: string | null | undefined][] = [
    ['Content-Transfer-Encoding', '7bit'],
    ['Auto-Submitted', autoSubmitted],
    ['From', from.name ? `${from.name} <${from.address}>` : from.address],
    ['To', to.join(', ')],
    ['Cc', cc.join(', ')],
    ['Reply-To', replyTo],
    ['In-Reply-To', inReplyTo],
    ['References', references.join(' ')],
    ['Subject', subject],
    ['Message-ID', messageId],
    ['Date', mail.date.toUTCString().replace('GMT', '+0000')],
    ['MIME-Version', '1.0'],
    ['Content-Type', 'text/plain; charset=utf-8'],
  ];
  const lines = headers.flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []));
  if (lines.some((line) => line.length > HEADER_CHARS_MAX)) return null;
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}${body.endsWith('\r\n') ? '' : '\r\n'}`, 'latin1');
}
