import { ApiFailure, call, holdsSession, storeCredential } from './api.js';
import { byId, el, whileBusy } from './dom.js';
import { rememberReturn } from './login-return.js';
import { hasPasskeys, passkeySession } from './passkey.js';

/**
 * The page on which a person lets an application act for an agent: `/oauth/authorize?client_id=…`.
 *
 * The session is in this tab and goes out in a header, never in a cookie, so no other site can decide in the person's
 * name. Opening the page decides nothing.
 */

const request = byId('request', HTMLInputElement).value;
const problem = byId('problem', HTMLElement);

/** @param {'login' | 'form'} shown */
function show(shown) {
  for (const id of ['login', 'form']) byId(id, HTMLElement).hidden = id !== shown;
}

/** @param {string} why */
function askToLogIn(why = '') {
  show('login');
  problem.textContent = why;
  byId('with-passkey', HTMLElement).hidden = !hasPasskeys();
}

/** The accounts that this session may let an application act for, with the names that agents gave themselves. */
async function accounts() {
  const own = await call('GET', '/v1/account/me');
  const found = new Map([[own.account_id, own.name ?? own.addresses?.[0] ?? null]]);
  let cursor = '';
  do {
    const page = await call('GET', `/v1/operator/agents?limit=50${cursor}`);
    for (const { account_id: id, name, addresses } of page.agents) found.set(id, name ?? addresses[0] ?? null);
    cursor = page.next_cursor === null ? '' : `&cursor=${encodeURIComponent(page.next_cursor)}`;
  } while (cursor !== '');
  return found;
}

async function askForDecision() {
  if (!holdsSession()) {
    askToLogIn();
    return;
  }
  try {
    const options = [...(await accounts())].map(([id, name]) =>
      el('option', { value: id }, name === null ? id : `${name} (${id})`),
    );
    byId('account', HTMLSelectElement).replaceChildren(...options);
    show('form');
    problem.textContent = '';
    byId('asking-title', HTMLElement).focus();
  } catch (err) {
    if (!(err instanceof ApiFailure)) throw err;
    if (err.status === 401) storeCredential(null);
    askToLogIn(err.status === 401 ? 'Your login has ended. Log in again.' : err.message);
  }
}

/** @returns {string[]} */
const chosenScopes = () =>
  [...document.querySelectorAll('input[name="scope"]:checked')].map(
    (box) => /** @type {HTMLInputElement} */ (box).value,
  );

/** @param {'allow' | 'deny'} decision */
async function decide(decision) {
  problem.textContent = '';
  const scopes = chosenScopes();
  if (decision === 'allow' && scopes.length === 0) {
    problem.textContent = 'Choose at least one thing that it may do, or deny.';
    return;
  }
  const account = byId('account', HTMLSelectElement).value;
  const body = { request, decision, account_id: account, ...(decision === 'allow' ? { scopes } : {}) };
  try {
    const { redirect_to: to } = await call('POST', '/oauth/consent', { body });
    location.replace(to);
  } catch (err) {
    if (!(err instanceof ApiFailure)) throw err;
    if (err.status === 401) askToLogIn('Your login has ended. Log in again.');
    else problem.textContent = err.message;
  }
}

for (const decision of /** @type {const} */ (['allow', 'deny'])) {
  const button = byId(decision, HTMLButtonElement);
  button.addEventListener('click', () => void whileBusy(button, () => decide(decision)));
}

byId('form', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault());

byId('login', HTMLFormElement).addEventListener('submit', async (event) => {
  event.preventDefault();
  problem.textContent = '';
  const email = byId('email', HTMLInputElement).value.trim();
  await whileBusy(byId('send', HTMLButtonElement), async () => {
    try {
      await call('POST', '/v1/auth/login', { body: { email }, credential: null });
      rememberReturn();
      byId('asking', HTMLElement).hidden = true;
      byId('sent', HTMLElement).hidden = false;
      byId('sent-title', HTMLElement).focus();
    } catch (err) {
      problem.textContent = /** @type {Error} */ (err).message;
    }
  });
});

byId('passkey', HTMLButtonElement).addEventListener('click', (event) => {
  problem.textContent = '';
  void whileBusy(/** @type {HTMLButtonElement} */ (event.currentTarget), async () => {
    try {
      const { session } = await passkeySession();
      storeCredential(session);
      await askForDecision();
    } catch (err) {
      problem.textContent = /** @type {Error} */ (err).message;
    }
  });
});

byId('other', HTMLButtonElement).addEventListener('click', () => {
  storeCredential(null);
  askToLogIn();
});

void askForDecision();
