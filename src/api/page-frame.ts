/** The frame of the pages that the service writes itself, without a script that fills them. */

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes untrusted text for HTML, also inside quoted attributes. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char] as string);

/**
 * The policy of a page without scripts. `form-action 'self'` is for a search form, the only form of such pages.
 * Everything it loads is a file of this service.
 */
export const PLAIN_PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; " +
    "frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

export interface PageFrame {
  /** Text, not HTML; ` · Signet` is added. */
  title: string;
  /** HTML of the body. */
  body: string;
  /** The class of the body. */
  kind: string;
  /** Names of stylesheets under `/assets`, besides the shared one. */
  styles: readonly string[];
  /** HTML for the head: metadata, other forms of the page, scripts. */
  head?: string;
}

/** Characters that turn the order of the text after them, such as `gpj.exe` shown as `exe.jpg` (UAX #9). */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;

const documentOf = ({ title, body, kind, styles, head = '' }: PageFrame): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${escaped(title)} · Signet</title>${head}
    <link rel="icon" type="image/svg+xml" href="/assets/seal.svg">
${['signet', ...styles].map((name) => `    <link rel="stylesheet" href="/assets/${name}.css">`).join('\n')}
  </head>
  <body class="${kind}">
${body}
  </body>
</html>
`;

/** Writes a whole HTML document, without characters that turn text round. */
export const pageFrame = (page: PageFrame): string => documentOf(page).replace(TURNING, '');

/** The link to the front page. */
export const BRAND = '<a class="brand" href="/"><img src="/assets/seal.svg" alt="" width="34" height="34">Signet</a>';
