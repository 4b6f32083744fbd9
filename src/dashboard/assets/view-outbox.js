import { call } from './api.js';
import { el, whileBusy } from './dom.js';
import { time } from './format.js';
import { say } from './notice.js';

/** The mail that the account sent, and its delivery status. */

const STATUS = { pending: 'Waiting', sent: 'Sent', failed: 'Failed' };

/** @param {any} entry */
const row = (entry) =>
  el(
    'li',
    { class: 'entry' },
    el('span', { class: `badge ${entry.status}` }, STATUS[/** @type {keyof typeof STATUS} */ (entry.status)]),
    el(
      'div',
      { class: 'entry-text' },
      el('strong', {}, entry.subject || '(no subject)'),
      el('span', { class: 'fine' }, `${entry.from} to ${entry.to.join(', ')}`),
      entry.error ? el('span', { class: 'problem' }, entry.error) : null,
    ),
    time(entry.sent_at ?? entry.queued_at, 'short'),
  );

/**
 * @param {import('./dashboard.js').Desk} desk
 * @returns {Promise<Node>}
 */
export async function outbox(desk) {
  const list = el('ol', { class: 'entries sheet' });
  const more = el('button', { type: 'button', class: 'button' }, 'Show older');
  /** @type {string | null} */
  let cursor = null;
  async function load() {
    const page = await call('GET', `/v1/email/outbox?limit=50${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`);
    list.append(...page.messages.map(row));
    cursor = page.next_cursor;
    more.hidden = cursor === null;
  }
  more.addEventListener('click', () => whileBusy(more, () => load().catch((err) => say(err.message))));
  await load();
  const nothing = el(
    'div',
    { class: 'empty' },
    el('p', {}, 'No messages sent yet.'),
    el('a', { class: 'button', href: '#/mail' }, 'Go to mail'),
  );
  return el(
    'div',
    { class: 'view' },
    el(
      'div',
      { class: 'heading' },
      el('h1', {}, 'Outbox'),
      el('button', { type: 'button', class: 'button quiet', onclick: () => void desk.refresh() }, 'Refresh'),
    ),
    list.childElementCount > 0 ? list : nothing,
    more,
  );
}
