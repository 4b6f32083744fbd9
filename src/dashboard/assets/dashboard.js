import { ApiFailure, call, holdsSession, storeCredential, storedCredential, watchQuota } from './api.js';
import { byId, el, whileBusy } from './dom.js';
import { count } from './format.js';
import { takeReturn } from './login-return.js';
import { forgetMail } from './mail-box.js';
import { confirmed, say } from './notice.js';
import { events } from './view-events.js';
import { keys } from './view-keys.js';
import { mail } from './view-mail.js';
import { outbox } from './view-outbox.js';
import { overview } from './view-overview.js';

/**
 * The dashboard: holds the signed-in account and shows the view that the fragment names (`#/mail/hello%40…/msg_…`). Each
 * view is a function from the parts of its path to a node. A view loads only what it shows, because every call counts
 * against the account's daily requests.
 */

/**
 * @typedef {object} Desk what every view receives
 * @property {any} account the reply of `GET /v1/account/me`
 * @property {() => Promise<void>} refresh shows the current view again
 * @property {(why: string) => void} signOut
 */

/** @type {Record<string, {title: string, show(desk: Desk, parts: string[]): Promise<Node>}>} */
const VIEWS = {
  overview: { title: 'Overview', show: overview },
  mail: { title: 'Mail', show: mail },
  outbox: { title: 'Outbox', show: outbox },
  events: { title: 'Events', show: events },
  keys: { title: 'Keys', show: keys },
};

const main = byId('main', HTMLElement);
/** @type {any} */
let account = null;
/** Increases with each change of view, so that a slow reply does not replace a later view. */
let showing = 0;

/** @param {string} [why] */
function showSignIn(why = '') {
  account = null;
  forgetMail();
  main.replaceChildren();
  byId('desk', HTMLElement).hidden = true;
  byId('sign-in', HTMLElement).hidden = false;
  byId('sign-in-problem', HTMLElement).textContent = why;
  document.title = 'Dashboard · Signet';
}

/** @param {string} why */
function signOut(why) {
  storeCredential(null);
  history.replaceState(null, '', '/dashboard');
  showSignIn(why);
  byId('sign-in-key', HTMLInputElement).focus();
}

