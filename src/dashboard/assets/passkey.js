import { call } from './api.js';

/** Passkeys as browsers offer them (WebAuthn level 3), between the options of the API and its replies. */

const TOO_OLD = 'This browser cannot use passkeys here. Update it, or log in by email.';

/** Whether this browser can use passkeys on this page. It cannot on plain HTTP, except on localhost. */
export const hasPasskeys = () => typeof globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function';

/**
 * Runs the prompt of the browser.
 * @param {() => Promise<Credential | null>} prompt
 * @returns {Promise<any>} the JSON for the API
 * @throws {Error} with a text for people
 */
async function answer(prompt) {
  if (!hasPasskeys()) throw new Error(TOO_OLD);
  const credential = await prompt().catch(() => {
    throw new Error('No passkey was used. Try again, or log in by email.');
  });
  if (!(credential instanceof PublicKeyCredential)) throw new Error(TOO_OLD);
  return credential.toJSON();
}

/**
 * Logs in with a passkey.
 * @param {string} [accountId] the account to act for
 * @returns {Promise<{session: string, account_id: string}>}
 */
export async function passkeySession(accountId) {
  if (!hasPasskeys()) throw new Error(TOO_OLD);
  const options = await call('POST', '/v1/auth/passkey/options', { body: {}, credential: null });
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const proof = await answer(() => navigator.credentials.get({ publicKey }));
  const body = { ...proof, ...(accountId === undefined ? {} : { account_id: accountId }) };
  return call('POST', '/v1/auth/passkey', { body, credential: null });
}
