import { ApiFailure, call, holdsSession } from './api.js';
import { el, whileBusy } from './dom.js';
import { time } from './format.js';
import { confirmed, say, showOnce } from './notice.js';
import { addPasskey } from './passkey.js';

/** The passkeys of an operator, his recovery codes, and whether he requires a passkey. */

/**
 * A button that changes something and shows the view again.
 * @param {string} id
 * @param {string} text
 * @param {HTMLElement} problem
 * @param {() => Promise<void>} work
 */
const action = (id, text, problem, work) =>
  el(
    'button',
    {
      type: 'button',
      class: 'button',
      id,
      onclick: (/** @type {Event} */ event) =>
        whileBusy(/** @type {HTMLButtonElement} */ (event.currentTarget), async () => {
          problem.textContent = '';
          await work().catch((/** @type {Error} */ err) => {
            problem.textContent = err.message;
          });
        }),
    },
    text,
  );

/** @param {() => Promise<void>} refresh */
async function add(refresh) {
  const { status } = await addPasskey('Passkey');
  say(status === 'active' ? 'The passkey works from now on.' : 'The passkey will work after 72 hours.');
  await refresh();
}

/** @param {() => Promise<void>} refresh */
async function renewCodes(refresh) {
  const { codes } = await call('POST', '/v1/passkeys/recovery-codes', { body: {} });
  const text = 'Each code logs in once, when you have lost your passkeys. Former codes no longer work. Print these.';
  await showOnce({ title: 'Your recovery codes', text, secret: codes.join(' '), copy: 'Copy the codes' });
  await refresh();
}

/** @param {boolean} required @param {() => Promise<void>} refresh */
async function setRequired(required, refresh) {
  await call('PATCH', '/v1/operator/settings', { body: { require_passkey: required } });
  say(required ? 'Links in emails no longer decide.' : 'Links in emails can decide again.');
  await refresh();
}

/** @param {any} passkey @param {HTMLElement} problem @param {() => Promise<void>} refresh */
function entry(passkey, problem, refresh) {
  const remove = async () => {
    const text = 'It can no longer log in, and sessions that it opened end.';
    if (!(await confirmed({ title: 'Remove this passkey?', text, action: 'Remove' }))) return;
    await call('DELETE', `/v1/passkeys/${passkey.id}`);
    await refresh();
  };
  const state = passkey.status === 'active' ? 'added ' : 'works from ';
  return el(
    'li',
    {},
    `${passkey.name}, ${state}`,
    time(passkey.status === 'active' ? passkey.created_at : passkey.active_at),
    ' ',
    action(`remove-${passkey.id}`, 'Remove', problem, remove),
  );
}

/**
 * @param {() => Promise<void>} refresh shows the view again
 * @returns {Promise<Node | null>} null for whoever is not an operator
 */
export async function passkeys(refresh) {
  if (!holdsSession()) return null;
  const [list, settings] = await Promise.all([call('GET', '/v1/passkeys'), call('GET', '/v1/operator/settings')]).catch(
    (err) => {
      if (err instanceof ApiFailure && err.code === 'operator_required') return [null, null];
      throw err;
    },
  );
  if (list === null) return null;
  const { require_passkey: required, recovery_codes: codes } = settings;
  const problem = el('p', { class: 'problem', id: 'passkey-problem', role: 'alert' });
  return el(
    'section',
    { class: 'sheet', 'aria-labelledby': 'passkeys' },
    el('h2', { id: 'passkeys' }, 'Passkeys'),
    el('ul', { id: 'passkey-list' }, ...list.passkeys.map((/** @type {any} */ one) => entry(one, problem, refresh))),
    el('p', { class: 'fine' }, `${codes} recovery codes left. `, required ? 'You require a passkey.' : null),
    problem,
    el(
      'p',
      { class: 'actions' },
      action('add-passkey', 'Add a passkey', problem, () => add(refresh)),
      action('new-codes', 'New recovery codes', problem, () => renewCodes(refresh)),
      action('require-passkey', required ? 'Stop requiring a passkey' : 'Require a passkey', problem, () =>
        setRequired(!required, refresh),
      ),
    ),
  );
}
