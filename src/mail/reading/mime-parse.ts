import type { Attachment } from 'postal-mime';
import { attachedTexts } from '../mime/attached-text.ts';
import { CappedMime } from '../mime/mime-capped.ts';
import type { Header } from '../mime/mime-fields.ts';
import {
  boundReferences,
  cleanContentType,
  cleanFilename,
  cleanLine,
  cleanText,
  cut,
  firstHeader,
  isAutoSubmitted,
  readAddresses,
  readDate,
  readMessageIds,
  readText,
} from '../mime/mime-fields.ts';
import type { MailProblem, ParsedAttachment, ParsedMail } from '../mime/parsed-mail.ts';
import { emptyMail, MAIL_LIMITS } from '../mime/parsed-mail.ts';
import { screen } from '../screening/mail-screening.ts';

/**
 * Parses one message completely. Runs inside the worker: hostile input may take seconds and any amount of memory here.
 * Throws what the parser throws; the caller falls back.
 */
export async function parseMail(raw: ArrayBuffer): Promise<ParsedMail> {
  const parser = new CappedMime();
  const email = await parser.parse(raw);
  const problems = parser.problems;
  const mail = emptyMail();
  mail.parsed = true;
  readHeaders(mail, email.headers, problems);
  mail.text = boundText(email.text ?? '', MAIL_LIMITS.textBytes, 'text_truncated', problems);
  mail.html =
    email.html === undefined ? null : boundText(email.html, MAIL_LIMITS.htmlBytes, 'html_truncated', problems);
  if (email.attachments.length > MAIL_LIMITS.attachments) problems.add('too_many_attachments');
  mail.attachments = email.attachments.slice(0, MAIL_LIMITS.attachments).map(toAttachment);
  const screened = screen({
    ...mail,
    header: firstHeader(email.headers, 'one-time-code') || null,
    isList: email.headers.some(({ key }) => key === 'list-id' || key === 'list-unsubscribe'),
    attachedTexts: attachedTexts(mail.attachments),
  });
  Object.assign(mail, screened);
  mail.problem = problems.size === 0 ? null : [...problems].join(',');
  return mail;
}

function readHeaders(mail: ParsedMail, headers: readonly Header[], problems: Set<MailProblem>): void {
  const all = (key: string): string[] => headers.filter((header) => header.key === key).map((header) => header.value);
  const from = all('from');
  // RFC 5322 3.6 allows one. Readers disagree about which of two they show, so a second one is worth a flag.
  if (from.length > 1) problems.add('duplicate_from');
  mail.from = readAddresses(from.slice(0, 1), new Set())[0] ?? null;
  mail.to = readAddresses(all('to'), problems);
  mail.cc = readAddresses(all('cc'), problems);
  mail.replyTo = readAddresses(all('reply-to'), problems);
  const subject = firstHeader(headers, 'subject');
  mail.subject = readText(subject);
  if (mail.subject.length >= MAIL_LIMITS.headerValueChars - 1) problems.add('subject_truncated');
  mail.date = readDate(firstHeader(headers, 'date'));
  mail.rfcMessageId = readMessageIds(firstHeader(headers, 'message-id'))[0] ?? null;
  mail.inReplyTo = readMessageIds(firstHeader(headers, 'in-reply-to'))[0] ?? null;
  mail.references = boundReferences(readMessageIds(firstHeader(headers, 'references')), problems);
  mail.autoSubmitted = isAutoSubmitted(headers);
  mail.receivedCount = all('received').length;
}

function boundText(text: string, maxBytes: number, problem: MailProblem, problems: Set<MailProblem>): string {
  const clean = cleanText(text);
  if (clean.length <= maxBytes && Buffer.byteLength(clean) <= maxBytes) return clean;
  problems.add(problem);
  const bytes = Buffer.from(cut(clean, maxBytes));
  let end = Math.min(maxBytes, bytes.length);
  // Not inside a character: UTF-8 continuation bytes are 10xxxxxx.
  while (end < bytes.length && end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}

function toAttachment(part: Attachment, index: number): ParsedAttachment {
  const content = toBytes(part.content);
  const contentType = cleanContentType(part.mimeType);
  const fallback = `attachment-${index + 1}${contentType === 'message/rfc822' ? '.eml' : ''}`;
  const contentId = cleanLine((part.contentId ?? '').replace(/[<>]/g, ''), MAIL_LIMITS.filenameChars);
  const disposition = cleanLine(part.disposition ?? '', 64);
  return {
    filename: cleanFilename(part.filename, fallback),
    contentType,
    size: content.byteLength,
    contentId: contentId === '' ? null : contentId,
    disposition: disposition === '' ? null : disposition,
    content,
  };
}

/** Bytes in their own buffer, so that it can be transferred to the main thread without a copy. */
function toBytes(content: ArrayBuffer | Uint8Array | string): Uint8Array<ArrayBuffer> {
  if (content instanceof ArrayBuffer) return new Uint8Array(content);
  return new Uint8Array(typeof content === 'string' ? Buffer.from(content) : content);
}
