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
export const storedCredential = () => sessionStorage.getItem(STORED);

/** @param {string | null} credential */
export function storeCredential(credential) {
  if (credential === null) sessionStorage.removeItem(STORED);
  else sessionStorage.setItem(STORED, credential);
}

/** Whether the credential of this tab is a session rather than a key. */
export const holdsSession = () => storedCredential()?.startsWith('session_') ?? false;

/** @type {(quota: {limit: number, remaining: number}) => void} */
let onQuota = () => {};
/** @param {typeof onQuota} listener called after each request with the remaining requests of the day */
export function watchQuota(listener) {
  onQuota = listener;
}

/**
 * @param {string} method
 * @param {string} path
 * @param {{body?: unknown, credential?: string | null, headers?: Record<string, string>}} [options]
 * @returns {Promise<Response>}
 * @throws {ApiFailure}
 */
async function request(method, path, options = {}) {
  const { body, credential = storedCredential(), headers = {} } = options;
  const response = await fetch(path, {
    method,
    redirect: 'error',
    credentials: 'omit',
    headers: {
      ...(credential === null ? {} : { authorization: `Bearer ${credential}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new ApiFailure(0, 'unreachable', 'Could not reach the service. Check your network connection.');
  });
  const remaining = response.headers.get('ratelimit-remaining');
  if (remaining !== null)
    onQuota({ limit: Number(response.headers.get('ratelimit-limit')), remaining: Number(remaining) });
  if (response.ok) return response;
  const failure = await response.json().catch(() => ({}));
  const { error = 'unknown', message = `The service returned status ${response.status}.` } = failure;
  throw new ApiFailure(response.status, error, message);
}

/**
 * Calls the API.
 * @param {string} method
 * @param {string} path
 * @param {Parameters<typeof request>[2]} [options]
 * @returns {Promise<any>} the body of a 2xx reply
 * @throws {ApiFailure}
 */
export async function call(method, path, options) {
  const response = await request(method, path, options);
  return response.json();
}

/**
 * Saves the reply of a path as a file. A plain link could not send the credential.
 * @param {string} path
 * @param {string} filename
 */
export async function download(path, filename) {
  const response = await request('GET', path);
  // Never the sender's type: an attachment must not open as a page of this origin.
  const blob = new Blob([await response.arrayBuffer()], { type: 'application/octet-stream' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = filename;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** @returns {string} a new Idempotency-Key; also works on plain HTTP, where `randomUUID` is missing */
export const newIdempotencyKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
