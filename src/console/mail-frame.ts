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

function clean(element: Element): void {
  const { localName } = element;
  const href = element.getAttribute('href');
  const src = element.getAttribute('src');
  for (const name of element.getAttributeNames()) if (!KEPT.has(name)) element.removeAttribute(name);
  // Links cannot be followed. Their target shows as a tooltip and in the plain text.
  if (localName === 'a' && href !== null) element.setAttribute('title', href);
  if (localName !== 'img') return;
  if (src !== null && PICTURE.test(src)) element.setAttribute('src', src);
  else element.replaceWith(element.getAttribute('alt') ?? '');
}

export function mailFrame(html: string): HTMLIFrameElement {
  const parsed = new DOMParser().parseFromString(policy.createHTML(html), 'text/html');
  for (const element of parsed.querySelectorAll(REMOVED)) element.remove();
  for (const element of parsed.querySelectorAll('*')) clean(element);
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
