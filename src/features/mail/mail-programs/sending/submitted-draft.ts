import type { Principal } from '../../../../api/principal.ts';
import { joined } from '../../../../base/byte-slices.ts';
import { base32 } from '../../../../base/ids.ts';
import { randomBase62 } from '../../../../base/secret.ts';
import { newMessageId } from '../../../../mail/mime/compose.ts';
import type { ParsedMail } from '../../../../mail/mime/parsed-mail.ts';
import { decodedWords, MalformedMail, type WrittenField } from '../../../../mail/mime/written-header.ts';
import { mailDate, submittedHeader, withoutBlindCopies } from '../../../../mail/smtp-in/smtp-trace.ts';
import type { Address } from '../../../account/addresses/address.ts';
import { findByRfcId } from '../../mailboxes/messages/message.ts';
import { type Draft, foreignSecrets, requireRecipients, type SendRequest } from '../../outbox/mail-composition.ts';
import type { MailProgramDeps } from '../mail-program-deps.ts';
import { SubmissionRefusal } from './submission-answer.ts';

/** A mail that a program made, with clean lines. */
export interface ProgramMail {
  /** The address of its From field, of the caller. */
  from: Address;
  recipients: readonly string[];
  bytes: Buffer;
  /** The fields of its header. */
  fields: readonly WrittenField[];
  /** How it was handed over. */
  trace: Omit<Parameters<typeof submittedHeader>[0], 'date'>;
}

/** Only these mean that all of the mail was read. */
const HARMLESS = [null, 'too_many_references'];

const has = (fields: readonly WrittenField[], name: string): boolean => fields.some((field) => field.name === name);

/**
 * The bytes as they leave: without blind copies, behind a Received header, and with a Message-ID and a date. Else nothing
 * of them changes (RFC 6409 8).
 */
async function completed({ bytes, fields, trace }: ProgramMail, mailDomain: string, now: number): Promise<Buffer> {
  const date = new Date(now);
  const lines = [submittedHeader({ ...trace, date })];
  // By time, so that the indexes of these ids grow at their end.
  if (!has(fields, 'message-id'))
    lines.push(`Message-ID: ${newMessageId(`${base32(now, 10)}${randomBase62(22)}`, mailDomain)}\r\n`);
  if (!has(fields, 'date')) lines.push(`Date: ${mailDate(date)}\r\n`);
  return joined([Buffer.from(lines.join('')), withoutBlindCopies(bytes)]);
}

/** What can be read of a mail that leaves. @throws MalformedMail for one of which something would go unseen */
async function readAll({ parser }: Pick<MailProgramDeps, 'parser'>, raw: Buffer, from: Address): Promise<ParsedMail> {
  const parsed = await parser.parse(raw, { network: from.accountId, addresses: [from.address] });
  if (parsed.problem === 'worker_crashed')
    throw new SubmissionRefusal(451, '4.3.0 The mail could not be read, try again later');
  if (!parsed.parsed || !HARMLESS.includes(parsed.problem))
    throw new MalformedMail(`The mail cannot be checked: ${parsed.problem ?? 'parse_error'}`);
  if (parsed.rfcMessageId === null) throw new MalformedMail('The Message-ID cannot be read');
  return parsed;
}

/** What a request of the API would say of it. */
function requestOf({ from, recipients }: ProgramMail, parsed: ParsedMail): SendRequest {
  const addresses = (list: ParsedMail['to']): string[] => list.map(({ address }) => address);
  const [to, cc] = [addresses(parsed.to), addresses(parsed.cc)];
  const named = new Set([...to, ...cc].map((each) => each.toLowerCase()));
  return {
    from,
    to,
    cc,
    bcc: recipients.filter((recipient) => !named.has(recipient.toLowerCase())),
    replyTo: parsed.replyTo[0]?.address ?? null,
    subject: parsed.subject,
    text: parsed.hasPlainText ? parsed.text : null,
    html: parsed.html,
    inReplyTo: parsed.inReplyTo,
    references: parsed.references,
    attachments: parsed.attachments.map(({ filename, contentType, content }) => ({
      filename,
      contentType,
      content: Buffer.from(content.buffer, content.byteOffset, content.length),
    })),
  };
}

/** The kinds of secrets in it, as it was written and as it is read. @throws ApiError `secret_in_mail` */
function secretsOf({ fields, recipients }: ProgramMail, raw: Buffer, request: SendRequest, parsed: ParsedMail) {
  const { attachments, subject, html } = request;
  const header = fields.flatMap(({ name, value }) => [name, value, decodedWords(value)]);
  const named = attachments.flatMap(({ filename, contentType }) => [filename, contentType]);
  const texts = [...header, subject, parsed.text, html ?? '', ...recipients, ...named];
  return foreignSecrets(texts, [raw, ...attachments.map(({ content }) => content)]);
}

/**
 * Checks a mail that a program made, and completes it, as `composeDraft` does with a request. Writes nothing.
 * @throws ApiError `too_many_recipients`, `secret_in_mail`; MalformedMail
 */
export async function draftOfBytes(
  { database, mailDomain, parser }: Pick<MailProgramDeps, 'database' | 'mailDomain' | 'parser'>,
  mail: ProgramMail,
  principal: Pick<Principal, 'limits'>,
  now: number,
): Promise<Draft> {
  const { from } = mail;
  const recipients = requireRecipients(mail.recipients, mailDomain, principal);
  const raw = await completed(mail, mailDomain, now);
  const parsed = await readAll({ parser }, raw, from);
  const request = requestOf(mail, parsed);
  const secrets = await secretsOf(mail, raw, request, parsed);
  const { inReplyTo, references } = parsed;
  const parent = inReplyTo === null ? null : await findByRfcId(database, from.address, inReplyTo);
  const rfcMessageId = parsed.rfcMessageId as string;
  return { request, recipients, rfcMessageId, inReplyTo, references, parent, secrets, raw, parsed, metadata: null };
}
