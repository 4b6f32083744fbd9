import { html, nothing, type TemplateResult } from 'lit-html';
import { hasPasskeys, passkeySession } from '../../ui/browser-passkey.ts';
import { serviceFor } from '../../ui/console-service.ts';
import { fill } from '../../ui/format.ts';
import { field, pressing, submitting } from '../../ui/handlers.ts';
import { words } from '../../words/console-words.ts';
import { card } from '../card-part.ts';

/**
 * Logging in: a person by a mailed link or a passkey, an agent by its key.
 *
 * Login links open `/login#token=…`. A mail scanner that fetches the link gets the page and never sends the fragment, so
 * only this script uses the token. It must do so by a navigation: the reply redirects to `/dashboard#session=…`, and
 * `fetch` hides the fragment of a redirect (Fetch, 5.5: `url` excludes it), so the session would be lost.
 */

const AUTOMATIC_MS = 600;

export interface LoginDeps {
  /** Why the person is here, where something went wrong. */
  problem: string;
  repaint(): void;
  /** Signs in. @throws when the credential is refused */
  enter(credential: string, remember: boolean): Promise<void>;
}

let sentTo: string | null = null;

/** @param token of a login link */
function useLink(token: string): void {
  // Going back must not offer the used link again.
  history.replaceState(null, '', '/login#used');
  location.assign(`/v1/auth/verify?token=${encodeURIComponent(token)}`);
}

const linkToken = (): string | null => /^#token=([0-9A-Za-z]{1,256})$/.exec(location.hash)?.[1] ?? null;

/** Uses the link of the address after a moment, if a person is looking. Some scanners open links in a browser. */
export function useLinkSoon(): void {
  const token = linkToken();
  if (token === null) return;
  const isWatched = (): boolean => document.visibilityState === 'visible' && !navigator.webdriver;
  setTimeout(() => isWatched() && linkToken() === token && useLink(token), AUTOMATIC_MS);
}

const opening = (token: string): TemplateResult =>
  card(html`
    <section id="opening">
      <h1>${words.login.opening}</h1>
      <p>${words.login.openingWhy}</p>
      <p><button type="button" class="button primary" id="continue" @click=${() => useLink(token)}>${words.login.continue}</button></p>
      <p class="fine">${words.login.still}</p>
    </section>`);

function sent({ repaint }: LoginDeps, email: string): TemplateResult {
  const [before, after] = words.login.sentWhy.split('{email}');
  const again = (): void => {
    sentTo = null;
    repaint();
    document.getElementById('email')?.focus();
  };
  return card(html`
    <section id="sent">
      <h1 id="sent-title" tabindex="-1">${words.login.sent}</h1>
      <p>${before}<strong id="sent-to">${email}</strong>${after}</p>
      <p class="fine">${words.login.noMail} <button type="button" class="link" id="again" @click=${again}>${words.login.other}</button>.</p>
    </section>`);
}

/** As a login link does, so that the console asks before it replaces a login. */
function openSession(session: string): void {
  location.assign(`/dashboard#session=${session}`);
  if (location.pathname === '/dashboard') dispatchEvent(new HashChangeEvent('hashchange'));
}

/** For a person without passkeys, and without the mail. */
function recoveryForm(): TemplateResult {
  const recover = async (form: HTMLFormElement): Promise<void> => {
    const { session } = await serviceFor(null).logInWithRecoveryCode({
      email: field(form, 'email'),
      code: field(form, 'code'),
    });
    openSession(session);
  };
  return html`
    <details>
      <summary id="recovery">${words.login.recovery}</summary>
      <form id="recovery-form" @submit=${submitting(recover)}>
        <label for="recovery-email">${words.login.recoveryEmail}</label>
        <input id="recovery-email" name="email" type="email" autocomplete="email" maxlength="254" required spellcheck="false">
        <label for="recovery-code">${words.login.recoveryCode}</label>
        <input id="recovery-code" name="code" class="mono" autocomplete="off" autocapitalize="none" maxlength="64" required spellcheck="false">
        <p class="problem" role="alert"></p>
        <button class="button wide">${words.login.recoveryDo}</button>
      </form>
    </details>`;
}

function personForm({ repaint }: LoginDeps): TemplateResult {
  const ask = async (form: HTMLFormElement): Promise<void> => {
    const email = field(form, 'email');
    await serviceFor(null).login({ email });
    sentTo = email;
    repaint();
    document.getElementById('sent-title')?.focus();
  };
  const openPasskey = async (): Promise<void> => openSession((await passkeySession()).session);
  return html`
    <section aria-labelledby="person">
      <h2 id="person">${words.login.person}</h2>
      <p class="fine">${words.login.personWhy}</p>
      <form id="form" @submit=${submitting(ask)}>
        <label for="email">${words.login.email}</label>
        <input id="email" name="email" type="email" autocomplete="email" maxlength="254" required spellcheck="false">
        <p class="problem" id="problem" role="alert"></p>
        <button class="button primary wide" id="send">${words.login.send}</button>
      </form>
      ${
        hasPasskeys()
          ? html`<p><button type="button" class="button wide" id="passkey" @click=${pressing(openPasskey)}>${words.login.passkey}</button></p>`
          : nothing
      }
      ${recoveryForm()}
    </section>`;
}

/** What was typed stays in the field when it is refused, so that it can be corrected. */
const keyForm = ({ enter }: LoginDeps): TemplateResult => html`
  <section aria-labelledby="agent">
    <h2 id="agent">${words.login.agent}</h2>
    <form id="key-form" autocomplete="off" @submit=${submitting((form) => enter(field(form, 'key'), field(form, 'remember') === 'on'))}>
      <label for="key">${words.login.key}</label>
      <input id="key" name="key" class="mono" type="password" required maxlength="256" spellcheck="false"
        autocomplete="off" placeholder="signet_live_…">
      <p class="hint">${words.login.keyHint}</p>
      <label class="check"><input type="checkbox" name="remember"> ${words.login.remember}</label>
      <p class="problem" role="alert"></p>
      <button class="button wide" id="sign-in">${words.login.signIn}</button>
    </form>
  </section>`;

export function loginView(deps: LoginDeps): TemplateResult {
  const token = linkToken();
  if (token !== null) return opening(token);
  if (sentTo !== null) return sent(deps, sentTo);
  const isUsed = location.hash === '#used' || location.hash.startsWith('#token');
  return card(html`
    <h1 id="asking-title">${isUsed ? words.login.used : words.login.title}</h1>
    ${isUsed ? html`<p>${words.login.usedWhy}</p>` : nothing}
    <p class="problem" role="alert">${deps.problem}</p>
    ${personForm(deps)} ${keyForm(deps)}
    <p class="fine">${words.login.none} <a href="/">${words.login.create}</a></p>`);
}

/** The name and id of an account, as a question names it. Anyone can choose the name of someone else's account. */
export const namedAccount = ({ name, id }: { name: string; id: string }): string => (name ? `${name} (${id})` : id);

/** The text of the question before a login is replaced. */
export const replaceQuestion = (current: string, linked: string) => ({
  title: words.login.replace,
  text: fill(words.login.replaceWhy, { current, linked }),
  action: fill(words.login.replaceDo, { linked }),
});
