import { ApiFailure, call } from './api.js';
import { byId, el, whileBusy } from './dom.js';
import { time, usdc } from './format.js';

/**
 * Where the mail to an operator leads: `/approve#id=…&token=…`.
 *
 * A mail scanner that fetches the link gets this page and never sends the fragment. One that runs the page shows the
 * request to itself: only a button decides, and it does so by a POST.
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
  budget_exceeded: 'The charge does not fit a spending cap.',
  single_tx_limit_exceeded: 'The charge is above the limit of one transaction.',
};

/** @type {Record<string, [string, string]>} */
const ENDS = {
  approved: ['Approved', 'The charge is recorded. You can close this page.'],
  rejected: ['Rejected', 'Nothing was recorded. You can close this page.'],
  expired: ['Too late', 'This request expired before anybody decided. The agent may ask again.'],
};

/** @param {string} status */
const endAs = (status) => end(...(ENDS[status] ?? ['Decided', `This request is ${status}.`]));

/** @param {unknown} err */
function fail(err) {
  if (!(err instanceof ApiFailure)) throw err;
  if (err.code === 'expired') endAs('expired');
  else if (err.code === 'already_resolved') end('Decided already', err.message);
  else if (err.code === 'invalid_token')
    end('That link does not work', 'It was cut by a mail program, or the operator of the account is another one now.');
  else if (byId('asking', HTMLElement).hidden) end('The request cannot be shown', err.message);
  else byId('problem', HTMLElement).textContent = err.message;
}

/** @param {any} approval */
function showRequest(approval) {
  byId('amount', HTMLElement).textContent = usdc(approval.amount_usdc);
  byId('cause', HTMLElement).textContent = CAUSES[approval.cause] ?? '';
  /** @type {[string, string | Node | null][]} */
  const facts = [
    ['Account', approval.account_id],
    ['Category', approval.category],
    ['Description', approval.description || null],
    ['Reference', approval.reference_id],
    ['Asked', time(approval.created_at)],
    ['Expires', time(approval.expires_at)],
  ];
  byId('facts', HTMLElement).replaceChildren(
    ...facts.flatMap(([name, value]) => (value === null ? [] : [el('dt', {}, name), el('dd', {}, value)])),
  );
  show('asking');
  byId('asking-title', HTMLElement).focus();
}

async function route() {
  const [, id = '', token = ''] = /^#id=(apr_[0-9a-z]{26})&token=([0-9A-Za-z]{1,64})$/.exec(location.hash) ?? [];
  if (id === '') {
    end('This link is not whole', 'Open the link from the mail again; a mail program may have cut it.');
    return;
  }
  show('loading');
  try {
    const body = { token };
    const approval = await call('POST', `/v1/approvals/${id}/view`, { body, credential: null });
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
        const body = { token, decision, ...(reason === '' ? {} : { reason }) };
        try {
          const { status } = await call('POST', `/v1/approvals/${id}/decide`, { body, credential: null });
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
