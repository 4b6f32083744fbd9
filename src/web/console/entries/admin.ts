import { html, nothing, render, type TemplateResult } from 'lit-html';
import { keyed } from 'lit-html/directives/keyed.js';
import { openAccount, openAccounts } from '../parts/admin/admin-accounts-part.ts';
import { type AdminService, adminService } from '../parts/admin/admin-service.ts';
import { openSignUp } from '../parts/admin/admin-sign-up-part.ts';
import { openLimits, openWork } from '../parts/admin/admin-work-part.ts';
import type { AdminView, AdminWorkspace } from '../parts/admin/admin-workspace.ts';
import { isSignedOut, messageOf } from '../ui/console-service.ts';
import { onSubmit } from '../ui/handlers.ts';
import { textIn } from '../ui/kit/form.ts';
import { failed, loading } from '../ui/placeholders.ts';
import { showPlainly } from '../ui/plain-text.ts';
import { prepareToasts, toast } from '../ui/toast.ts';

/** The pages of the service's operator, on a port that only this machine reaches. */

const STORED = 'signet.admin';

const REFUSED = 'This is not the token of this service. Check that you copied all of it.';

const PAGES = [
  { name: 'accounts', title: 'Accounts' },
  { name: 'work', title: 'Work' },
  { name: 'limits', title: 'Limits hit' },
  { name: 'sign-up', title: 'Sign-up' },
] as const;

const root = document.getElementById('app') as HTMLElement;
let service: AdminService | null = null;
let view: AdminView | null = null;
let instead = loading();
let problem = '';
/** Increases with each change of page, so that a slow reply does not replace a later page. */
let showing = 0;

const partsOf = (fragment: string): string[] => {
  try {
    return fragment.replace(/^#\/?/, '').split('/').map(decodeURIComponent);
  } catch {
    return [];
  }
};

function open(workspace: AdminWorkspace, [page, first, second]: readonly string[]): Promise<AdminView> {
  if (page === 'work') return openWork(workspace);
  if (page === 'limits') return openLimits(workspace);
  if (page === 'sign-up') return openSignUp(workspace);
  if (first === 'search') return openAccounts(workspace, second ?? '');
  return first ? openAccount(workspace, first) : openAccounts(workspace, '');
}

async function load(isQuiet: boolean): Promise<void> {
  const with_ = service;
  if (with_ === null) return repaint();
  const ticket = ++showing;
  if (!isQuiet) [view, instead] = [null, loading()];
  repaint();
  try {
    const workspace: AdminWorkspace = { service: with_, repaint, refresh: () => load(true), go: (link) => go(link) };
    const opened = await open(workspace, partsOf(location.hash));
    if (ticket === showing) view = opened;
  } catch (err) {
    if (ticket !== showing) return;
    if (isSignedOut(err)) return leave(REFUSED);
    if (isQuiet && view) toast(messageOf(err), { isProblem: true });
    else [view, instead] = [null, failed(err, () => void load(false))];
  }
  if (ticket === showing) repaint();
}

function go(link: string): void {
  if (location.hash === link) void load(false);
  else location.hash = link;
}

function leave(why: string): void {
  sessionStorage.removeItem(STORED);
  [service, view, problem] = [null, null, why];
  repaint();
}

/** Signs in with a token that the service accepts. @throws when it refuses it */
async function enter(token: string): Promise<void> {
  const tried = adminService(token);
  try {
    await tried.signUp();
  } catch (err) {
    throw isSignedOut(err) ? new Error(REFUSED, { cause: err }) : err;
  }
  sessionStorage.setItem(STORED, token);
  [service, problem] = [tried, ''];
  await load(false);
}

const loginView = (): TemplateResult => html`
  <main class="centred" id="main">
    <div class="card">
      <p class="brand"><img src="/assets/seal.svg" alt="" width="34" height="34">Signet</p>
      <h1>Operate this service</h1>
      <p>Paste the token of this service. It is in the data folder of the machine that runs it:</p>
      <pre tabindex="0">cat data/admin.token</pre>
      <form @submit=${onSubmit((form) => enter(textIn(form, 'token')))}>
        <label for="token">Administrator token</label>
        <input id="token" name="token" type="password" class="mono" required autocomplete="off" aria-describedby="token-hint">
        <p class="hint" id="token-hint">Kept in this tab only.</p>
        <p class="problem" role="alert">${problem}</p>
        <button class="button primary wide">Sign in</button>
      </form>
    </div>
  </main>`;

function frame(content: TemplateResult): TemplateResult {
  const at = partsOf(location.hash)[0] || 'accounts';
  const skip = (event: Event): void => {
    event.preventDefault();
    document.getElementById('main')?.focus();
  };
  const signOut = (): void => {
    leave('');
    toast('Signed out.');
  };
  return html`
    <div id="desk" class="desk">
      <a class="skip" href="#main" @click=${skip}>Skip to the content</a>
      <header class="rail">
        <a class="brand" href="#/accounts"><img src="/assets/seal.svg" alt="" width="30" height="30">Signet</a>
        <nav aria-label="Sections" id="sections">
          ${PAGES.map(({ name, title }) => html`<a href="#/${name}" aria-current=${name === at ? 'page' : nothing}>${title}</a>`)}
        </nav>
        <div class="rail-foot"><button type="button" class="link" id="sign-out" @click=${signOut}>Sign out</button></div>
      </header>
      <main id="main" tabindex="-1">${keyed(location.hash, content)}</main>
    </div>`;
}

function repaint(): void {
  const title = PAGES.find(({ name }) => name === partsOf(location.hash)[0])?.title ?? 'Service';
  document.title = `${service === null ? 'Operate this service' : title} · Signet`;
  render(service === null ? loginView() : frame(view?.render() ?? instead), root);
}

globalThis.addEventListener('hashchange', async () => {
  await load(false);
  document.getElementById('main')?.focus({ preventScroll: true });
  scrollTo(0, 0);
});

root.replaceChildren();
showPlainly();
prepareToasts();
const stored = sessionStorage.getItem(STORED);
repaint();
if (stored !== null)
  await enter(stored).catch((err) => {
    leave(messageOf(err));
  });
