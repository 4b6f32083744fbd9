import { call, holdsSession, storeCredential } from './api.js';
import { el, whileBusy } from './dom.js';
import { time } from './format.js';
import { confirmed, say, showOnce } from './notice.js';

/** Lists the account's keys by prefix, and rotates, backs up and activates them. */

/** @typedef {import('./dashboard.js').Desk} Desk */

/** @param {Desk} desk */
async function rotate(desk) {
  const isSure = await confirmed({
    title: 'Replace the active key?',
    text: 'The current key stops working everywhere at once. The new key is shown once.',
    action: 'Replace the key',
  });
  if (!isSure) return;
  const wasSession = holdsSession();
  const reply = await call('POST', '/v1/auth/keys/rotate', { body: {} });
  // A key that this tab signed in with no longer works. A session still does.
  if (!wasSession) storeCredential(reply.api_key);
  await showOnce({ title: 'Your new key', text: 'Store it now. It cannot be shown again.', secret: reply.api_key });
  await desk.refresh();
}

/** @param {Desk} desk */
async function makeBackup(desk) {
  const reply = await call('POST', '/v1/auth/keys/generate-backup', { body: {} });
  const text = 'Store it apart from the active key. It works only after you activate it.';
  await showOnce({ title: 'Your backup key', text, secret: reply.backup_key });
  await desk.refresh();
}

/** @param {Desk} desk */
async function activateBackup(desk) {
  const isSure = await confirmed({
    title: 'Activate the backup key?',
    text: 'The current key stops working at once. Make sure you have the backup key.',
    action: 'Activate the backup key',
  });
  if (!isSure) return;
  const wasSession = holdsSession();
  await call('POST', '/v1/auth/keys/activate-backup', { body: {} });
  if (!wasSession) return desk.signOut('The backup key is now the active key. Sign in with it.');
  say('The backup key is now the active key.');
  await desk.refresh();
}

/**
 * @param {string} label
 * @param {string} kind
 * @param {(desk: Desk) => Promise<void>} work
 * @param {Desk} desk
 */
function action(label, kind, work, desk) {
  const button = el('button', { type: 'button', class: `button ${kind}` }, label);
  button.addEventListener('click', () =>
    whileBusy(button, () => work(desk).catch((err) => say(/** @type {Error} */ (err).message))),
  );
  return button;
}

const STATUS = { active: 'Active', backup: 'Backup', revoked: 'Revoked' };

/** @param {any} key */
const row = (key) =>
  el(
    'tr',
    { class: key.status },
    el('th', { scope: 'row', class: 'mono' }, `${key.prefix}…`),
    el('td', {}, el('span', { class: `badge ${key.status}` }, STATUS[/** @type {keyof typeof STATUS} */ (key.status)])),
    el('td', { 'data-label': 'Label' }, key.label ?? '–'),
    el('td', { 'data-label': 'Created' }, time(key.created_at)),
  );

/**
 * @param {Desk} desk
 * @returns {Promise<Node>}
 */
export async function keys(desk) {
  const { keys: all } = await call('GET', '/v1/auth/keys/list');
  const hasBackup = all.some((/** @type {any} */ key) => key.status === 'backup');
  const backup = hasBackup
    ? action('Activate the backup key', '', activateBackup, desk)
    : action('Create a backup key', '', makeBackup, desk);
  return el(
    'div',
    { class: 'view' },
    el('h1', {}, 'Keys'),
    el('p', { class: 'intro' }, 'Each key is shown by its first characters. The service stores only a hash of it.'),
    el('p', { class: 'actions' }, action('Replace the active key', 'primary', rotate, desk), backup),
    el(
      'table',
      { class: 'sheet' },
      el(
        'thead',
        {},
        el('tr', {}, ...['Key', 'Status', 'Label', 'Created'].map((name) => el('th', { scope: 'col' }, name))),
      ),
      el('tbody', {}, ...all.map(row)),
    ),
  );
}
