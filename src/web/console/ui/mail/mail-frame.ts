import { contentIdIn, copyMail, DROPPED, MARK, type Pictures, sourceOf, unmarked } from './mail-copy.ts';

/**
 * Shows the untrusted HTML of a mail. Several defences each keep its code from running: the frame is sandboxed without
 * scripts, forms, popups and navigation; it inherits the page's policy, which loads nothing from other hosts; its head
 * carries a stricter policy; and what is in it is no markup of the mail: the page builds it anew, element by element, from a
 * list (ADR 0148).
 */

interface MarkupPolicy {
  createHTML(html: string): string;
}

const asIs = (html: string): string => html;
// With Trusted Types enforced, the browser accepts markup only from this policy.
const { trustedTypes } = globalThis as {
  trustedTypes?: { createPolicy(name: string, rules: MarkupPolicy): MarkupPolicy };
};
const policy = trustedTypes?.createPolicy('mail-frame', { createHTML: asIs }) ?? { createHTML: asIs };

/**
 * Renames what the browser would report as a violation of the page's policy, although the parsed mail never runs: inline
 * styles, handlers of events and base addresses. In the place of each stands what is parsed in the same way.
 */
const renamed = (html: string): string =>
  unmarked(html)
    .replace(/<(\/?)style(?=[\s/>])/gi, `<$1noframes ${MARK}`)
    .replace(/<base(?=[\s/>])/gi, '<link')
    .replace(/(?<=[\s"'/])(style|on[a-z]+)(?=[\s/=>])/gi, `$1${MARK}`);

/** The mail as a document without a window. Nothing is loaded or run by parsing. */
const parse = (html: string): Document =>
  new DOMParser().parseFromString(policy.createHTML(renamed(html)), 'text/html');

const NOT_SHOWN = [...DROPPED].join();
/** The sources of the pictures that a mail shows. */
const sourcesIn = (html: string): string[] =>
  [...parse(html).images].filter((image) => image.closest(NOT_SHOWN) === null).map(sourceOf);

/** The content ids of the pictures that a mail shows. Nothing is loaded by looking. */
export const contentIdsIn = (html: string): Set<string> =>
  new Set(sourcesIn(html).flatMap((src) => contentIdIn(src) ?? []));

/** The addresses of pictures on other hosts. Nothing is loaded by looking. */
export const remoteIn = (html: string): string[] => [
  ...new Set(sourcesIn(html).filter((src) => /^https?:\/\/.*$/i.test(src))),
];

/** What a page says beside the frame. */
export const SAFE_NOTE = 'Scripts and remote content are removed. What its sender hides is marked.';

/** A taller mail scrolls in its frame. */
const HEIGHT_MAX_PX = 6000;

/** Makes a frame as high as the mail in it. */
function fitHeight(frame: HTMLIFrameElement, page: Document): void {
  const measure = new ResizeObserver(() => {
    const px = Math.min(page.documentElement.getBoundingClientRect().height, HEIGHT_MAX_PX);
    frame.style.setProperty('height', `${Math.ceil(px) + 2}px`);
  });
  measure.observe(page.documentElement);
}

export function mailFrame(html: string, pictures: Pictures = new Map()): HTMLIFrameElement {
  const rules = `default-src 'none'; img-src data:; style-src ${location.origin}; form-action 'none'; base-uri 'none'`;
  const head = [
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${rules}">`,
    '<meta http-equiv="x-dns-prefetch-control" content="off">',
    `<link rel="stylesheet" href="${location.origin}/assets/mail.css">`,
  ];
  const frame = document.createElement('iframe');
  frame.className = 'mail-frame';
  // For this page to build the mail in it, and to measure it. Without scripts nothing in it can use that.
  frame.setAttribute('sandbox', 'allow-same-origin');
  frame.referrerPolicy = 'no-referrer';
  frame.title = 'The message as HTML';
  frame.srcdoc = policy.createHTML(`<!doctype html><html><head>${head.join('')}</head><body></body></html>`);
  frame.addEventListener('load', () => {
    const { contentDocument: page } = frame;
    // Before its own document there may be an empty one.
    if (!page?.querySelector('link')) return;
    copyMail(parse(html), page, pictures);
    fitHeight(frame, page);
  });
  return frame;
}