/** @returns {{name: string, parts: string[]}} */
function currentView() {
  const [name = '', ...parts] = location.hash.replace(/^#\/?/, '').split('/');
  try {
    return { name: Object.hasOwn(VIEWS, name) ? name : 'overview', parts: parts.map(decodeURIComponent) };
  } catch {
    return { name: 'overview', parts: [] };
  }
}

/** @param {unknown} err */
function problemNode(err) {
  if (err instanceof ApiFailure && err.status === 401) {
    signOut('This key or session is no longer valid.');
    return el('p');
  }
  const message = err instanceof Error ? err.message : 'Something went wrong.';
  return el(
    'div',
    { class: 'empty' },
    el('p', { role: 'alert' }, message),
    el('button', { type: 'button', class: 'button', onclick: () => void refresh() }, 'Try again'),
  );
}

async function refresh() {
  const { name, parts } = currentView();
  const view = /** @type {typeof VIEWS[string]} */ (VIEWS[name]);
  const ticket = ++showing;
  for (const link of document.querySelectorAll('#sections a')) {
    if (link.getAttribute('href') === `#/${name}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  document.title = `${view.title} · Signet`;
  main.setAttribute('aria-busy', 'true');
  const node = await view.show({ account, refresh, signOut }, parts).catch(problemNode);
  if (ticket !== showing) return;
  main.removeAttribute('aria-busy');
  if (account !== null) main.replaceChildren(node);
}

async function enter() {
  account = await call('GET', '/v1/account/me');
  byId('sign-in', HTMLElement).hidden = true;
  byId('desk', HTMLElement).hidden = false;
  await refresh();
}

/**
 * Offers to activate a backup key, which can do nothing else.
 * @param {string} credential
 */
async function offerActivation(credential) {
  const isWanted = await confirmed({
    title: 'This is a backup key',
    text: 'A backup key can only become the active key of its account. The current active key then stops working at once.',
    action: 'Activate this key',
  });
  if (!isWanted) return;
  await call('POST', '/v1/auth/keys/activate-backup', { credential, body: {} });
  await enterWith(credential);
}

/** @param {string} credential */
async function enterWith(credential) {
  storeCredential(credential);
  try {
    await enter();
  } catch (err) {
    storeCredential(null);
    if (err instanceof ApiFailure && err.code === 'backup_key_only_activates') {
      await offerActivation(credential).catch((failure) => showSignIn(failure.message));
    } else {
      const isRefused = err instanceof ApiFailure && err.status === 401;
      showSignIn(isRefused ? 'This key or session is not valid.' : /** @type {Error} */ (err).message);
    }
  }
}

/** Takes a session out of the URL, so that it appears neither in the history nor on screenshots. */
function sessionInFragment() {
  const session = /^#session=(session_[0-9A-Za-z]+)$/.exec(location.hash)?.[1] ?? null;
  if (location.hash.startsWith('#session=')) history.replaceState(null, '', '/dashboard');
  return session;
}

/**
 * @param {string} credential
 * @returns {Promise<any>} the account, null if the credential is not valid
 * @throws {ApiFailure} if the account is unknown
 */
async function accountOf(credential) {
  try {
    return await call('GET', '/v1/account/me', { credential });
  } catch (err) {
    if (err instanceof ApiFailure && err.status === 401) return null;
    throw err;
  }
}

/** @param {any} account The id stands beside the name, because anyone can choose the name of someone else’s account. */
const nameOf = ({ name, id }) => (name ? `${name} (${id})` : id);

/**
 * Chooses between the credential of this tab and the session of a login link. Someone could send a link to their own
 * account, so that the person works there without noticing. So the page asks before it leaves the account.
 * @param {string} held
 * @param {string} offered
 * @returns {Promise<string>} the credential to go on with
 */
async function chooseCredential(held, offered) {
  const [current, linked] = await Promise.all([
    accountOf(held).catch(() => ({ id: 'another account' })),
    accountOf(offered).catch(() => null),
  ]);
  if (linked === null) {
    say('This login link opened no session.');
    return held;
  }
  if (current === null) return offered;
  const isWanted = await confirmed({
    title: 'Replace your login?',
    text: `This tab is logged in to ${nameOf(current)}. The link you opened logs in to ${nameOf(linked)}. Continue only if you asked for this link.`,
    action: `Log in to ${nameOf(linked)}`,
  });
  if (isWanted) return offered;
  call('POST', '/v1/auth/logout', { credential: offered }).catch(() => {});
  return held;
}

async function start() {
  const [held, offered] = [storedCredential(), sessionInFragment()];
  const isChoice = held !== null && offered !== null && held !== offered;
  const credential = isChoice ? await chooseCredential(held, offered) : (offered ?? held);
  // The link was asked for by a page that waits for it.
  const back = offered !== null && credential === offered ? takeReturn() : null;
  if (back !== null) {
    storeCredential(credential);
    location.replace(back);
  } else if (credential === null) showSignIn();
  else await enterWith(credential);
}

byId('sign-in-form', HTMLFormElement).addEventListener('submit', async (event) => {
  event.preventDefault();
  const field = byId('sign-in-key', HTMLInputElement);
  const credential = field.value.trim();
  await whileBusy(byId('sign-in-open', HTMLButtonElement), async () => {
    byId('sign-in-problem', HTMLElement).textContent = '';
    await enterWith(credential);
  });
  field.value = '';
});

byId('sign-out', HTMLButtonElement).addEventListener('click', () => {
  // Signing out also works without the service. A session that it cannot end now expires within a day.
  if (holdsSession()) call('POST', '/v1/auth/logout').catch(() => {});
  signOut('');
  say('Signed out in this tab.');
});

byId('skip', HTMLAnchorElement).addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});

globalThis.addEventListener('hashchange', async () => {
  if (location.hash.startsWith('#session=')) return start();
  if (account === null) return;
  await refresh();
  // Moving the focus announces the change of view to screen readers, as a page load would.
  const first = main.querySelector('[data-focus]');
  (first instanceof HTMLElement ? first : main).focus({ preventScroll: true });
  scrollTo(0, 0);
});

watchQuota(({ limit, remaining }) => {
  byId('quota', HTMLElement).textContent = `${count(remaining)} of ${count(limit)} requests left today`;
});

await start();
