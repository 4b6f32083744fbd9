import { html, nothing, type TemplateResult } from 'lit-html';
import { writeSeed } from '../../../../client/vault-seed.ts';
import { hasCode, messageOf, serviceFor } from '../../ui/console-service.ts';
import { count } from '../../ui/format.ts';
import { onPress, onSubmit } from '../../ui/handlers.ts';
import { action } from '../../ui/kit/action.ts';
import { textIn, typedText } from '../../ui/kit/form.ts';
import { copy, download, toast } from '../../ui/toast.ts';
import { card } from '../card-part.ts';
import type { LinkView } from './link-question.ts';
import { fetchRecovered, type OpenSeed, openSeed, type Recovered, type SealedSeed, seedsIn } from './recovered.ts';

/**
 * `/recover#token=…`, from the mail about a lost seed.
 *
 * A mail scanner that fetches the link gets this page and never sends the fragment. A scanner that automates a browser
 * does not press the button. Only that press uses the link, because the recovered data is shown once.
 */

interface Found {
  all: Recovered;
  seeds: SealedSeed[];
}

type State =
  | { at: 'opening'; token: string }
  | { at: 'asking'; isUsed: boolean }
  | { at: 'sent'; email: string }
  | { at: 'found'; found: Found };

let state: State = { at: 'asking', isUsed: false };
let repaint: (focus?: string) => void = () => {};

function go(next: State, focus: string): void {
  state = next;
  repaint(focus);
}

async function open(token: string): Promise<void> {
  const all: Recovered = { entries: [], legacy_entries: [], account_entries: [] };
  let isBegun = false;
  try {
    await fetchRecovered(token, (found) => {
      isBegun = true;
      // The token is used. Coming back to this address must not offer it again.
      history.replaceState(null, '', '/recover#used');
      all.entries.push(...found.entries);
      all.legacy_entries.push(...found.legacy_entries);
      all.account_entries.push(...found.account_entries);
    });
  } catch (err) {
    // Nothing was used up: the link is invalid, or the service refused before it looked.
    if (!isBegun && hasCode(err, 'invalid_token')) return go({ at: 'asking', isUsed: true }, 'asking-title');
    if (!isBegun) throw err;
    toast(`Some data is missing. Save this part, then request another link. ${messageOf(err)}`, { isProblem: true });
  }
  go({ at: 'found', found: { all, seeds: seedsIn(all) } }, 'found-title');
}

const openingView = (token: string): TemplateResult => html`
  <section id="opening">
    <h1 id="opening-title" tabindex="-1">Recover your vault</h1>
    <p>Your link works once. The recovered data is shown only on this page, so save it before you leave.</p>
    <form @submit=${onSubmit(() => open(token))}>
      <p class="problem" id="opening-problem" role="alert"></p>
      <button class="button decide" id="open">Recover my vault</button>
    </form>
  </section>`;

async function ask(form: HTMLFormElement): Promise<void> {
  const email = textIn(form, 'email');
  await serviceFor(null).requestVaultRecovery({ email });
  go({ at: 'sent', email }, 'sent-title');
}

const askingView = (isSpent: boolean): TemplateResult => html`
  <section id="asking">
    <h1 id="asking-title" tabindex="-1">${isSpent ? 'This link no longer works' : 'Recover a vault by email'}</h1>
    <p>${isSpent ? 'Recovery links work once and expire soon. This one was used, has expired, or was cut off by your email app. Request a new one.' : 'Enter the address you stored with your sealed seed. We send a recovery link to it.'}</p>
    <form id="form" @submit=${onSubmit(ask)}>
      <label for="email">Email address</label>
      <input id="email" name="email" type="email" autocomplete="email" maxlength="254" required spellcheck="false">
      <p class="problem" id="problem" role="alert"></p>
      <button class="button decide wide" id="send">Email me a link</button>
    </form>
    <p class="fine">Lost only the API key? <a href="/login">Log in by email</a></p>
  </section>`;

function sentView(email: string): TemplateResult {
  return html`
    <section id="sent">
      <h1 id="sent-title" tabindex="-1">Check your email</h1>
      <p>If a vault is stored for <strong id="sent-to">${email}</strong>, an email with a link is on its way. The link works once and expires soon.</p>
    </section>`;
}

