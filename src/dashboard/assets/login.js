import { call } from './api.js';
import { byId, whileBusy } from './dom.js';
import { say } from './notice.js';
import { hasPasskeys, passkeySession } from './passkey.js';

/**
 * The page that login links open: `/login#token=…`.
 *
 * A mail scanner that fetches the link gets this page and never sends the fragment, so only this script uses the token.
 * It must do so by a navigation: the reply redirects to `/dashboard#session=…`, and `fetch` hides the fragment of a
 * redirect (Fetch, 5.5: `url` excludes it), so the session would be lost.
 *
 * A used or expired link returns 400 as JSON. The address of this page becomes `/login#used` before it navigates, so that
 * going back explains how to get another link.
 */

const AUTOMATIC_MS = 600;
const sections = ['opening', 'asking', 'sent'];

/** @param {string} shown */
function show(shown) {
  for (const id of sections) byId(id, HTMLElement).hidden = id !== shown;
}

/** @param {string} token */
function useLink(token) {
  history.replaceState(null, '', '/login#used');
  location.assign(`/v1/auth/verify?token=${encodeURIComponent(token)}`);
}

/** @param {string} token */
function openWith(token) {
  show('opening');
  byId('continue', HTMLButtonElement).addEventListener('click', () => useLink(token));
  // Some scanners open links in an automated browser. Automated or hidden pages must press the button.
  const isWatched = () => document.visibilityState === 'visible' && !navigator.webdriver;
  setTimeout(() => isWatched() && location.hash.includes(token) && useLink(token), AUTOMATIC_MS);
}

/** @param {string} [title] @param {string} [why] */
function askForAddress(title, why) {
  show('asking');
  if (title) byId('asking-title', HTMLElement).textContent = title;
  if (why) byId('asking-why', HTMLElement).textContent = why;
}

function route() {
  const token = /^#token=([0-9A-Za-z]{1,256})$/.exec(location.hash)?.[1];
  if (token) openWith(token);
  else if (location.hash === '#used' || location.hash.startsWith('#token')) {
    askForAddress(
      'This link no longer works',
      'Login links work once and expire soon. This one was used, has expired, or was cut off by your email app. Request a new one.',
    );
  } else askForAddress();
}

byId('form', HTMLFormElement).addEventListener('submit', async (event) => {
  event.preventDefault();
  const email = byId('email', HTMLInputElement).value.trim();
  const problem = byId('problem', HTMLElement);
  problem.textContent = '';
  await whileBusy(byId('send', HTMLButtonElement), async () => {
    try {
      await call('POST', '/v1/auth/login', { body: { email }, credential: null });
      byId('sent-to', HTMLElement).textContent = email;
      show('sent');
      byId('sent-title', HTMLElement).focus();
      say('If the address belongs to an account, an email with a link is on its way.');
    } catch (err) {
      problem.textContent = /** @type {Error} */ (err).message;
    }
  });
});

byId('with-passkey', HTMLElement).hidden = !hasPasskeys();
byId('passkey', HTMLButtonElement).addEventListener('click', (event) => {
  const problem = byId('problem', HTMLElement);
  problem.textContent = '';
  void whileBusy(/** @type {HTMLButtonElement} */ (event.currentTarget), async () => {
    try {
      const { session } = await passkeySession();
      // As a login link does, so that the dashboard asks before it replaces a login.
      location.assign(`/dashboard#session=${session}`);
    } catch (err) {
      problem.textContent = /** @type {Error} */ (err).message;
    }
  });
});

byId('again', HTMLButtonElement).addEventListener('click', () => {
  askForAddress();
  byId('email', HTMLInputElement).focus();
});

// Going back may restore the page from the cache without running its script again.
globalThis.addEventListener('pageshow', (event) => event.persisted && route());
globalThis.addEventListener('hashchange', route);
route();
