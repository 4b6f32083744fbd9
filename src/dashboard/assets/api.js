/** The public API as the pages call it, with the credential of this tab. */

const STORED = 'signet.credential';

/** An error reply of the API, with its code and message. */
export class ApiFailure extends Error {
  /**
   * @param {number} status 0 when the service could not be reached
   * @param {string} code
   * @param {string} message
   */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

// sessionStorage ends with the tab and, unlike a cookie, is never sent automatically.
const storedCredential = () => sessionStorage.getItem(STORED);

/** @param {string | null} credential */
export function storeCredential(credential) {
  if (credential === null) sessionStorage.removeItem(STORED);
  else sessionStorage.setItem(STORED, credential);
}

/** Whether the credential of this tab is a session rather than a key. */
export const holdsSession = () => storedCredential()?.startsWith('session_') ?? false;

/**
 * Calls the API.
 * @param {string} method
 * @param {string} path
 * @param {{body?: unknown, credential?: string | null}} [options]
 * @returns {Promise<any>} the body of a 2xx reply
 * @throws {ApiFailure}
 */
export async function call(method, path, { body, credential = storedCredential() } = {}) {
  const response = await fetch(path, {
    method,
    redirect: 'error',
    credentials: 'omit',
    headers: {
      ...(credential === null ? {} : { authorization: `Bearer ${credential}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new ApiFailure(0, 'unreachable', 'Could not reach the service. Check your network connection.');
  });
  if (response.ok) return response.json();
  const failure = await response.json().catch(() => ({}));
  const { error = 'unknown', message = `The service returned status ${response.status}.` } = failure;
  throw new ApiFailure(response.status, error, message);
}
