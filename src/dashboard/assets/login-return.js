/**
 * Brings a person who logs in with a mailed link back to the page that asked for the login. The link opens in another
 * tab, so the way back is kept for the whole browser, for as long as a link works.
 */

const STORED = 'signet.return';
const KEPT_MS = 900_000;
/** The only page that a login leads back to. */
const PATH = '/oauth/authorize?';

/** Keeps the address of this page. */
export function rememberReturn() {
  localStorage.setItem(STORED, JSON.stringify({ to: location.pathname + location.search, at: Date.now() }));
}

/**
 * Takes the address that was kept last. It works once.
 * @returns {string | null} a path of this service
 */
export function takeReturn() {
  const stored = localStorage.getItem(STORED);
  localStorage.removeItem(STORED);
  if (stored === null) return null;
  try {
    const { to, at } = JSON.parse(stored);
    return typeof to === 'string' && to.startsWith(PATH) && Date.now() - at < KEPT_MS ? to : null;
  } catch {
    return null;
  }
}
