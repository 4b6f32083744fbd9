import { ApiFailure, call } from './api.js';
import { byId, el, whileBusy } from './dom.js';
import { time } from './format.js';
import { passkeySession } from './passkey.js';

/**
 * The page that mails about held email link to: `/review#id=…&token=…`. Like the page of approvals it decides nothing when
 * it is opened. The email is shown as text: its HTML could deceive the person who decides.
 */

const sections = ['loading', 'asking', 'done'];

/** @param {string} shown */
function show(shown) {
  for (const id of sections) byId(id, HTMLElement).hidden = id !== shown;
}

/** @param {string} title @param {string} why */
function end(title, why) {
  show('done');
  byId('done-title', HTMLElement).textContent = title;
  byId('done-why', HTMLElement).textContent = why;
  byId('done-title', HTMLElement).focus();
}

/** @type {Record<string, [string, string]>} */
const ENDS = {
  approved: ['Approved', 'The email is on its way. You can close this page.'],
  rejected: ['Rejected', 'The email is not sent. You can close this page.'],
  expired: ['Expired', 'Nobody decided in time, so the email is not sent.'],
};

/** @param {{status: string, error?: string | null}} review */
function endAs({ status, error = null }) {
  const [title, why] = ENDS[status] ?? ['Decided', `This email is ${status}.`];
  end(title, status === 'approved' && error !== null ? `It could not be sent: ${error}` : why);
}

/** @param {unknown} err */
function fail(err) {
  if (!(err instanceof ApiFailure)) byId('problem', HTMLElement).textContent = /** @type {Error} */ (err).message;
  else if (err.code === 'expired') endAs({ status: 'expired' });
  else if (err.code === 'already_resolved') end('Already decided', err.message);
  else if (err.code === 'invalid_token')
    end('This link is not valid', 'Your email app may have cut it off, or the account now has another operator.');
  else if (byId('asking', HTMLElement).hidden) end('Could not load the email', err.message);
  else byId('problem', HTMLElement).textContent = err.message;
}

/** @param {any} review */
function showEmail(review) {
  byId('cause', HTMLElement).textContent = review.why;
  /** @type {[string, string | null][]} */
  const details = [
    ['Account', review.account_id],
    ['From', review.from],
    ['To', review.to.join(', ')],
    ['Subject', review.subject],
    ['Secrets found', review.secrets.join(', ') || null],
    ['Held', time(review.created_at)],
    ['Expires', time(review.expires_at)],
  ];
  byId('details', HTMLElement).replaceChildren(
    ...details.flatMap(([name, value]) => (value === null ? [] : [el('dt', {}, name), el('dd', {}, value)])),
  );
  byId('text', HTMLElement).textContent = [review.text, review.html && `HTML part:\n${review.html}`]
    .filter(Boolean)
    .join('\n\n');
  const files = review.attachments.map((/** @type {any} */ file) => `${file.filename} (${file.size_bytes} bytes)`);
  byId('files', HTMLElement).textContent = files.length > 0 ? `Attached: ${files.join(', ')}` : '';
  const by = review.passkey_required ? ' with passkey' : '';
  byId('approve', HTMLElement).textContent = `Approve${by}`;
  byId('reject', HTMLElement).textContent = `Reject${by}`;
  show('asking');
  byId('asking-title', HTMLElement).focus();
}

/** @param {any} review @param {string} decision @param {{reason?: string}} comment */
async function decideWithPasskey(review, decision, comment) {
  const { session: credential } = await passkeySession(review.account_id);
  try {
    const path =
      decision === 'approve'
        ? `/v1/email/reviews/${review.review_id}/approve`
        : `/v1/email/reviews/${review.review_id}/reject`;
    return await call('POST', path, { body: comment, credential });
  } finally {
    await call('POST', '/v1/auth/logout', { credential }).catch(() => {});
  }
}

async function route() {
  const [, id = '', token = ''] = /^#id=(rev_[0-9a-z]{26})&token=([0-9A-Za-z]{1,64})$/.exec(location.hash) ?? [];
  if (id === '') {
    end('This link is incomplete', 'Your email app may have cut it off. Open the link from the email again.');
    return;
  }
  show('loading');
  /** @type {any} */
  let review;
  try {
    review = await call('POST', `/v1/email/reviews/${id}/view`, { body: { token }, credential: null });
    if (review.status === 'pending') showEmail(review);
    else endAs(review);
  } catch (err) {
    fail(err);
  }
  for (const decision of ['approve', 'reject']) {
    const button = byId(decision, HTMLButtonElement);
    button.onclick = () =>
      whileBusy(button, async () => {
        byId('problem', HTMLElement).textContent = '';
        const reason = byId('reason', HTMLInputElement).value.trim();
        const comment = reason === '' ? {} : { reason };
        const body = { token, decision, ...comment };
        try {
          endAs(
            review?.passkey_required
              ? await decideWithPasskey(review, decision, comment)
              : await call('POST', `/v1/email/reviews/${id}/decide`, { body, credential: null }),
          );
        } catch (err) {
          fail(err);
        }
      });
  }
}

byId('form', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault());
globalThis.addEventListener('hashchange', () => void route());
void route();
