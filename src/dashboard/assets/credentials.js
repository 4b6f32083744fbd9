import { ApiFailure, call, holdsSession, storedCredential } from './api.js';
import { credentialFingerprint } from './credential-fingerprint.js';
import { byId, el, whileBusy } from './dom.js';
import { time } from './format.js';
import { say } from './notice.js';
import { sealValue } from './sealing.js';

/**
 * The page that an agent sends its operator to: `/credentials`, with or without `#code=…`. The mail to the operator links
 * to it with `#token=…`. The page shows a request only with the code and a proof: the mailed token, or an operator
 * session in this tab. Opening the page uses nothing up.
 */

const sections = ['asking', 'sent', 'deciding', 'done'];

/** @param {string} shown */
function show(shown) {
  for (const id of sections) byId(id, HTMLElement).hidden = id !== shown;
  byId(`${shown}-title`, HTMLElement).focus();
}

/** @param {string} title @param {string} why */
function end(title, why) {
  byId('done-title', HTMLElement).textContent = title;
  byId('done-why', HTMLElement).textContent = why;
  byId('value', HTMLTextAreaElement).value = '';
  show('done');
}

/** True once the session of this tab turned out not to be an operator's. It is not tried again. */
let sessionRefused = false;

/** @returns {{token: string} | {session: string} | null} the proof that this is the operator */
function proof() {
  const token = /^#token=([0-9A-Za-z]{1,64})$/.exec(location.hash)?.[1];
  if (token) return { token };
  const session = holdsSession() && !sessionRefused ? storedCredential() : null;
  return session === null ? null : { session };
}

/** @param {unknown} err @param {string} place id of the element that shows the problem */
function fail(err, place) {
  if (!(err instanceof Error)) throw err;
  const code = err instanceof ApiFailure ? err.code : '';
  if (code === 'expired') end('Expired', 'This request has expired. Ask the agent to request it again.');
  else if (code === 'already_resolved') end('Already decided', err.message);
  else if (code === 'invalid_token')
    end(
      'This link is not valid',
      'Your email app may have cut it off, or it has expired. Ask the agent to request it again.',
    );
  else byId(place, HTMLElement).textContent = err.message;
}

/** @type {{user_code: string, request_id: string, public_key: string | null} | null} */
let request = null;

/**
 * @param {string | null} publicKey
 * @returns {Promise<string | null>} null without a key, and on plain HTTP, where browsers can neither hash nor seal
 */
const fingerprintOf = async (publicKey) =>
  publicKey === null || !crypto.subtle ? null : credentialFingerprint(publicKey);

/** @param {string} userCode @param {any} view */
async function showRequest(userCode, view) {
  request = { user_code: userCode, request_id: view.request_id, public_key: view.public_key };
  const { agent } = view;
  const fingerprint = await fingerprintOf(view.public_key);
  byId('compare', HTMLElement).hidden = fingerprint === null;
  /** @type {[string, string | Node | null][]} */
  const details = [
    ['Agent', agent.name ? `${agent.name} (${agent.account_id})` : agent.account_id],
    ['Address', agent.address],
    ['Request', view.description],
    ['Stores it as', view.vault_key],
    ['Key of the agent', fingerprint && el('code', { id: 'fingerprint' }, fingerprint)],
    ['Requested', time(view.created_at)],
    ['Expires', time(view.expires_at)],
  ];
  byId('details', HTMLElement).replaceChildren(
    ...details.flatMap(([name, value]) => (value === null ? [] : [el('dt', {}, name), el('dd', {}, value)])),
  );
  byId('sealing', HTMLElement).textContent = view.public_key
    ? 'Your browser seals it so that only the agent can open it. This service never sees it.'
    : 'This service stores it encrypted, and decrypts it once to hand it to the agent.';
  show('deciding');
}

/** @param {string} userCode */
async function submitCode(userCode) {
  const shown = proof();
  if (shown === null) {
    await call('POST', '/v1/credentials/verify-email', { body: { user_code: userCode }, credential: null });
    show('sent');
    return;
  }
  try {
    const body = { user_code: userCode, ...shown };
    await showRequest(userCode, await call('POST', '/v1/credentials/view', { body, credential: null }));
  } catch (err) {
    if (!('session' in shown && err instanceof ApiFailure && ['operator_required', 'invalid_token'].includes(err.code)))
      throw err;
    sessionRefused = true;
    await submitCode(userCode);
  }
}

/** @param {'approve' | 'deny'} decision */
async function decide(decision) {
  const shown = proof();
  if (request === null || shown === null) return;
  const { user_code, request_id, public_key } = request;
  const value = byId('value', HTMLTextAreaElement).value;
  if (decision === 'approve' && value === '') throw new Error('Enter a credential, or press Refuse.');
  /** @type {Record<string, string>} */
  let given = {};
  if (decision === 'approve')
    given =
      public_key === null
        ? { credential_value: value }
        : { sealed_value: await sealValue(public_key, request_id, value) };
  const body = { user_code, ...shown, decision, ...given };
  const { status } = await call('POST', '/v1/credentials/approve', { body, credential: null });
  if (status === 'approved')
    end('Credential given', 'The agent receives it with its next request. You can close this page.');
  else end('Refused', 'The agent learns that you refused and receives nothing. You can close this page.');
  say(status === 'approved' ? 'The credential is on its way to the agent.' : 'Refused.');
}

function route() {
  request = null;
  const code = /^#code=([A-Za-z-]{1,16})$/.exec(location.hash)?.[1];
  if (code) byId('code', HTMLInputElement).value = code;
  byId('asking-why', HTMLElement).textContent =
    proof() === null
      ? 'Enter the code that the agent shows you. We then email you a link to confirm that you are its operator.'
      : 'Enter the code that the agent shows you to see its request. Five wrong codes end the request.';
  show('asking');
}

/** @param {string} button @param {string} problem @param {() => Promise<void>} work */
const attempt = (button, problem, work) =>
  whileBusy(byId(button, HTMLButtonElement), async () => {
    byId(problem, HTMLElement).textContent = '';
    try {
      await work();
    } catch (err) {
      fail(err, problem);
    }
  });

byId('code-form', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  const userCode = byId('code', HTMLInputElement).value.trim();
  void attempt('code-send', 'code-problem', () => submitCode(userCode));
});
byId('value-form', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  void attempt('give', 'value-problem', () => decide('approve'));
});
byId('deny', HTMLButtonElement).addEventListener('click', () => {
  void attempt('deny', 'value-problem', () => decide('deny'));
});
byId('again', HTMLButtonElement).addEventListener('click', route);
globalThis.addEventListener('hashchange', route);
route();
