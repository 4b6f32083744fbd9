import { call } from './api.js';
import { el, whileBusy } from './dom.js';
import { time, usdc } from './format.js';
import { say } from './notice.js';

/** The event log, newest first. The API lists events from the oldest, so each page goes above the one before. */

const TITLES = {
  'email.received': 'Mail received',
  'email.sent': 'Mail sent',
  'email.failed': 'Mail failed',
  'key.rotated': 'Key replaced',
  'vault.updated': 'Vault changed',
  'payment.settled': 'Payment settled',
  'payment.failed': 'Payment failed',
  'charge.completed': 'Charge recorded',
  'approval.requested': 'Approval requested',
  'approval.resolved': 'Approval decided',
  'budget.limit_reached': 'Cap reached',
  'token.issued': 'Token issued',
  'token.revoked': 'Token revoked',
  'calendar.updated': 'Calendar changed',
};

/** @param {any} data */
const summaryOf = (data) =>
  [
    data.subject,
    data.from && `from ${data.from}`,
    data.to?.length && `to ${data.to.join(', ')}`,
    data.key_prefix,
    data.amount_usdc !== undefined && `${usdc(data.amount_usdc)} USDC`,
    data.category,
    data.status,
    data.period && `${data.period}, ${usdc(data.limit_usdc)} USDC`,
    data.summary,
    data.key,
    data.action,
    data.audience ?? data.jti,
    data.error,
  ]
    .filter((part) => typeof part === 'string' && part !== '')
    .join(' · ');

/** @param {any} event */
const row = (event) =>
  el(
    'li',
    { class: 'entry' },
    el('span', { class: `dot ${event.type.replace('.', '-')}`, 'aria-hidden': 'true' }),
    el(
      'details',
      { class: 'entry-text' },
      el(
        'summary',
        {},
        el('strong', {}, TITLES[/** @type {keyof typeof TITLES} */ (event.type)] ?? event.type),
        el('span', { class: 'fine' }, summaryOf(event.data)),
      ),
      el('pre', { tabindex: 0 }, JSON.stringify({ id: event.id, type: event.type, data: event.data }, null, 2)),
    ),
    time(event.created_at, 'short'),
  );

/** @returns {Promise<Node>} */
export async function events() {
  const list = el('ol', { class: 'entries sheet', reversed: true });
  const later = el('button', { type: 'button', class: 'button quiet' }, 'Load newer events');
  const state = el('p', { class: 'fine' });
  /** @type {string | null} */
  let cursor = null;
  async function load() {
    const page = await call('GET', `/v1/events?limit=200${cursor ? `&after=${encodeURIComponent(cursor)}` : ''}`);
    list.prepend(...page.events.map(row).reverse());
    list.hidden = list.childElementCount === 0;
    cursor = page.next_cursor;
    state.textContent = page.has_more ? 'There are newer events.' : list.hidden ? 'No events yet.' : '';
    return page.count;
  }
  later.addEventListener('click', () =>
    whileBusy(later, async () => {
      try {
        const found = await load();
        say(found === 0 ? 'No new events.' : `${found} new ${found === 1 ? 'event' : 'events'}.`);
      } catch (err) {
        say(/** @type {Error} */ (err).message);
      }
    }),
  );
  await load();
  return el(
    'div',
    { class: 'view' },
    el('div', { class: 'heading' }, el('h1', {}, 'Events'), later),
    el('p', { class: 'intro' }, 'Events of this account in the last 30 days.'),
    state,
    list,
  );
}
