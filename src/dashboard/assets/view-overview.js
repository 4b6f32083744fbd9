import { call, holdsSession } from './api.js';
import { el } from './dom.js';
import { count, time } from './format.js';
import { drawSeal } from './seal.js';
import { passkeys } from './view-passkeys.js';

/** The account and its use of today's limits. */

/** @param {any} account */
function identity(account) {
  const monogram = [...(account.name || account.id.slice(-1))][0]?.toUpperCase() ?? 'S';
  const legend = `${account.id.toUpperCase()} · `;
  return el(
    'section',
    { class: 'identity', 'aria-label': 'Account' },
    el('div', { class: 'identity-seal' }, drawSeal(account.id, legend, monogram)),
    el(
      'div',
      {},
      el('h1', {}, account.name || 'Unnamed agent'),
      el('p', { class: 'mono id' }, account.id),
      el(
        'p',
        { class: 'fine' },
        el('span', { class: 'badge' }, account.tier === 'paid' ? 'Paid tier' : 'Free tier'),
        ' since ',
        time(account.created_at),
      ),
    ),
  );
}

/**
 * @param {string} label
 * @param {number} used
 * @param {number} limit
 * @param {Node | string} foot
 */
function bar(label, used, limit, foot) {
  const isNear = used >= limit * 0.9;
  const id = `bar-${label.toLowerCase()}`;
  return el(
    'div',
    { class: isNear ? 'usage near' : 'usage' },
    el(
      'p',
      { class: 'usage-label' },
      el('span', { id }, label),
      el('span', { class: 'figures' }, el('strong', {}, count(used)), ` of ${count(limit)}`),
    ),
    el('progress', { max: Math.max(limit, 1), value: Math.min(used, limit), 'aria-labelledby': id }),
    el('p', { class: 'fine' }, foot),
  );
}

/** @param {any} used */
function usage(used) {
  const { requests, emails } = used;
  const resets = el('span', {}, 'Resets ', time(emails.reset_at));
  return el(
    'section',
    { class: 'sheet', 'aria-labelledby': 'usage' },
    el('h2', { id: 'usage' }, 'Used today'),
    bar('Requests', requests.used, requests.limit, resets),
    bar(
      'Emails',
      emails.daily_used,
      emails.daily_limit,
      `${count(emails.hourly_remaining)} of ${count(emails.hourly_limit)} left this hour`,
    ),
  );
}

/** @param {any} account */
function accountDetails(account) {
  const rows = [
    ['Signed in with', holdsSession() ? 'a session' : `${account.key_prefix}…`],
    ['Recovery address', account.recovery_email],
    ['Account address', account.email],
    ['Operator', account.operator_email],
    ['Belongs to', account.parent_account_id],
    ['Capabilities', account.capabilities.join(', ')],
  ];
  const list = el('dl', { class: 'details' });
  for (const [name, value] of rows) {
    if (value) list.append(el('div', {}, el('dt', {}, name), el('dd', {}, value)));
  }
  const canLogIn = account.recovery_email ?? account.email ?? account.operator_email;
  return el(
    'section',
    { class: 'sheet', 'aria-labelledby': 'account' },
    el('h2', { id: 'account' }, 'Account'),
    list,
    canLogIn
      ? null
      : el(
          'p',
          { class: 'fine' },
          'This account has no email address, so you can sign in only with its key. Create a backup key.',
        ),
  );
}

/**
 * @param {import('./dashboard.js').Desk} desk
 * @returns {Promise<Node>}
 */
export async function overview({ account, refresh }) {
  const used = await call('GET', '/v1/usage');
  return el(
    'div',
    { class: 'view' },
    identity(account),
    el('div', { class: 'columns' }, usage(used), accountDetails(account)),
    await passkeys(refresh),
  );
}
