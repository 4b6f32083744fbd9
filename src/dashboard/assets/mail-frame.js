import { el } from './dom.js';

/**
 * Shows the HTML of a stranger's mail. Several walls, of which each alone keeps its code from running: the frame is
 * sandboxed with no right at all (no scripts, no forms, no navigation of ours, an origin of its own); it inherits the
 * page's policy, which loads nothing from elsewhere; it carries a stricter one in its head; and what could load,
 * navigate or run is taken out before.
 */

const REMOVED = [
  'script, style, link, meta, base, title, template, noscript, iframe, frame, frameset, object, embed, applet, portal',
  'input, button, select, textarea, audio, video, source, track, svg, math',
].join();
/** What is left of attributes: those that say what a text or a table is. */
const KEPT = new Set(['alt', 'title', 'colspan', 'rowspan', 'dir', 'lang', 'start', 'width', 'height']);
const PICTURE = /^data:image\/(png|jpeg|gif|webp);/i;

const asIs = (/** @type {string} */ html) => html;
// With Trusted Types in force, this is the one place whose markup the browser takes.
const { trustedTypes } = /** @type {any} */ (globalThis);
const policy = trustedTypes?.createPolicy('mail-frame', { createHTML: asIs }) ?? { createHTML: asIs };

/** @param {Element} element */
function clean(element) {
  const { localName } = element;
  const href = element.getAttribute('href');
  const src = element.getAttribute('src');
  for (const name of element.getAttributeNames()) if (!KEPT.has(name)) element.removeAttribute(name);
  // A link is not followed from here; where it leads can be seen, and is in the plain text.
  if (localName === 'a' && href !== null) element.setAttribute('title', href);
  if (localName !== 'img') return;
  if (src !== null && PICTURE.test(src)) element.setAttribute('src', src);
  else element.replaceWith(element.getAttribute('alt') ?? '');
}

/**
 * @param {string} html
 * @returns {HTMLIFrameElement}
 */
export function mailFrame(html) {
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
  const frame = el('iframe', {
    class: 'mail-frame',
    sandbox: '',
    referrerpolicy: 'no-referrer',
    title: 'The message as HTML',
  });
  const shell = `<!doctype html><html><head>${head.join('')}</head>${parsed.body.outerHTML}</html>`;
  frame.srcdoc = policy.createHTML(shell);
  return frame;
}
