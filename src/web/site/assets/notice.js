import { byId } from './dom.js';

/** The live status line, and copying. */

/** @type {ReturnType<typeof setTimeout> | undefined} */
let fading;

/**
 * Shows a text in the status line, which screen readers announce.
 * @param {string} text
 */
function say(text) {
  const status = byId('status', HTMLElement);
  clearTimeout(fading);
  status.textContent = text;
  status.classList.add('shown');
  fading = setTimeout(() => status.classList.remove('shown'), 6000);
}

/**
 * Copies the text of an element. Browsers allow this only on HTTPS and localhost; elsewhere it selects the text instead.
 * @param {HTMLElement} source
 */
export async function copyFrom(source) {
  try {
    await navigator.clipboard.writeText(source.textContent ?? '');
    say('Copied.');
  } catch {
    globalThis.getSelection()?.selectAllChildren(source);
    say('Selected. Copy it with your keyboard.');
  }
}
