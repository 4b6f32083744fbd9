/** The public API as the pages call it, with the credential of this tab. */

const STORED = 'signet.credential';

/** A refusal, in the API's own words. */
export class ApiFailure extends Error {
  /**
   * @param {number} status 0 when the service was not reached
   * @param {string} code
   * @param {string} message
   */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

// sessionStorage ends with the tab, and no request carries it by itself, as a cookie would.
export const storedCredential = () => sessionStorage.getItem(STORED);

/** @param {string | null} credential */
export function storeCredential(credential) {
  if (credential === null) sessionStorage.removeItem(STORED);
  else sessionStorage.setItem(STORED, credential);
}

/** Whether the credential of this tab is a session, and no key. */
export const holdsSession = () => storedCredential()?.startsWith('session_') ?? false;

/** @type {(quota: {limit: number, remaining: number}) => void} */
let onQuota = () => {};
/** @param {typeof onQuota} listener told after each call what is left of the day's requests */
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
    throw new ApiFailure(0, 'unreachable', 'The service cannot be reached. Is the network there?');
  });
  const remaining = response.headers.get('ratelimit-remaining');
  if (remaining !== null)
    onQuota({ limit: Number(response.headers.get('ratelimit-limit')), remaining: Number(remaining) });
  if (response.ok) return response;
  const failure = await response.json().catch(() => ({}));
  const { error = 'unknown', message = `The service answered ${response.status}.` } = failure;
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
 * Saves what a path answers as a file. A link could not send the credential.
 * @param {string} path
 * @param {string} filename
 */
export async function download(path, filename) {
  const response = await request('GET', path);
  // Never the type the sender chose: nothing from a mail may open as a page of ours.
  const blob = new Blob([await response.arrayBuffer()], { type: 'application/octet-stream' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = filename;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** @returns {string} a new Idempotency-Key; works on plain HTTP too, where `randomUUID` is missing */
export const newIdempotencyKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
