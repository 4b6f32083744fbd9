import { call, newIdempotencyKey } from './api.js';
import { el, whileBusy } from './dom.js';
import { mailLink } from './mail-box.js';
import { say } from './notice.js';

/** The form to write or answer a mail. */

/** @param {any} message */
function answer(message) {
  const subject = /^re:/i.test(message.subject) ? message.subject : `Re: ${message.subject}`;
  const when = new Date(message.received_at).toLocaleString();
  const quoted = message.body.split('\n').map((/** @type {string} */ line) => (line === '' ? '>' : `> ${line}`));
  const text = message.e2e_encrypted ? '' : `\n\nOn ${when}, ${message.from} wrote:\n${quoted.join('\n')}`;
  return { to: message.reply_to[0] ?? message.from, subject, text };
}

/**
 * @param {string} label
 * @param {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} field
 */
const labelled = (label, field) => el('div', { class: 'field' }, el('label', { for: field.id }, label), field);

/** @param {string} list */
const addressesIn = (list) =>
  list
    .split(/[,;]/)
    .map((address) => address.trim())
    .filter((address) => address !== '');

/**
 * @param {object} mail
 * @param {string[]} copies
 * @param {any} replied
 * @param {string} key Idempotency-Key
 */
const send = (mail, copies, replied, key) =>
  call('POST', '/v1/email/send', {
    headers: { 'idempotency-key': key },
    body: {
      ...mail,
      ...(copies.length > 0 ? { cc: copies } : {}),
      ...(replied ? { in_reply_to: replied.message_id } : {}),
    },
  });

/**
 * @param {string[]} addresses of the account
 * @param {string} address the sender's address
 * @param {any} replied the message that it replies to, or null
 */
export function composer(addresses, address, replied) {
  const start = replied ? answer(replied) : { to: '', subject: '', text: '' };
  const text = { autocomplete: 'off', spellcheck: 'false' };
  const from = el(
    'select',
    { id: 'from', class: 'mono' },
    ...addresses.map((own) => el('option', { value: own, selected: own === address }, own)),
  );
  const to = el('input', {
    id: 'to',
    required: true,
    value: start.to,
    placeholder: 'ada@example.com, …',
    'data-focus': !replied,
    ...text,
  });
  const cc = el('input', { id: 'cc', ...text });
  const subject = el('input', { id: 'subject', maxlength: 998, value: start.subject, autocomplete: 'off' });
  const body = el('textarea', { id: 'text', rows: 12, required: true, 'data-focus': !!replied }, start.text);
  const problem = el('p', { class: 'problem', role: 'alert' });
  const button = el('button', { class: 'button primary' }, 'Send');
  const back = mailLink(address, replied?.message_id);
  const form = el(
    'form',
    { class: 'compose' },
    el('h2', {}, replied ? 'Reply' : 'New message'),
    labelled('From', from),
    labelled('To', to),
    labelled('Cc', cc),
    labelled('Subject', subject),
    labelled('Text', body),
    problem,
    el('p', { class: 'actions' }, button, el('a', { class: 'button', href: back }, 'Cancel')),
  );
  // The same text must not be sent twice, even if the network fails. A changed text is another mail.
  let key = newIdempotencyKey();
  form.addEventListener('input', () => {
    key = newIdempotencyKey();
  });
  async function submit() {
    const mail = { from: from.value, to: addressesIn(to.value), subject: subject.value, text: body.value };
    const sent = await send(mail, addressesIn(cc.value), replied, key);
    say(sent.status === 'sent' ? 'Sent.' : 'Queued. The outbox shows its status.');
    location.hash = sent.status === 'sent' ? back : '#/outbox';
  }
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    problem.textContent = '';
    await whileBusy(button, () =>
      submit().catch((err) => {
        problem.textContent = err.message;
      }),
    );
  });
  return form;
}
