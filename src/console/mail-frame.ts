import { words } from './words.ts';

/**
 * Shows the untrusted HTML of a mail. Several defences each keep its code from running: the frame is sandboxed without any
 * permission (no scripts, no forms, no navigation of the page, its own origin); it inherits the page's policy, which
 * loads nothing from other hosts; its head carries a stricter policy; and elements that could load, navigate or run are
 * removed first.
 */

const REMOVED = [
  'script, style, link, meta, base, title, template, noscript, iframe, frame, frameset, object, embed, applet, portal',
  'input, button, select, textarea, audio, video, source, track, svg, math',
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

/** Attached pictures as `data:` addresses, by content id. */
export type Pictures = ReadonlyMap<string, string>;

/** The content id that an image names (RFC 2392). */
const contentIdIn = (src: string): string | null => {
  try {
    return /^cid:/i.test(src) ? decodeURIComponent(src.slice(4)) : null;
  } catch {
    return null;
  }
};

function clean(element: Element, pictures: Pictures): void {
  const { localName } = element;
  const href = element.getAttribute('href');
  const src = element.getAttribute('src');
  for (const name of element.getAttributeNames()) if (!KEPT.has(name)) element.removeAttribute(name);
  // Links cannot be followed. Their target shows as a tooltip and in the plain text.
  if (localName === 'a' && href !== null) element.setAttribute('title', href);
  if (localName !== 'img') return;
  const picture = pictures.get(contentIdIn(src ?? '') ?? '') ?? src;
  if (picture !== null && PICTURE.test(picture)) element.setAttribute('src', picture);
  else element.replaceWith(element.getAttribute('alt') ?? '');
}

const parse = (html: string): Document => new DOMParser().parseFromString(policy.createHTML(html), 'text/html');

/** The content ids of the pictures that a mail shows. Nothing is loaded by looking. */
export const contentIdsIn = (html: string): Set<string> =>
  new Set([...parse(html).images].flatMap((image) => contentIdIn(image.getAttribute('src') ?? '') ?? []));

export function mailFrame(html: string, pictures: Pictures = new Map()): HTMLIFrameElement {
  const parsed = parse(html);
  for (const element of parsed.querySelectorAll(REMOVED)) element.remove();
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
  frame.title = words.mail.htmlTitle;
  const shell = `<!doctype html><html><head>${head.join('')}</head>${parsed.body.outerHTML}</html>`;
  frame.srcdoc = policy.createHTML(shell);
  return frame;
}
