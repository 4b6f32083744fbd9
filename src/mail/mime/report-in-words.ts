/** Failure notices in prose, from servers without RFC 3464. */

export interface ReportInWords {
  failures: { address: string; reason: string }[];
  /** What follows the notice: the mail as it was, or its header. */
  returned: string | null;
}

/**
 * How each of them begins. The sentence must be the server's own: a person who quotes a 550 in an answer is not one.
 * qmail's is QSBMF; the others are what the programs have written for decades.
 */
const OPENINGS = [
  /^Hi\. This is the [^\n]{1,200}$/m,
  /^This message was created automatically by mail delivery software/m,
  /^This is the (?:Postfix program|mail system) at host /m,
  /^[ \t]{0,8}-{3,} The following addresses had permanent (?:fatal errors|delivery errors) -{3,}/m,
  /^Your message did not reach some or all of the intended recipients/m,
  /^Delivery has failed to these recipients or (?:distribution lists|groups):/m,
];

/** A delayed mail is still being delivered. */
const NOT_A_FAILURE =
  /THIS IS A WARNING|warning message only|has not yet been delivered|delivery (?:is|has been|was) delayed|will (?:continue|keep) trying/i;

const RETURNED =
  /^(?:-{3,} ?(?:Below this line|This is a copy of|The (?:body|header)s? of the message|Original message|Transcript of session)|Original message headers:)/im;

/** Of a trimmed line with single spaces: a run of them would be tried over and over. */
const ADDRESS_LINE =
  /^<?([^\s<>()[\]:;,"@]{1,128}@[^\s<>()[\]:;,"@]{1,255}?)>?(?: ?\(mailto:[^)]{0,400}\)|<mailto:[^>]{0,400}>)? ?(?:: ?(.*)|on .*)?$/;
const REASON_LINES = 12;
const LINE_CHARS = 1000;

/** `text` is the notice as plain text, `head` the beginning of the raw message, for the header that Exim adds. */
export function reportInWords(text: string, head: string): ReportInWords | null {
  const plain = text.replaceAll('\r', '');
  const opening = OPENINGS.map((pattern) => pattern.exec(plain)).find((match) => match !== null);
  if (!opening) return null;
  const end = RETURNED.exec(plain.slice(opening.index + opening[0].length));
  const cut = end ? opening.index + opening[0].length + end.index : plain.length;
  const notice = plain.slice(opening.index, cut);
  if (NOT_A_FAILURE.test(notice)) return null;
  const failures = namedIn(notice);
  if (failures.length === 0) failures.push(...namedInHeader(head));
  if (failures.length === 0) return null;
  return { failures, returned: /^Message-ID:\s*(<[^>\n]{1,996}>)/im.exec(plain.slice(cut))?.[1] ?? null };
}

/** Addresses at the beginning of a line, each with what is said about it: for reports whose status part is silent. */
export const reasonsIn = (text: string): Map<string, string> =>
  new Map(namedIn(`\n${text}`).map(({ address, reason }) => [address.toLowerCase(), reason]));

/** An address at the beginning of a line, and the lines up to the next empty one as what was said about it. */
function namedIn(notice: string): ReportInWords['failures'] {
  const failures: ReportInWords['failures'] = [];
  let lines = 0;
  for (const raw of notice.split('\n').slice(1)) {
    const line = raw.slice(0, LINE_CHARS).replace(/\s+/g, ' ').trim();
    const found = ADDRESS_LINE.exec(line);
    const last = failures.at(-1);
    if (found) {
      failures.push({ address: found[1] as string, reason: found[2] ?? '' });
      lines = 0;
    } else if (last && lines < REASON_LINES) {
      // An empty line ends a reason, unless it has not begun.
      if (line === '' && last.reason !== '') lines = REASON_LINES;
      else last.reason = `${last.reason} ${line}`.trim();
      lines += 1;
    }
  }
  return failures;
}

/** `X-Failed-Recipients: a@example.com, b@example.com`, which Exim writes beside any text. */
function namedInHeader(head: string): ReportInWords['failures'] {
  const end = /\r?\n\r?\n/.exec(head)?.index ?? head.length;
  const value = /^X-Failed-Recipients:((?:.|\r?\n[ \t])*)/im.exec(head.slice(0, end))?.[1] ?? '';
  return value
    .split(/[,\s]+/)
    .filter((address) => /^[^\s@]+@[^\s@]+$/.test(address))
    .map((address) => ({ address, reason: 'The mail could not be delivered.' }));
}
