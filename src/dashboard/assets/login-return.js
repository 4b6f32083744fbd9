/**
 * Brings a person who logs in with a mailed link back to the page that asked for the login. The link opens in another
 * tab, so the way back is kept for the whole browser, for as long as a link works.
 */

const STORED = 'signet.return';

/** Keeps the address of this page. */
export function rememberReturn() {
  localStorage.setItem(STORED, JSON.stringify({ to: location.pathname + location.search, at: Date.now() }));
}
