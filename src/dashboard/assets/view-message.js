import { call, download } from './api.js';
import { el, whileBusy } from './dom.js';
import { size, time } from './format.js';
import { forgetInboxes, mailLink, messagePath } from './mail-box.js';
import { mailFrame } from './mail-frame.js';
import { confirmed, say } from './notice.js';

/** One message: its sender and whether that is verified, its text, its HTML in a frame, its attachments. */

/** @param {any} auth */
function proof(auth) {
  if (auth.method === 'internal') return el('span', { class: 'badge good' }, 'From an agent of this service');
  const details = `SPF ${auth.spf ?? 'none'}, DKIM ${auth.dkim ?? 'none'}, DMARC ${auth.dmarc ?? 'none'}`;
  return auth.verified_from
    ? el('span', { class: 'badge good', title: details }, 'Sender verified')
    : el('span', { class: 'badge warn', title: details }, 'Sender not verified');
}

/** @param {any} message @param {string} address */
function head(message, address) {
  const sender = message.from_name ? `${message.from_name} <${message.from}>` : message.from;
  return el(
    'header',
    { class: 'message-head' },
    el('a', { class: 'back', href: mailLink(address) }, '← All messages'),
    el('h2', {}, message.subject || '(no subject)'),
    el('p', { class: 'message-from' }, sender, ' ', proof(message.auth)),
    el(
      'p',
      { class: 'fine' },
      'to ',
      message.to,
      message.cc.length > 0 ? `, cc ${message.cc.join(', ')}` : '',
      ' · ',
      time(message.received_at),
    ),
  );
}

/** @param {any} message */
function content(message) {
  if (message.e2e_encrypted) {
    return el(
      'p',
      { class: 'sealed' },
      'This message is encrypted. Only the agent with the key of this address can read it.',
    );
  }
  const text = el('div', { class: 'message-text' }, message.body || '(no text)');
  if (message.html === null) return text;
  const frame = el('div', { hidden: true });
  const button = el('button', { type: 'button', class: 'link', 'aria-expanded': 'false' }, 'Show the HTML part');
  button.addEventListener('click', () => {
    if (frame.childElementCount === 0) frame.append(mailFrame(message.html));
    frame.hidden = !frame.hidden;
    text.hidden = !frame.hidden;
    button.setAttribute('aria-expanded', String(!frame.hidden));
    button.textContent = frame.hidden ? 'Show the HTML part' : 'Show the plain text';
  });
  return el(
    'div',
    {},
    text,
    frame,
    el('p', { class: 'fine' }, button, ' Scripts, styles and remote content are removed.'),
  );
}

/** @param {any} message @param {string} address */
function files(message, address) {
  if (message.attachments.length === 0) return null;
  const items = message.attachments.map((/** @type {any} */ file, /** @type {number} */ n) => {
    const name = file.filename ?? `attachment-${n + 1}`;
    const path = messagePath(address, message.message_id, `/attachments/${n}`);
    const save = () => void download(file.url ?? path, name).catch((err) => say(err.message));
    return el('li', {}, el('button', { type: 'button', class: 'link', onclick: save }, name), ` ${size(file.size)}`);
  });
  return el('ul', { class: 'files', 'aria-label': 'Attachments' }, ...items);
}

/**
 * @param {string} address
 * @param {any} message
 */
function tools(address, message) {
  const path = messagePath(address, message.message_id);
  const act = (/** @type {string} */ label, /** @type {() => Promise<string | null>} */ work) => {
    const button = el('button', { type: 'button', class: 'button' }, label);
    button.addEventListener('click', () =>
      whileBusy(button, async () => {
        try {
          const done = await work();
          if (done === null) return;
          forgetInboxes();
          say(done);
          location.hash = mailLink(address);
        } catch (err) {
          say(/** @type {Error} */ (err).message);
        }
      }),
    );
    return button;
  };
  const change = (/** @type {object} */ body, /** @type {string} */ done) => async () => {
    await call('PATCH', path, { body });
    return done;
  };
  const remove = async () => {
    const text = 'It stays in the trash for 30 days.';
    if (!(await confirmed({ title: 'Delete this message?', text, action: 'Delete' }))) return null;
    await call('DELETE', path);
    return 'Deleted.';
  };
  return el(
    'p',
    { class: 'actions' },
    el('a', { class: 'button primary', href: mailLink(address, message.message_id, 'reply') }, 'Reply'),
    message.archived
      ? act('Move to inbox', change({ archived: false }, 'Moved to the inbox.'))
      : act('Archive', change({ archived: true }, 'Archived.')),
    act('Mark unread', change({ read: false }, 'Marked unread.')),
    act('Delete', remove),
  );
}

/**
 * @param {string} address
 * @param {any} message the reply of `GET /v1/email/messages/{id}`
 */
export function messageView(address, message) {
  return el(
    'article',
    { class: 'message' },
    head(message, address),
    tools(address, message),
    content(message),
    message.problem ? el('p', { class: 'fine' }, `Part of this message is not shown: ${message.problem}.`) : null,
    files(message, address),
  );
}
