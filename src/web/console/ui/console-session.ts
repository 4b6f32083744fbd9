import { systemNow } from '../../../client/client-clock.ts';

/**
 * The credential of this browser: the session of a person, one that a key opened, or a named key. It is kept for this tab.
 * Only who asks for it keeps a key, or its session, on the device. None is a cookie, so no other site can use it.
 */

const STORED = 'signet.credential';
const RETURN = 'signet.return';
/** As long as a login link works. */
const RETURN_KEPT_MS = 900_000;
/** The only pages that a login leads back to. */
const RETURNS = /^\/(oauth\/authorize\?|device$|console\/try\?operation=\w+$)/;

/** @returns the credential of this tab, else the one that this device remembers */
export const storedCredential = (): string | null => sessionStorage.getItem(STORED) ?? localStorage.getItem(STORED);

/** @param remember whether it outlives this tab; a person's session never does */
export function storeCredential(credential: string, remember = false): void {
  sessionStorage.setItem(STORED, credential);
  if (remember) localStorage.setItem(STORED, credential);
}

/** Forgets a credential in this tab and on this device. The device may remember another one, which stays. */
export function forgetCredential(credential: string): void {
  for (const kept of [sessionStorage, localStorage]) if (kept.getItem(STORED) === credential) kept.removeItem(STORED);
}

/** Replaces a key wherever it is kept, after it was rotated. */
export function replaceCredential(former: string, credential: string): void {
  storeCredential(credential, localStorage.getItem(STORED) === former);
}

/** Whether it is an open session: of a person, or of a key. */
export const isOpened = (credential: string): boolean => credential.startsWith('session_');

/** Whether it is the session of a person. One that a key opened is longer. */
export const isSession = (credential: string | null): credential is string =>
  credential !== null && isOpened(credential) && !/^session_key.{32}$/.test(credential);

/** Keeps the address of this page. @param to another one, of those that a login leads back to */
export const rememberReturn = (to = location.pathname + location.search): void =>
  localStorage.setItem(RETURN, JSON.stringify({ to, at: systemNow() }));

/**
 * Takes the address that a page kept before it sent the person to log in. It works once: the link opens in another tab,
 * so the way back is kept for the whole browser.
 * @returns a path of this service
 */
export function takeReturn(): string | null {
  const stored = localStorage.getItem(RETURN);
  localStorage.removeItem(RETURN);
  if (stored === null) return null;
  try {
    const { to, at } = JSON.parse(stored);
    return typeof to === 'string' && RETURNS.test(to) && systemNow() - at < RETURN_KEPT_MS ? to : null;
  } catch {
    return null;
  }
}
