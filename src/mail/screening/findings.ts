import type { Findings, LinkKind } from '../../kernel/findings.ts';
import { findCode } from './code-rules.ts';
import { findLinks } from './link-rules.ts';
import { plainText } from './plain-text-rules.ts';
import { visibleText } from './visible-text-rules.ts';

/** What {@link findingsOf} reads. */
export interface FindingSource {
  subject: string;
  text: string;
  html: string | null;
  from: string | null;
  /** The value of the header `One-Time-Code`. */
  header?: string | null;
}

/** Characters of HTML that are read on the main thread. The MIME worker reads all. */
export const HTML_CHARS_ON_MAIN = 65_536;

/** Reads the HTML part where there is one, because people see that part. */
export function findingsOf({ subject, text, html, from, header = null }: FindingSource): Findings {
  const shown = html === null ? null : visibleText(html);
  const seen = shown !== null && shown.text.trim() !== '' ? shown.text : text;
  const source = { subject, text: seen, header };
  const domain = from?.split('@').at(-1)?.toLowerCase() ?? null;
  return {
    code: findCode(source),
    provenCode: findCode({ ...source, provenDomain: domain }),
    links: findLinks(shown?.links ?? [], seen),
  };
}

const MASK = '•••';
const ANY_URL = /(?:https?:\/\/|www\.)[^\s<>"']+/gi;

/** Hides codes and URLs in a text that is shown to those who may not read the mail. */
export function masked(text: string, findings: Findings | null): string {
  let out = text.replace(ANY_URL, MASK);
  const values = [findings?.code, findings?.provenCode].flatMap((found) => found?.candidates ?? []);
  for (const value of new Set(values)) {
    if (!/[\p{L}\p{N}]/u.test(value)) continue;
    const spaced = [...value.replace(/[^\p{L}\p{N}]/gu, '')].join('[\\s\\p{Pd}_]{0,2}');
    const pattern = new RegExp(spaced, 'giu');
    out = out.replace(pattern, MASK);
    // Digits of another script, or with invisible characters between them.
    if (pattern.test(plainText(out))) return MASK;
  }
  return out;
}

/** The kinds of the links, each once. */
export const linkKindsOf = (findings: Findings | null): LinkKind[] => [
  ...new Set((findings?.links ?? []).map(({ kind }) => kind)),
];
