import { systemNow } from '../../../client/client-clock.ts';

/**
 * The credential of this browser: an API key or a session. It is kept for this tab. Only a person who asks for it keeps
 * a key on the device. Neither is a cookie, so no other site can use it.
 */

const STORED = 'signet.credential';
const RETURN = 'signet.return';
/** As long as a login link works. */
const RETURN_KEPT_MS = 900_000;
/** The only page that a login leads back to. */
const RETURN_PATH = '/oauth/authorize?';

/** @returns the credential of this tab, else the one that this device remembers */
export const storedCredential = (): string | null => sessionStorage.getItem(STORED) ?? localStorage.getItem(STORED);

/** @param remember whether it outlives this tab; sessions never do */
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

export const isSession = (credential: string | null): credential is string =>
  credential?.startsWith('session_') ?? false;

/** Keeps the address of this page. */
export const rememberReturn = (): void =>
  localStorage.setItem(RETURN, JSON.stringify({ to: location.pathname + location.search, at: systemNow() }));

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
    return typeof to === 'string' && to.startsWith(RETURN_PATH) && systemNow() - at < RETURN_KEPT_MS ? to : null;
  } catch {
    return null;
  }
}
