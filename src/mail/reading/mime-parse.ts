import type { Attachment } from 'postal-mime';
import { attachedTexts } from '../mime/attached-text.ts';
import { CappedMime } from '../mime/mime-capped.ts';
import {
  cleanContentType,
  cleanFilename,
  cleanLine,
  cleanText,
  cut,
  firstHeader,
  readHeaders,
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
  mail.hasPlainText = parser.hasPlainText;
  mail.html =
    email.html === undefined ? null : boundText(email.html, MAIL_LIMITS.htmlBytes, 'html_truncated', problems);
  if (email.attachments.length > MAIL_LIMITS.attachments) problems.add('too_many_attachments');
  mail.attachments = email.attachments.slice(0, MAIL_LIMITS.attachments).map(toAttachment);
  const screened = screen({
    ...mail,
    header: firstHeader(email.headers, 'one-time-code') || null,
    isList: email.headers.some(({ key }) => key === 'list-id' || key === 'list-unsubscribe'),
    attachedTexts: await attachedTexts(mail.attachments),
  });
  Object.assign(mail, screened);
  mail.problem = problems.size === 0 ? null : [...problems].join(',');
  return mail;
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
