import { isAscii as areAscii } from 'node:buffer';
import { attachedTexts, isMessage, textFiles } from '../mime/attached-text.ts';
import { htmlToText } from '../mime/html-text.ts';
import { MAIL_LIMITS, type ParsedAttachment, type ParsedMail } from '../mime/parsed-mail.ts';
import { type ScreenedMail, screen } from '../screening/mail-screening.ts';

/** What an agent wrote, as far as its recipients on this service read it. */
export interface WrittenMail extends Pick<ScreenedMail, 'subject' | 'html' | 'from' | 'replyTo' | 'to'> {
  /** Null: the HTML is the only text. */
  text: string | null;
  attachments: readonly Pick<ParsedAttachment, 'filename' | 'contentType' | 'content'>[];
}

/** The same as a recipient reads it. */
export type ReadWritten = Pick<ParsedMail, 'parsed' | 'problem' | 'text' | 'html' | 'visibleText' | 'findings'>;

/** Mail that is longer is read in a thread: a crafted text may take seconds. */
const ON_MAIN_MAX = 8192;

/** A copy with only what {@link readWritten} reads. */
export const toRead = ({ subject, text, html, from, replyTo, to, attachments }: WrittenMail): WrittenMail => ({
  subject,
  text,
  html,
  from,
  replyTo,
  to,
  attachments: textFiles(attachments),
});

/** Whether the mail is so short that reading it delays no other work. */
export const isShort = ({ text, html, attachments }: WrittenMail): boolean =>
  !attachments.some(isMessage) &&
  attachments.reduce((sum, { content }) => sum + content.length, (text ?? '').length + (html ?? '').length) <=
    ON_MAIN_MAX;

/** Whether all of it is ASCII, also once it is decoded. */
export const isAscii = ({ subject, text, html, from, replyTo, to, attachments }: WrittenMail): boolean => {
  const names = [...(from === null ? [] : [from]), ...replyTo, ...to].map(({ name }) => name);
  return (
    /^[\0-\x7f]*$/.test([subject, text ?? '', html ?? '', ...names].join('')) &&
    !html?.includes('&') &&
    attachments.every(({ content }) => areAscii(content))
  );
};

/** Reads a mail as the parser reads one from outside. */
export async function readWritten({ attachments, ...mail }: WrittenMail): Promise<ReadWritten> {
  const text = mail.text ?? htmlToText(mail.html ?? '', MAIL_LIMITS.textBytes);
  const screened = screen({ ...mail, text, attachedTexts: await attachedTexts(attachments) });
  return { parsed: true, problem: null, text, html: mail.html, ...screened };
}
