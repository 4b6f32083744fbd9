import { el, whileBusy } from './dom.js';
import { time } from './format.js';
import { claim, forgetInboxes, inboxOf, mailLink, ownAddresses, readMessage } from './mail-box.js';
import { say } from './notice.js';
import { composer } from './view-compose.js';
import { messageView } from './view-message.js';

/** The addresses, the messages of one of them, and beside the list a message or the form to write one. */

/** @typedef {import('./dashboard.js').Desk} Desk */
/** @typedef {import('./mail-box.js').Filter} Filter */

/** @type {Filter} */
let filter = 'all';

function claimForm() {
  const field = el('input', {
    id: 'claim-name',
    name: 'address',
    required: true,
    maxlength: 254,
    autocapitalize: 'none',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'hello',
  });
  const problem = el('p', { class: 'problem', role: 'alert' });
  const button = el('button', { class: 'button primary' }, 'Claim');
  const form = el(
    'form',
    { class: 'claim' },
    el('label', { for: 'claim-name' }, 'Name of the new address'),
    el('div', { class: 'joined' }, field, button),
    problem,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    problem.textContent = '';
    await whileBusy(button, async () => {
      try {
        const address = await claim(field.value.trim());
        say(`You claimed ${address}.`);
        location.hash = mailLink(address);
      } catch (err) {
        problem.textContent = /** @type {Error} */ (err).message;
      }
    });
  });
  return form;
}

/**
 * @param {string} address
 * @param {any} entry
 * @param {string | undefined} open
 */
function row(address, entry, open) {
  const sender = entry.from_name ?? entry.from;
  const isOpen = entry.message_id === open;
  return el(
    'li',
    { class: entry.read ? 'letter' : 'letter unread' },
    el(
      'a',
      { href: mailLink(address, entry.message_id), 'aria-current': isOpen ? 'true' : null },
      el(
        'span',
        { class: 'letter-from' },
        entry.read ? null : el('span', { class: 'visually-hidden' }, 'Unread: '),
        sender,
      ),
      time(entry.received_at, 'short'),
      el('span', { class: 'letter-subject' }, entry.subject || '(no subject)'),
      el('span', { class: 'letter-snippet' }, entry.e2e_encrypted ? 'Encrypted for the agent' : entry.snippet),
    ),
  );
}

const FILTERS = /** @type {const} */ ([
  ['all', 'Inbox'],
  ['unread', 'Unread'],
  ['archived', 'Archived'],
]);

/** @param {Desk} desk */
function listTools(desk) {
  const pick = (/** @type {Filter} */ wanted) => () => {
    filter = wanted;
    void desk.refresh();
  };
  const again = () => {
    forgetInboxes();
    void desk.refresh();
  };
  return el(
    'div',
    { class: 'list-tools' },
    el(
      'div',
      { class: 'filters', role: 'group', 'aria-label': 'Which messages' },
      ...FILTERS.map(([wanted, name]) =>
        el('button', { type: 'button', 'aria-pressed': String(filter === wanted), onclick: pick(wanted) }, name),
      ),
    ),
    el('button', { type: 'button', class: 'button quiet', onclick: again }, 'Refresh'),
  );
}

/**
 * @param {Desk} desk
 * @param {string} address
 * @param {string | undefined} open id of the message shown beside the list
 */
async function letterList(desk, address, open) {
  const list = el('ul', { class: 'letters' });
  const more = el('button', { type: 'button', class: 'button' }, 'Show older');
  const fill = (/** @type {import('./mail-box.js').Inbox} */ inbox) => {
    list.replaceChildren(...inbox.messages.map((entry) => row(address, entry, open)));
    more.hidden = inbox.next === null;
  };
  more.addEventListener('click', () =>
    whileBusy(more, async () => {
      try {
        fill(await inboxOf(address, filter, { more: true }));
      } catch (err) {
        say(/** @type {Error} */ (err).message);
      }
    }),
  );
  fill(await inboxOf(address, filter));
  const isEmpty = list.childElementCount === 0;
  const nothing = filter === 'all' ? 'No messages yet. Anyone can write to this address.' : 'No messages.';
  return el(
    'section',
    { class: 'list-pane', 'aria-label': `Messages of ${address}` },
    listTools(desk),
    isEmpty ? el('p', { class: 'empty' }, nothing) : list,
    more,
  );
}

/**
 * @param {string[]} addresses
 * @param {string} address
 */
function addressBar(addresses, address) {
  const select = el(
    'select',
    { id: 'address', class: 'mono', 'aria-label': 'Address' },
    ...addresses.map((own) => el('option', { value: own, selected: own === address }, own)),
  );
  select.addEventListener('change', () => {
    location.hash = mailLink(select.value);
  });
  return el(
    'div',
    { class: 'address-bar' },
    select,
    el('a', { class: 'button primary', href: mailLink(address, 'new') }, 'Write'),
    el('details', { class: 'claim-more' }, el('summary', { class: 'button' }, 'Claim another'), claimForm()),
  );
}

function firstAddress() {
  return el(
    'div',
    { class: 'view' },
    el('h1', {}, 'Mail'),
    el(
      'section',
      { class: 'sheet' },
      el('h2', {}, 'Claim an address'),
      el('p', {}, 'Anyone can write to it right away.'),
      claimForm(),
    ),
  );
}

/**
 * @param {string[]} addresses
 * @param {{address: string, id: string | undefined, reply: string | undefined}} at
 * @returns {Promise<Node>}
 */
async function reading(addresses, { address, id, reply }) {
  if (id === undefined) return el('p', { class: 'empty' }, 'Select a message to read it.');
  if (id === 'new') return composer(addresses, address, null);
  const message = await readMessage(address, id);
  return reply === 'reply' ? composer(addresses, address, message) : messageView(address, message);
}

/**
 * @param {Desk} desk
 * @param {string[]} parts address, message id or `new`, and `reply`
 * @returns {Promise<Node>}
 */
export async function mail(desk, [wanted, id, reply]) {
  const addresses = await ownAddresses();
  const address = addresses.find((own) => own === wanted) ?? addresses[0];
  if (address === undefined) return firstAddress();
  // Reads the message first, because that marks it read in the list.
  const pane = await reading(addresses, { address, id, reply });
  const list = await letterList(desk, address, id);
  return el(
    'div',
    { class: id === undefined ? 'view mail' : 'view mail opened' },
    el('h1', {}, 'Mail'),
    addressBar(addresses, address),
    el('div', { class: 'panes' }, list, el('section', { class: 'reading-pane', 'aria-label': 'Message' }, pane)),
  );
}
