/**
 * Characters that turn the order of the text after them (UAX #9, explicit directional formatting): with one of them,
 * `exe.jpg` on the screen may be `gpj.exe`. The text of Arabic and Hebrew needs none of them to be shown in its direction.
 */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/;
const ALL_TURNING = new RegExp(TURNING, 'g');

/** A text whose order stays as its letters have it. */
export const withoutTurning = (text: string): string => text.replace(ALL_TURNING, '');

/** What a screen reader says, and what a pointer shows. */
const SHOWN = ['title', 'aria-label'];
/** Shown to be copied exactly. */
const EXACT = '.secret, textarea';

function showText(text: Node): void {
  if (text.nodeValue === null || !TURNING.test(text.nodeValue) || text.parentElement?.closest(EXACT)) return;
  text.nodeValue = withoutTurning(text.nodeValue);
}

function showAttributes(element: Element): void {
  for (const name of SHOWN) {
    const value = element.getAttribute(name);
    if (value !== null && TURNING.test(value)) element.setAttribute(name, withoutTurning(value));
  }
}

function showAll(root: Node): void {
  const nodes = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node: Node | null = root; node !== null; node = nodes.nextNode()) {
    if (node instanceof Element) showAttributes(node);
    else if (node instanceof Text) showText(node);
  }
}

/**
 * Takes such characters out of all that the page shows from now on, before it is drawn: names, subjects, files and
 * addresses come from strangers. Only what is shown changes, never what is sent or copied.
 */
export function showPlainly(): void {
  const seen = new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === 'childList') for (const node of addedNodes) showAll(node);
      else if (type === 'characterData') showText(target);
      else showAttributes(target as Element);
    }
  });
  const what = { childList: true, characterData: true, attributes: true, attributeFilter: SHOWN, subtree: true };
  seen.observe(document.documentElement, what);
  showAll(document.documentElement);
}
