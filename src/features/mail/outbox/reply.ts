import { ApiError, invalidField } from '../../../api/errors.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader } from '../../../api/transaction.ts';
import { parseMailbox } from '../../../mail/address/mail-address.ts';
import type { Address } from '../../account/addresses/address.ts';
import { readParts, requireAttachment, requireRaw } from '../mailboxes/messages/message.ts';
import type { Message } from '../mailboxes/messages/message-table.ts';
import { shown } from '../mailboxes/messages/shown-mail.ts';
import { plainRequest, type SendRequest } from './mail-composition.ts';
import type { OutboxDeps } from './outbox-deps.ts';

/** RFC 5322 2.1.1 bounds a line, and the prefix needs some of it. */
const SUBJECT_CHARS = 900;
const REPLY_PREFIX = /^re\s*(?:\[\d+\]|\(\d+\))?\s*:/i;
const FORWARD_PREFIX = /^(?:fwd?|wg)\s*:/i;

/** The subject of another's mail, as one line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove.
const oneLine = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();

function subjectOf(prefix: 'Re' | 'Fwd', known: RegExp, subject: string): string {
  const plain = oneLine(subject).slice(0, SUBJECT_CHARS).toWellFormed();
  return known.test(plain) ? plain : `${prefix}: ${plain}`;
}

/** The mailboxes that a header of another's mail names, without what is none. */
const usable = (addresses: readonly string[]): string[] =>
  addresses.flatMap((address) => parseMailbox(address.trim()) ?? []);

const lower = (address: string): string => address.toLowerCase();

/**
 * The message that a call answers, as the caller may see it, and the caller's address that has it. An answer has the
 * subject of the message, and goes to others whom its writer names. @throws ApiError as `MailboxRules.message`
 */
export async function answered(
  { mailboxes, database }: Pick<OutboxDeps, 'mailboxes' | 'database'>,
  principal: Principal,
  address: string | undefined,
  id: string,
) {
  const message = await shown(database, principal, await mailboxes.message(principal, address, id));
  return { message, from: await mailboxes.sender(principal, message.address) };
}

/** Whom an answer goes to: Reply-To if the message has it, else From (RFC 5322 3.6.2). @throws ApiError `invalid_recipient` */
function answerTo({ fromAddress, recipients }: Message): string[] {
  const named = usable(recipients.reply_to);
  const to = named.length > 0 ? named : usable([fromAddress]);
  if (to.length > 0) return to;
  const message = 'The message names no sender that can be answered.';
  throw new ApiError('invalid_recipient', { message, details: [{ path: '/params/id', code: 'not_found', message }] });
}

const answer = (from: Address, message: Message, to: readonly string[]): SendRequest => ({
  ...plainRequest(from, to, subjectOf('Re', REPLY_PREFIX, message.subject)),
  inReplyTo: message.id,
});

/** An answer to the sender. It quotes nothing. @throws ApiError `invalid_recipient` */
export const replyTo = (from: Address, message: Message): SendRequest => answer(from, message, answerTo(message));

/**
 * An answer to the sender and to everybody else whom the message names, without the caller's own addresses.
 * @throws ApiError `invalid_recipient`
 */
export function replyToAll(from: Address, message: Message, own: readonly string[]): SendRequest {
  const mine = new Set(own.map(lower));
  const sender = answerTo(message);
  const isOther = (address: string): boolean => !mine.has(lower(address));
  const to = sender.filter(isOther);
  const known = new Set(to.map(lower));
  const others = usable([...message.recipients.to, ...message.recipients.cc]).filter((address) => {
    const isNew = isOther(address) && !known.has(lower(address));
    known.add(lower(address));
    return isNew;
  });
  if (to.length > 0) return { ...answer(from, message, to), cc: others };
  // A mail that the caller wrote itself is answered to those it went to.
  return answer(from, message, others.length > 0 ? others : sender);
}

const FILENAME_CHARS = 255;
const CONTENT_TYPE = /^[A-Za-z0-9!#$&^_.+-]{1,60}\/[A-Za-z0-9!#$&^_.+-]{1,60}$/;

/** The attachments of a message, or the whole message when it could not be parsed. */
async function filesOf(reader: Reader, message: Message, isParsed: boolean): Promise<SendRequest['attachments']> {
  if (!isParsed) {
    const content = Buffer.from(await requireRaw(reader, message));
    return [{ filename: 'message.eml', contentType: 'application/octet-stream', content }];
  }
  const files: SendRequest['attachments'][number][] = [];
  for (let n = 0; n < message.attachments; n++) {
    const { filename, contentType, content } = await requireAttachment(reader, message, n);
    const name = oneLine(filename ?? '')
      .slice(0, FILENAME_CHARS)
      .toWellFormed();
    files.push({
      filename: name || `attachment-${n + 1}`,
      contentType: CONTENT_TYPE.test(contentType) ? contentType : 'application/octet-stream',
      content: Buffer.from(content),
    });
  }
  return files;
}

/** What the forwarder wrote, then who wrote the message to whom, then its text. */
function forwardedText(comment: string, message: Message, text: string): string {
  const { fromAddress, fromName, recipients, subject, sentAt, receivedAt } = message;
  const headers = [
    `From: ${oneLine(fromName === null ? fromAddress : `${fromName} <${fromAddress}>`)}`,
    `Date: ${sentAt ?? new Date(receivedAt).toISOString()}`,
    `Subject: ${oneLine(subject)}`,
    `To: ${oneLine(recipients.to.join(', '))}`,
    ...(recipients.cc.length > 0 ? [`Cc: ${oneLine(recipients.cc.join(', '))}`] : []),
  ];
  return [
    ...(comment === '' ? [] : [comment, '']),
    '---------- Forwarded message ----------',
    ...headers,
    '',
    text,
  ].join('\n');
}

/**
 * Passes a message on: its text and its attachments. Its HTML stays behind, because it can hide what the forwarder has not
 * seen. @throws ApiError `invalid_request` for a sealed message, which the service cannot read
 */
export async function forward(reader: Reader, from: Address, message: Message, comment: string): Promise<SendRequest> {
  if (message.encryption)
    throw invalidField('/params/id', 'sealed', 'The message is sealed. Open it, and send what it says.');
  const { text, parsed } = await readParts(reader, message);
  return {
    ...plainRequest(from, [], subjectOf('Fwd', FORWARD_PREFIX, message.subject)),
    text: forwardedText(comment, message, text),
    inReplyTo: message.id,
    attachments: await filesOf(reader, message, parsed),
  };
}
