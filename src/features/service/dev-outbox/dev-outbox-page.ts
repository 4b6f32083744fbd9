import { BRAND, escaped, pageFrame } from '../../../api/page-frame.ts';
import { iso } from '../../../base/clock.ts';
import type { KeptMail } from './kept-mails.ts';

/** The outbox of a development server as pages. Everything in a mail is shown as text; only web links are links. */

const URL_IN_TEXT = /https?:\/\/[^\s<>"']+/g;
/** What ends a sentence does not belong to a link in it. */
const AFTER_LINK = /[.,;:!?)\]}>*]+$/;

/** Text with its web links, which tell the other site nothing of this one. */
function linked(text: string): string {
  let html = '';
  let end = 0;
  for (const { 0: found, index } of text.matchAll(URL_IN_TEXT)) {
    const url = found.replace(AFTER_LINK, '');
    html += `${escaped(text.slice(end, index))}<a href="${escaped(url)}" rel="noopener noreferrer">${escaped(url)}</a>`;
    end = index + url.length;
  }
  return html + escaped(text.slice(end));
}

const frame = (title: string, body: string): string =>
  pageFrame({
    title,
    kind: 'front dev',
    styles: ['front'],
    body: `    <aside class="banner">Development server: nothing leaves this machine.</aside>
    <header class="masthead">
      ${BRAND}
      <nav aria-label="Main"><a href="/dev/outbox">Outbox</a><a href="/docs">Docs</a></nav>
    </header>
    <main class="outbox">
${body}
    </main>`,
  });

const named = (addresses: ParsedAddresses): string => addresses.map(({ address }) => address).join(', ') || 'nobody';
type ParsedAddresses = readonly { address: string }[];

const timeOf = (at: number): string => {
  const text = iso(Math.floor(at));
  return `<time datetime="${text}">${text.slice(0, 19).replace('T', ' ')} UTC</time>`;
};

const subjectOf = ({ mail }: KeptMail): string => mail.subject || '(no subject)';

/** The list of mails, the newest first. */
export function outboxPage(mails: readonly KeptMail[]): string {
  const rows = mails.map(
    (kept) =>
      `<li><a href="/dev/outbox/${kept.file}">${escaped(subjectOf(kept))}</a> <span>to ${escaped(named(kept.mail.to))}, ${timeOf(kept.at)}</span></li>`,
  );
  const list =
    rows.length === 0
      ? '<p>No mail yet. Mail to addresses outside this service appears here: login links, confirmations, and what agents send.</p>'
      : `<ol class="sheet">${rows.join('\n')}</ol>`;
  return frame(
    'Development outbox',
    `<h1>Development outbox</h1>\n<p>Reload the page to look for new mail.</p>\n${list}`,
  );
}

/** One mail: its addresses, its text with links, the text of its HTML, and its source. */
export function keptMailPage(kept: KeptMail & { raw: string }): string {
  const { mail, at, raw } = kept;
  const facts: [string, string][] = [
    ['From', escaped(mail.from?.address ?? 'nobody')],
    ['To', escaped(named(mail.to))],
    ...(mail.cc.length > 0 ? [['Cc', escaped(named(mail.cc))] as [string, string]] : []),
    ['Written', timeOf(at)],
    ...(mail.attachments.length > 0
      ? [
          ['Attachments', escaped(mail.attachments.map(({ filename }) => filename || 'unnamed').join(', '))] as [
            string,
            string,
          ],
        ]
      : []),
  ];
  const html =
    mail.html === null
      ? ''
      : `<details class="sheet"><summary>HTML, as text</summary><pre>${escaped(mail.html)}</pre></details>`;
  return frame(
    subjectOf(kept),
    `<h1>${escaped(subjectOf(kept))}</h1>
<dl class="facts">${facts.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join('')}</dl>
<pre class="sheet text">${linked(mail.text)}</pre>
${html}
<details class="sheet"><summary>Source</summary><pre>${escaped(raw)}</pre></details>`,
  );
}
