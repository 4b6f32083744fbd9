import { ApiFailure, call } from './api.js';
import { byId, el, whileBusy } from './dom.js';
import { time, usdc } from './format.js';
import { passkeySession } from './passkey.js';

/**
 * The page that approval mails link to: `/approve#id=…&token=…`.
 *
 * A mail scanner that fetches the link gets this page and never sends the fragment. A scanner that runs the page only
 * shows the request: a decision needs a button press, which sends a POST. Where the operator requires a passkey, the link
 * decides nothing: the button logs in with the passkey, decides with that session and ends it.
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

/** @type {Record<string, string>} */
const CAUSES = {
  budget_exceeded: 'The charge exceeds a spending cap.',
  single_tx_limit_exceeded: 'The charge exceeds the limit for one transaction.',
};

/** @type {Record<string, [string, string]>} */
const ENDS = {
  approved: ['Approved', 'The charge is recorded. You can close this page.'],
  rejected: ['Rejected', 'Nothing was recorded. You can close this page.'],
  expired: ['Expired', 'This request expired without a decision. The agent can ask again.'],
};

/** @param {string} status */
const endAs = (status) => end(...(ENDS[status] ?? ['Decided', `This request is ${status}.`]));

/** @param {unknown} err */
function fail(err) {
  if (!(err instanceof ApiFailure)) byId('problem', HTMLElement).textContent = /** @type {Error} */ (err).message;
  else if (err.code === 'expired') endAs('expired');
  else if (err.code === 'already_resolved') end('Already decided', err.message);
  else if (err.code === 'invalid_token')
    end('This link is not valid', 'Your email app may have cut it off, or the account now has another operator.');
  else if (byId('asking', HTMLElement).hidden) end('Could not load the request', err.message);
  else byId('problem', HTMLElement).textContent = err.message;
}

/** @param {any} approval */
function showRequest(approval) {
  byId('amount', HTMLElement).textContent = usdc(approval.amount_usdc);
  byId('cause', HTMLElement).textContent = CAUSES[approval.cause] ?? '';
  /** @type {[string, string | Node | null][]} */
  const details = [
    ['Account', approval.account_id],
    ['Category', approval.category],
    ['Description', approval.description || null],
    ['Reference', approval.reference_id],
    ['Requested', time(approval.created_at)],
    ['Expires', time(approval.expires_at)],
  ];
  byId('details', HTMLElement).replaceChildren(
    ...details.flatMap(([name, value]) => (value === null ? [] : [el('dt', {}, name), el('dd', {}, value)])),
  );
  const by = approval.passkey_required ? ' with passkey' : '';
  byId('approve', HTMLElement).textContent = `Approve${by}`;
  byId('reject', HTMLElement).textContent = `Reject${by}`;
  show('asking');
  byId('asking-title', HTMLElement).focus();
}

/** @param {any} approval @param {string} decision @param {{reason?: string}} comment */
async function decideWithPasskey(approval, decision, comment) {
  const { session: credential } = await passkeySession(approval.decided_by_account);
  try {
    const path =
      decision === 'approve' ? `/v1/approvals/${approval.id}/approve` : `/v1/approvals/${approval.id}/reject`;
    return await call('POST', path, { body: comment, credential });
  } finally {
    await call('POST', '/v1/auth/logout', { credential }).catch(() => {});
  }
}

async function route() {
  const [, id = '', token = ''] = /^#id=(apr_[0-9a-z]{26})&token=([0-9A-Za-z]{1,64})$/.exec(location.hash) ?? [];
  if (id === '') {
    end('This link is incomplete', 'Your email app may have cut it off. Open the link from the email again.');
    return;
  }
  show('loading');
  /** @type {any} */
  let approval;
  try {
    const body = { token };
    approval = await call('POST', `/v1/approvals/${id}/view`, { body, credential: null });
    if (approval.status === 'pending') showRequest(approval);
    else endAs(approval.status);
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
          const { status } = approval?.passkey_required
            ? await decideWithPasskey(approval, decision, comment)
            : await call('POST', `/v1/approvals/${id}/decide`, { body, credential: null });
          endAs(status);
        } catch (err) {
          fail(err);
        }
      });
  }
}

byId('form', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault());
globalThis.addEventListener('hashchange', () => void route());
void route();
