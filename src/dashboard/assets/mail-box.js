import { call } from './api.js';

/** Caches the addresses and inbox pages of this tab, so that going back to a list costs no request. */

/**
 * @typedef {object} Inbox
 * @property {any[]} messages
 * @property {string | null} next
 */

/** @type {string[] | null} */
let known = null;
/** @type {Map<string, Inbox>} */
const inboxes = new Map();

export function forgetMail() {
  known = null;
  inboxes.clear();
}

/** @returns {Promise<string[]>} */
export async function ownAddresses() {
  known ??= /** @type {string[]} */ ((await call('GET', '/v1/email/addresses')).addresses);
  return known;
}

/**
 * @param {string} address a local part or a whole address
 * @returns {Promise<string>} the address as it was claimed
 */
export async function claim(address) {
  const reply = await call('POST', '/v1/email/claim', { body: { address } });
  known = null;
  return reply.address;
}

/** @typedef {'all' | 'unread' | 'archived'} Filter */

const QUERIES = { all: '', unread: '&unread=true', archived: '&archived=true' };

/**
 * @param {string} address
 * @param {Filter} filter
 * @param {{more?: boolean, fresh?: boolean}} [how]
 * @returns {Promise<Inbox>}
 */
export async function inboxOf(address, filter, { more = false, fresh = false } = {}) {
  const slot = `${filter} ${address}`;
  const held = inboxes.get(slot);
  if (held && !more && !fresh) return held;
  const cursor = more && held?.next ? `&cursor=${encodeURIComponent(held.next)}` : '';
  const path = `/v1/email/inbox?limit=50&address=${encodeURIComponent(address)}${QUERIES[filter]}${cursor}`;
  const page = await call('GET', path);
  const inbox = { messages: [...(cursor && held ? held.messages : []), ...page.messages], next: page.next_cursor };
  inboxes.set(slot, inbox);
  return inbox;
}

/** Makes every list load again when it is next shown. */
export const forgetInboxes = () => inboxes.clear();

/**
 * @param {string} address
 * @param {string} id
 * @param {string} [tail]
 */
export const messagePath = (address, id, tail = '') =>
  `/v1/email/messages/${encodeURIComponent(id)}${tail}?address=${encodeURIComponent(address)}`;

/**
 * Reads a message, which marks it read, and updates the cached lists.
 * @param {string} address
 * @param {string} id
 */
export async function readMessage(address, id) {
  const message = await call('GET', messagePath(address, id));
  for (const { messages } of inboxes.values()) {
    for (const entry of messages) if (entry.message_id === message.message_id) entry.read = true;
  }
  return message;
}

/**
 * @param {string} address
 * @param {string} [id] of a message, or `new`
 * @param {string} [reply] `reply` to answer that message
 */
export const mailLink = (address, id, reply) =>
  ['#/mail', ...[address, id, reply].filter((part) => part !== undefined).map(encodeURIComponent)].join('/');