/** What was opened stays masked until a person asks for it. Several lines are shown as they are. */
function secret(id: string, label: string, text: string, filename: string, content: BlobPart): TemplateResult {
  return html`
    <form class="revealed" @submit=${(event: Event) => event.preventDefault()}>
      <h3>${label}</h3>
      <pre class="secret masked" id=${id} tabindex="0" aria-label=${label}>${text}</pre>
      <p class="actions">
        <label class="check"><input type="checkbox" aria-label="Show the secret: ${label}"> Show the secret</label>
        <button type="button" class="button quiet" aria-label="Copy: ${label}" @click=${onPress(() => copy(text, document.getElementById(id)))}>Copy</button>
        <button type="button" class="button quiet" aria-label="Download: ${label}" @click=${() => download(content, filename)}>Download</button>
      </p>
    </form>`;
}

function openedView(at: number, { seed, entries, failed }: OpenSeed): TemplateResult {
  const written = writeSeed(seed);
  return html`
    ${secret(`seed-${at}`, 'Seed', written, 'signet-seed.txt', `${written}\n`)}
    ${entries.map(({ name, version, text, content }, n) =>
      text === null
        ? html`<p><strong class="mono">${name}</strong> <span class="fine">not text</span>
            <button type="button" class="button quiet" @click=${() => download(content, name)}>Download</button></p>`
        : secret(`entry-${at}-${n}`, `${name}, version ${version}`, text, name, content),
    )}
    ${failed.length > 0 ? html`<p class="problem">This seed does not open: ${failed.join(', ')}</p>` : nothing}`;
}

function seedView(found: Found, seed: SealedSeed, at: number): TemplateResult {
  const unlock = async (form: HTMLFormElement): Promise<void> => {
    seed.opened = await openSeed(seed, found.all, typedText(form, 'passphrase'));
    repaint(`seed-title-${at}`);
  };
  const id = `passphrase-${at}`;
  return html`
    <section class="sealed-seed">
      <h2 id="seed-title-${at}" tabindex="-1">${seed.title}</h2>
      ${
        seed.opened
          ? openedView(at, seed.opened)
          : html`
              <form @submit=${onSubmit(unlock)}>
                <label for=${id}>Passphrase of this seed</label>
                <input id=${id} name="passphrase" type="password" autocomplete="off" required>
                <p class="problem" role="alert"></p>
                <p class="actions">
                  <button class="button decide">Open</button>
                  ${action('Copy sealed', () => copy(seed.sealed))}
                </p>
              </form>`
      }
    </section>`;
}

function foundView(found: Found): TemplateResult {
  const { all, seeds } = found;
  const save = (): void => download(JSON.stringify(all, null, 2), 'signet-recovery.json');
  return html`
    <section id="found">
      <h1 id="found-title" tabindex="-1">Your recovered vault</h1>
      <p>${seeds.length > 0 ? 'The service cannot open any of this. Save the file first. Then enter the passphrase of a seed: your browser opens the seed and its entries, and sends neither anywhere.' : 'Nothing is stored for this address.'}</p>
      <p class="actions">
        <button type="button" class="button" id="save" @click=${save}>Save everything, sealed</button>
        <span class="fine" id="counts">Sealed seeds: ${count(seeds.length)}. Sealed entries: ${count(all.entries.length)}.</span>
      </p>
      ${seeds.map((seed, at) => seedView(found, seed, at))}
    </section>`;
}

export const recoverLink: LinkView = {
  title: 'Recover your vault',
  start(paint) {
    repaint = paint;
    const token = /^#token=([0-9A-Za-z]{1,256})$/.exec(location.hash)?.[1];
    // Recovered data stays on the page when only its address changes.
    if (state.at === 'found' && token === undefined) return repaint();
    if (token !== undefined) go({ at: 'opening', token }, 'opening-title');
    else go({ at: 'asking', isUsed: /^#(token|used)/.test(location.hash) }, 'asking-title');
  },
  render() {
    if (state.at === 'opening') return card(openingView(state.token));
    if (state.at === 'asking') return card(askingView(state.isUsed));
    return state.at === 'sent' ? card(sentView(state.email)) : card(foundView(state.found), 'roomy');
  },
};
