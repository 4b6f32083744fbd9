/**
 * Creates all elements of the pages. Data becomes text nodes and attributes, never markup.
 */

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown>} [props] attributes; functions such as `onclick` become listeners, false and null are left out
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === 'function') node.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else node.setAttribute(name, value === true ? '' : String(value));
  }
  node.append(...present(children));
  return node;
}

/**
 * @param {Child[]} children
 * @returns {(Node | string)[]}
 */
const present = (children) =>
  children.flatMap((child) => (child === null || child === undefined || child === false ? [] : [child]));

/**
 * Returns an element of the page's own markup.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} type
 * @returns {T}
 */
export function byId(id, type) {
  const node = document.getElementById(id);
  if (!(node instanceof type)) throw new Error(`the page has no #${id}`);
  return node;
}
