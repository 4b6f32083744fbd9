import { byId, el } from './dom.js';

/** The live status line and the dialogs of the pages. */

/** @type {ReturnType<typeof setTimeout> | undefined} */
let fading;

/**
 * Shows a text in the status line, which screen readers announce.
 * @param {string} text
 */
export function say(text) {
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

/**
 * @param {HTMLDialogElement} dialog
 * @returns {Promise<string>} the value of the button that closed it; empty when it was dismissed
 */
function ask(dialog) {
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * @param {HTMLDialogElement} dialog
 * @param {string} value
 */
const closes = (dialog, value) => () => dialog.close(value);

/**
 * @param {{title: string, text: string, action: string}} question
 * @returns {Promise<boolean>}
 */
export async function confirmed({ title, text, action }) {
  const dialog = el('dialog', { 'aria-labelledby': 'dialog-title' });
  dialog.append(
    el('h2', { id: 'dialog-title' }, title),
    el('p', {}, text),
    el(
      'p',
      { class: 'actions' },
      el('button', { type: 'button', class: 'button primary', onclick: closes(dialog, 'yes') }, action),
      el('button', { type: 'button', class: 'button', autofocus: true, onclick: closes(dialog, '') }, 'Cancel'),
    ),
  );
  return (await ask(dialog)) === 'yes';
}

/**
 * Shows a secret once. Only its button closes the dialog, not Escape, because the secret cannot be shown again.
 * @param {{title: string, text: string, secret: string, copy?: string}} shown
 */
export async function showOnce({ title, text, secret, copy: label = 'Copy the key' }) {
  const dialog = el('dialog', {
    'aria-labelledby': 'dialog-title',
    closedby: 'none',
    oncancel: (/** @type {Event} */ event) => event.preventDefault(),
    // Browsers without `closedby` close the dialog at the second Escape, even if `cancel` was prevented.
    onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === 'Escape' && event.preventDefault(),
  });
  const code = el('code', { class: 'secret', tabindex: 0 }, secret);
  const copy = el(
    'button',
    { type: 'button', class: 'button primary', autofocus: true, onclick: () => copyFrom(code) },
    label,
  );
  dialog.append(
    el('h2', { id: 'dialog-title' }, title),
    el('p', {}, text),
    code,
    el(
      'p',
      { class: 'actions' },
      copy,
      el('button', { type: 'button', class: 'button', onclick: closes(dialog, 'stored') }, 'I have stored it'),
    ),
  );
  await ask(dialog);
}
