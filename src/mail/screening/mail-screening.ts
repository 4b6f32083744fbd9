import type { MailAddress } from '../mime/parsed-mail.ts';
import type { Findings, LinkKind } from '../mime/screening-result.ts';
import { withoutInvisible } from './invisible-text.ts';
import { findCode } from './mail-code.ts';
import { findLinks } from './mail-links.ts';
import { signalsOf } from './mail-signals.ts';
import { codesOf, hideValues, MASK } from './masked-text.ts';
import { visibleText } from './visible-text.ts';

/** What {@link screen} reads. */
export interface ScreenedMail {
  subject: string;
  text: string;
  html: string | null;
  from: MailAddress | null;
  replyTo: readonly MailAddress[];
  to: readonly MailAddress[];
  isList?: boolean;
  /** Texts of attachments. */
  attachedTexts?: readonly string[];
  /** The value of the header `One-Time-Code`. */
  header?: string | null;
}

/** Characters of HTML that are read on the main thread. The MIME worker reads all. */
export const HTML_CHARS_ON_MAIN = 65_536;
export const TEXT_CHARS_ON_MAIN = 65_536;

/** A mail as a person sees it, and what was found in it. */
export interface Screening {
  /** Null when the text of the mail is what a person sees. */
  visibleText: string | null;
  findings: Findings;
}

/** Reads the HTML part where there is one, because people see that part. */
export function screen(mail: ScreenedMail): Screening {
  const { subject, text, html, from, header = null } = mail;
  const shown = html === null ? null : visibleText(html);
  const isHtml = shown !== null && shown.text.trim() !== '';
  const seen = withoutInvisible(isHtml ? shown.text : text);
  const source = { subject, text: seen.text, header };
  const domain = from?.address.split('@').at(-1)?.toLowerCase() ?? null;
  const code = findCode(source);
  // Only a code that names a domain depends on who sent it.
  const isBound = header !== null || /^@[^\n]*$/.test(seen.text.trimEnd().split('\n').at(-1) ?? '');
  const links = findLinks(shown?.links ?? [], seen.text);
  return {
    visibleText: seen.text === text ? null : seen.text,
    findings: {
      code,
      provenCode: isBound ? findCode({ ...source, provenDomain: domain }) : code,
      links,
      signals: signalsOf({
        ...mail,
        isList: mail.isList ?? false,
        attachments: mail.attachedTexts ?? [],
        seen,
        shown: isHtml ? shown : null,
        isMarkupFlood: shown?.isFlood === true,
        links,
      }),
      hidden: {
        text: [shown?.hidden ?? '', seen.decoded].join('\n').trim(),
        chars: (shown?.hiddenChars ?? 0) + seen.removed,
      },
    },
  };
}

const ANY_URL = /(?:https?:\/\/|www\.)[^\s<>"']+/gi;

/** Hides codes and URLs in a text that is shown to those who may not read the mail. */
export const masked = (text: string, findings: Findings | null): string =>
  hideValues(text.replace(ANY_URL, MASK), codesOf(findings));

/** The kinds of the links, each once. */
export const linkKindsOf = (findings: Findings | null): LinkKind[] => [
  ...new Set((findings?.links ?? []).map(({ kind }) => kind)),
];
