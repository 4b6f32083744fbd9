import { ApiFailure, call } from './api.js';
import { byId, el, whileBusy } from './dom.js';
import { time } from './format.js';

/**
 * The page that confirmation mails link to: `/confirm#token=…`.
 *
 * A mail scanner that fetches the link gets this page and never sends the fragment. A scanner that runs the page only
 * shows the question: an answer needs a button press, which sends a POST.
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
const ROLES = {
  email: ['Is this your agent?', 'You may then log in to its account with your address.'],
  recovery: ['Is this your agent?', 'You may then log in to its account when its keys are lost.'],
  operator: [
    'Are you the operator of this agent?',
    'You then get its requests for spending and for credentials, and decide about them.',
  ],
};

/** @param {unknown} err */
function fail(err) {
  if (!(err instanceof ApiFailure)) throw err;
  if (err.code === 'invalid_token')
    end(
      'This link is not valid',
      'It may be used or too old, or a newer email replaced it. Log in to see what waits for you.',
    );
  else if (err.code === 'operator_limit') end('Three operators already', err.message);
  else if (err.code === 'operator_required') end('Ask an operator', err.message);
  else if (byId('asking', HTMLElement).hidden) end('Could not load the question', err.message);
  else byId('problem', HTMLElement).textContent = err.message;
}

/** @param {any} asked */
function showQuestion(asked) {
  const [title, meaning] = ROLES[asked.role] ?? ['Is this your agent?', ''];
  byId('asking-title', HTMLElement).textContent = title;
  byId('meaning', HTMLElement).textContent = meaning;
  /** @type {[string, string | null][]} */
  const details = [
    ['Your address', asked.address],
    ['Account', asked.account_id],
    ['It calls itself', asked.name],
    ['Named', time(asked.named_at)],
  ];
  byId('details', HTMLElement).replaceChildren(
    ...details.flatMap(([name, value]) => (value === null ? [] : [el('dt', {}, name), el('dd', {}, value)])),
  );
  byId('authority', HTMLElement).hidden = asked.role !== 'operator';
  byId(asked.authority === 'operator' ? 'authority-operator' : 'authority-account', HTMLInputElement).checked = true;
  show('asking');
  byId('asking-title', HTMLElement).focus();
}

async function route() {
  const [, token = ''] = /^#token=([0-9A-Za-z]{1,64})$/.exec(location.hash) ?? [];
  if (token === '') {
    end('This link is incomplete', 'Your email app may have cut it off. Open the link from the email again.');
    return;
  }
  show('loading');
  let role = '';
  try {
    const asked = await call('POST', '/v1/people/view', { body: { token }, credential: null });
    role = asked.role;
    showQuestion(asked);
  } catch (err) {
    fail(err);
  }
  for (const decision of ['confirm', 'refuse']) {
    const button = byId(decision, HTMLButtonElement);
    button.onclick = () =>
      whileBusy(button, async () => {
        byId('problem', HTMLElement).textContent = '';
        const authority = byId('authority-operator', HTMLInputElement).checked ? 'operator' : 'account';
        const body = { token, decision, ...(role === 'operator' ? { authority } : {}) };
        try {
          const { status } = await call('POST', '/v1/people/confirm', { body, credential: null });
          if (status === 'refused')
            end('Noted', 'This account cannot name your address again. You can close this page.');
          else end('Confirmed', 'You can log in with your address at any time. You can close this page.');
        } catch (err) {
          fail(err);
        }
      });
  }
}

byId('form', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault());
globalThis.addEventListener('hashchange', () => void route());
void route();
