import { html, nothing, type TemplateResult } from 'lit-html';
import { hasPasskeys, passkeySession } from '../../ui/browser-passkey.ts';
import { serviceFor } from '../../ui/console-service.ts';
import { rememberReturn } from '../../ui/console-session.ts';
import { onSubmit } from '../../ui/handlers.ts';
import { action } from '../../ui/kit/action.ts';
import { textIn } from '../../ui/kit/form.ts';
import { readRoute } from '../../ui/route.ts';
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
  /** Goes on with the session of another tab; null where there is none. */
  goOn: (() => Promise<void>) | null;
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
      <h1>Opening your account</h1>
      <p>Your link works once. The console opens in a moment.</p>
      <p><button type="button" class="button primary" id="continue" @click=${() => useLink(token)}>Continue</button></p>
      <p class="fine">Still here? Press Continue.</p>
    </section>`);

function sent({ repaint }: LoginDeps, email: string): TemplateResult {
  const again = (): void => {
    sentTo = null;
    repaint();
    document.getElementById('email')?.focus();
  };
  return card(html`
    <section id="sent">
      <h1 id="sent-title" tabindex="-1">Check your email</h1>
      <p>If <strong id="sent-to">${email}</strong> belongs to an account, an email with a link is on its way. The link works once and expires soon.</p>
      <p class="fine">No email after a few minutes? Check your spam folder, or <button type="button" class="link" id="again" @click=${again}>try another address</button>.</p>
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
      email: textIn(form, 'email'),
      code: textIn(form, 'code'),
    });
    openSession(session);
  };
  return html`
    <details>
      <summary id="recovery">Use a recovery code</summary>
      <form id="recovery-form" @submit=${onSubmit(recover)}>
        <label for="recovery-email">Your operator address</label>
        <input id="recovery-email" name="email" type="email" autocomplete="email" maxlength="254" required spellcheck="false">
        <label for="recovery-code">Recovery code</label>
        <input id="recovery-code" name="code" class="mono" autocomplete="off" autocapitalize="none" maxlength="64" required spellcheck="false">
        <p class="problem" role="alert"></p>
        <button class="button wide">Log in</button>
      </form>
    </details>`;
}

export const emailField = html`
  <label for="email">Email address</label>
  <input id="email" name="email" type="email" autocomplete="email" maxlength="254" required spellcheck="false">`;

/** Nothing where the browser has no passkeys. */
export const passkeyAction = (work: () => Promise<void>): TemplateResult | typeof nothing =>
  hasPasskeys() ? html`<p>${action('Log in with a passkey', work, { kind: 'wide', id: 'passkey' })}</p>` : nothing;

function personForm({ repaint }: LoginDeps): TemplateResult {
  const ask = async (form: HTMLFormElement): Promise<void> => {
    const email = textIn(form, 'email');
    await serviceFor(null).login({ email });
    const { page, parts } = readRoute(location.hash);
    if (page === 'try' && parts[0] !== undefined) rememberReturn(`/console/try?operation=${parts[0]}`);
    sentTo = email;
    repaint();
    document.getElementById('sent-title')?.focus();
  };
  const openPasskey = async (): Promise<void> => openSession((await passkeySession()).session);
  return html`
    <section aria-labelledby="person">
      <h2 id="person">As a person</h2>
      <p class="fine">Enter your operator, recovery or account address. We send a link to it. You need no password.</p>
      <form id="form" @submit=${onSubmit(ask)}>
        ${emailField}
        <p class="problem" id="problem" role="alert"></p>
        <button class="button primary wide" id="send">Email me a link</button>
      </form>
      ${passkeyAction(openPasskey)}
      ${recoveryForm()}
    </section>`;
}

/** What was typed stays in the field when it is refused, so that it can be corrected. */
const keyForm = ({ enter }: LoginDeps): TemplateResult => html`
  <section aria-labelledby="agent">
    <h2 id="agent">With an API key</h2>
    <form id="key-form" autocomplete="off" @submit=${onSubmit((form) => enter(textIn(form, 'key'), textIn(form, 'remember') === 'on'))}>
      <label for="key">API key</label>
      <input id="key" name="key" class="mono" type="password" required maxlength="256" spellcheck="false"
        autocomplete="off" placeholder="signet_live_…">
      <p class="hint">It opens a session of 12 hours, kept in this tab until you close it or sign out. A named key is kept itself.</p>
      <label class="check"><input type="checkbox" name="remember"> Remember on this device</label>
      <p class="problem" role="alert"></p>
      <button class="button wide" id="sign-in">Sign in</button>
    </form>
  </section>`;

const otherTab = (goOn: () => Promise<void>): TemplateResult => html`
  <p>Another tab of this browser is logged in.</p>
  <p>${action('Go on with that login', goOn, { kind: 'primary wide', id: 'go-on' })}</p>`;

export function loginView(deps: LoginDeps): TemplateResult {
  const token = linkToken();
  if (token !== null) return opening(token);
  if (sentTo !== null) return sent(deps, sentTo);
  const isUsed = location.hash === '#used' || location.hash.startsWith('#token');
  return card(html`
    <h1 id="asking-title">${isUsed ? 'This link no longer works' : 'Log in'}</h1>
    ${isUsed ? html`<p>Login links work once and expire soon. This one was used, has expired, or was cut off by your email app. Request a new one.</p>` : nothing}
    <p class="problem" role="alert">${deps.problem}</p>
    <div role="status" class=${deps.goOn === null ? nothing : 'other-tab'}>${deps.goOn === null ? nothing : otherTab(deps.goOn)}</div>
    ${personForm(deps)} ${keyForm(deps)}
    <p class="fine">No account yet? <a href="/">Create an agent</a></p>`);
}
