/**
 * Shows the untrusted HTML of a mail. Several defences each keep its code from running: the frame is sandboxed without any
 * permission (no scripts, no forms, no navigation of the page, its own origin); it inherits the page's policy, which
 * loads nothing from other hosts; its head carries a stricter policy; and elements that could load, navigate or run are
 * removed first.
 */

/** Among them is every element whose text is written out as it is, and would be read as markup the next time. */
const REMOVED = [
  'script, style, noframes, link, meta, base, title, template, noscript, iframe, frame, frameset, object, embed, applet',
  'portal, input, button, select, textarea, audio, video, source, track, svg, math, xmp, noembed, plaintext',
].join();
/** The attributes that are kept: they describe text, tables and images. */
const KEPT = new Set(['alt', 'title', 'colspan', 'rowspan', 'dir', 'lang', 'start', 'width', 'height']);
const PICTURE = /^data:image\/(png|jpeg|gif|webp);/i;

interface MarkupPolicy {
  createHTML(html: string): string;
}

const asIs = (html: string): string => html;
// With Trusted Types enforced, the browser accepts markup only from this policy.
const { trustedTypes } = globalThis as {
  trustedTypes?: { createPolicy(name: string, rules: MarkupPolicy): MarkupPolicy };
};
const policy = trustedTypes?.createPolicy('mail-frame', { createHTML: asIs }) ?? { createHTML: asIs };

/** Pictures as `data:` addresses: attached ones by content id, those of other hosts by their address. */
export type Pictures = ReadonlyMap<string, string>;

/** The content id that an image names (RFC 2392). */
const contentIdIn = (src: string): string | null => {
  try {
    return /^cid:/i.test(src) ? decodeURIComponent(src.slice(4)) : null;
  } catch {
    return null;
  }
};

/** For private use in Unicode, so that no name of HTML has it. A mail that has it loses it before it is read. */
const MARK = '\uE000';

const unmarked = (text: string): string => text.replaceAll(MARK, '');

/**
 * Renames what the browser would report as a violation of the page's policy, although the parsed mail never runs: inline
 * styles, handlers of events and base addresses. In the place of each stands what is parsed in the same way and is removed.
 */
const renamed = (html: string): string =>
  unmarked(html)
    .replace(/<(\/?)style(?=[\s/>])/gi, '<$1noframes')
    .replace(/<base(?=[\s/>])/gi, '<link')
    .replace(/(?<=[\s"'/])(style|on[a-z]+)(?=[\s/=>])/gi, `$1${MARK}`);

const sourceOf = (element: Element): string => unmarked(element.getAttribute('src') ?? '');

function clean(element: Element, pictures: Pictures): void {
  const { localName } = element;
  const href = element.getAttribute('href');
  const src = sourceOf(element);
  for (const name of element.getAttributeNames()) {
    const value = element.getAttribute(name) ?? '';
    if (!KEPT.has(name)) element.removeAttribute(name);
    else if (value.includes(MARK)) element.setAttribute(name, unmarked(value));
  }
  // Links cannot be followed. Their target shows as a tooltip and in the plain text.
  if (localName === 'a' && href !== null) element.setAttribute('title', unmarked(href));
  if (localName !== 'img') return;
  const picture = pictures.get(contentIdIn(src) ?? src) ?? src;
  if (PICTURE.test(picture)) element.setAttribute('src', picture);
  else element.replaceWith(element.getAttribute('alt') ?? '');
}

/** A mail without what could load, navigate or run. Nothing is loaded by parsing. */
function parse(html: string): Document {
  const parsed = new DOMParser().parseFromString(policy.createHTML(renamed(html)), 'text/html');
  for (const element of parsed.querySelectorAll(REMOVED)) element.remove();
  const texts = parsed.createTreeWalker(parsed, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode: text } = texts;
    if (text.nodeValue?.includes(MARK)) text.nodeValue = unmarked(text.nodeValue);
  }
  return parsed;
}

/** The content ids of the pictures that a mail shows. Nothing is loaded by looking. */
export const contentIdsIn = (html: string): Set<string> =>
  new Set([...parse(html).images].flatMap((image) => contentIdIn(sourceOf(image)) ?? []));

/** The addresses of pictures on other hosts. Nothing is loaded by looking. */
export const remoteIn = (html: string): string[] => [
  ...new Set([...parse(html).images].map(sourceOf).filter((src) => /^https?:\/\/.*$/i.test(src))),
];

/** What a page says beside the frame. */
export const SAFE_NOTE = 'Scripts, styles and remote content are removed.';

export function mailFrame(html: string, pictures: Pictures = new Map()): HTMLIFrameElement {
  const parsed = parse(html);
  for (const element of parsed.querySelectorAll('*')) clean(element, pictures);
  const rules = `default-src 'none'; img-src data:; style-src ${location.origin}; form-action 'none'; base-uri 'none'`;
  const head = [
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${rules}">`,
    '<meta http-equiv="x-dns-prefetch-control" content="off">',
    `<link rel="stylesheet" href="${location.origin}/assets/mail.css">`,
  ];
  const frame = document.createElement('iframe');
  frame.className = 'mail-frame';
  frame.setAttribute('sandbox', '');
  frame.referrerPolicy = 'no-referrer';
  frame.title = 'The message as HTML';
  // A mail whose body was a set of frames has none.
  const body = (parsed.body as HTMLElement | null)?.outerHTML ?? '<body></body>';
  const shell = `<!doctype html><html><head>${head.join('')}</head>${body}</html>`;
  frame.srcdoc = policy.createHTML(shell);
  return frame;
}
