import { ApiFailure, call } from './api.js';
import { byId, el, whileBusy } from './dom.js';
import { counted } from './format.js';
import { copyFrom, say } from './notice.js';

/**
 * The page that recovery links open: `/recover#token=…`.
 *
 * A mail scanner that fetches the link gets this page and never sends the fragment. A scanner that automates a browser
 * does not press the button. Only that press uses the link, because the recovered data is shown once.
 */

/**
 * @typedef {{entries: object[], legacy_entries: {vault_id: string, encrypted_seed: string, created_at: string}[],
 *   account_entries: {account_id: string, encrypted_seed: string}[]}} Recovered
 */

const sections = ['opening', 'found', 'asking', 'sent'];

/** @param {string} shown */
function show(shown) {
  for (const id of sections) byId(id, HTMLElement).hidden = id !== shown;
}

/**
 * Fetches all pages. Data that does not fit one reply comes with a further token, which works once. `keep` receives each
 * page as it arrives, so that a failure loses no earlier page.
 * @param {string} token
 * @param {(found: Recovered) => void} keep
 */
async function fetchAll(token, keep) {
  for (let next = token; next; ) {
    const path = `/v1/vault/recover/verify?token=${encodeURIComponent(next)}`;
    const found = await call('GET', path, { credential: null });
    keep(found);
    next = found.next_token;
  }
}

/**
 * @param {string} title
 * @param {string} sealed
 */
function seedView(title, sealed) {
  const area = el('textarea', { readonly: true, rows: 4, 'aria-label': title, spellcheck: 'false' }, sealed);
  const copy = () => {
    area.select();
    void copyFrom(area);
  };
  const button = el('button', { type: 'button', class: 'button', onclick: copy }, 'Copy');
  return el('div', { class: 'sealed-seed' }, el('h2', {}, title), area, button);
}

/** @param {Recovered} found */
function render(found) {
  const { entries, legacy_entries: loose, account_entries: accounts } = found;
  byId('counts', HTMLElement).textContent =
    `${counted(accounts.length + loose.length, 'sealed seed', 'sealed seeds')}, ${counted(entries.length, 'sealed entry', 'sealed entries')}`;
  byId('seeds', HTMLElement).replaceChildren(
    ...accounts.map(({ account_id, encrypted_seed }) => seedView(`Seed of ${account_id}`, encrypted_seed)),
    ...loose.map(({ vault_id, encrypted_seed, created_at }) =>
      seedView(`Seed ${vault_id}, stored ${created_at.slice(0, 10)}`, encrypted_seed),
    ),
  );
  byId('save', HTMLButtonElement).onclick = () => {
    const blob = new Blob([JSON.stringify(found, null, 2)], { type: 'application/json' });
    const link = el('a', { href: URL.createObjectURL(blob), download: 'signet-recovery.json' });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  };
  show('found');
}

/** @param {string} token */
async function open(token) {
  /** @type {Recovered} */
  const all = { entries: [], legacy_entries: [], account_entries: [] };
  let isBegun = false;
  try {
    await fetchAll(token, ({ entries, legacy_entries, account_entries }) => {
      isBegun = true;
      // The token is used. Coming back to this address must not offer it again.
      history.replaceState(null, '', '/recover#used');
      all.entries.push(...entries);
      all.legacy_entries.push(...legacy_entries);
      all.account_entries.push(...account_entries);
    });
  } catch (err) {
    if (!isBegun && err instanceof ApiFailure && err.code === 'invalid_token') return askAgain();
    if (!isBegun) {
      byId('opening-problem', HTMLElement).textContent = /** @type {Error} */ (err).message;
      return;
    }
    say('Some data is missing. Save this part, then request another link.');
  }
  render(all);
  byId('found-title', HTMLElement).focus();
}

/** @param {string} [title] @param {string} [why] */
function askForAddress(title, why) {
  show('asking');
  if (title) byId('asking-title', HTMLElement).textContent = title;
  if (why) byId('asking-why', HTMLElement).textContent = why;
}

const askAgain = () =>
  askForAddress(
    'This link no longer works',
    'Recovery links work once and expire soon. This one was used, has expired, or was cut off by your email app. Request a new one.',
  );

function route() {
  const token = /^#token=([0-9A-Za-z]{1,256})$/.exec(location.hash)?.[1];
  if (token) {
    show('opening');
    const button = byId('open', HTMLButtonElement);
    button.onclick = () => void whileBusy(button, () => open(token));
  } else if (location.hash.startsWith('#token')) askAgain();
  // Recovered data stays on the page when only its address changes.
  else if (location.hash === '#used') {
    if (byId('found', HTMLElement).hidden) askAgain();
  } else askForAddress();
}

byId('form', HTMLFormElement).addEventListener('submit', async (event) => {
  event.preventDefault();
  const email = byId('email', HTMLInputElement).value.trim();
  const problem = byId('problem', HTMLElement);
  problem.textContent = '';
  await whileBusy(byId('send', HTMLButtonElement), async () => {
    try {
      await call('POST', '/v1/vault/recover', { body: { email }, credential: null });
      byId('sent-to', HTMLElement).textContent = email;
      show('sent');
      byId('sent-title', HTMLElement).focus();
      say('If a vault is stored for this address, an email with a link is on its way.');
    } catch (err) {
      problem.textContent = /** @type {Error} */ (err).message;
    }
  });
});

globalThis.addEventListener('hashchange', route);
route();
