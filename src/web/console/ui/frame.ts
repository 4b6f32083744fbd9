import { html, nothing, type TemplateResult } from 'lit-html';
import { agentName } from './format.ts';
import { openPalette } from './palette.ts';
import { linkTo, readRoute } from './route.ts';
import { areLettersOn, letterOf } from './shortcut-keys.ts';
import { chooseTheme, keptTheme, THEMES, type Theme } from './theme.ts';
import { wordsOfAction, wordsOfPage } from './words/page-words.ts';
import type { Command, Page, Workspace } from './workspace.ts';

/** What is around every page: the navigation, the choice of the agent, the state of the connection. */

/** Pages that stand together in the navigation. */
export interface PageGroup {
  /** Empty for pages that need none. */
  title: string;
  pages: readonly Page[];
}

export interface Frame {
  workspace: Workspace;
  groups: readonly PageGroup[];
  /** Null where the address names no page. */
  current: Page | null;
  /** Who is logged in, as far as it is known. */
  person: string;
  isOnline: boolean;
  isBusy: boolean;
  content: TemplateResult;
  search(): void;
  signOut(): void;
}

/** The pages that this credential may use, for the account that is shown or for all agents of an operator. */
export function pagesFor({ operated, account }: Workspace, pages: readonly Page[]): Page[] {
  return pages.filter(({ place, scope }) =>
    place === 'operator' ? operated !== null : place !== 'linked' && account.scopes.includes(scope),
  );
}

/** The page that opens where the address names none. */
export function firstPage(workspace: Workspace, pages: readonly Page[]): Page {
  const all = pagesFor(workspace, pages);
  return all.find(({ place }) => place === 'operator' || workspace.operated === null) ?? all[0] ?? (pages[0] as Page);
}

/** Where a page is, for the account that is shown. */
export const linkOf = (workspace: Workspace, page: Page): string =>
  page.place === 'operator' ? linkTo(null, page.name) : workspace.link(page.name);

function entry({ workspace, current }: Frame, page: Page): TemplateResult {
  const waiting = page.place === 'operator' ? openDecisions(workspace) : 0;
  return html`
    <a href=${linkOf(workspace, page)} aria-current=${page === current ? 'page' : nothing}>
      <span>${page.label ?? page.title}</span>${waiting > 0 ? html` <span class="badge count">${waiting}</span>` : nothing}
    </a>`;
}

function group(state: Frame, { title, pages }: PageGroup): TemplateResult | typeof nothing {
  const allowed = pagesFor(state.workspace, pages);
  if (allowed.length === 0) return nothing;
  const entries = allowed.map((page) => entry(state, page));
  if (title === '') return html`<div class="rail-group">${entries}</div>`;
  const id = `rail-${title.toLowerCase()}`;
  return html`
    <div class="rail-group" role="group" aria-labelledby=${id}><span class="rail-title" id=${id}>${title}</span>${entries}</div>`;
}

function openDecisions({ operated }: Workspace): number {
  const { agents = [], waiting = [] } = operated ?? {};
  return agents.reduce(
    (sum, agent) => sum + agent.open_approvals + agent.open_reviews + agent.open_items,
    waiting.length,
  );
}

/** The page that is shown, for another agent. What only links lead to stays as it is. */
function sameIn(id: string, { place, name }: Page): string {
  if (place === 'operator') return linkTo(id, 'overview');
  return linkTo(id, name, ...(place === 'linked' ? readRoute(location.hash).parts : []));
}

/** The agents by name and the end of their id: several may have one name. */
function agentCommands({ workspace, current }: Frame): Command[] {
  const { operated, account, go } = workspace;
  const known = new Map((operated?.agents ?? []).map((agent) => [agent.account_id, agent]));
  const all = [...known.values()].map(({ account_id: id, name, addresses }) => ({ id, name, addresses }));
  // An operator may use a key for an account that is not in the list.
  if (!known.has(account.id)) all.push(account);
  return all.map(({ id, name, addresses }) => ({
    title: agentName(name),
    hint: `${addresses[0] ?? ''} …${id.slice(-4)}`,
    run() {
      // Choosing the agent that is shown already changes no address, so nothing else would fold it.
      foldMenu(workspace, false);
      go(current === null ? linkTo(id, 'overview') : sameIn(id, current));
    },
  }));
}

/** A button and not a list: the arrow keys of a list would lead away at each agent on their way. */
function agentChoice(state: Frame): TemplateResult | typeof nothing {
  const { operated, account } = state.workspace;
  if (operated === null) return nothing;
  return html`
    <div class="agent-choice">
      <span class="fine" id="agent-label">Agent</span>
      <button type="button" class="button quiet" id="agent" aria-haspopup="dialog" aria-labelledby="agent-label agent-name"
        @click=${() => openPalette(agentCommands(state), { label: 'Type the name of an agent' })}>
        <span id="agent-name"><span>${agentName(account.name)}</span><span>\u00a0· …${account.id.slice(-4)}</span></span>
      </button>
    </div>`;
}

const focusMain = (event: Event): void => {
  event.preventDefault();
  document.getElementById('main')?.focus();
};

/** Whether the list of pages is unfolded on a phone, where it would take four rows. Wider windows always show it. */
let isMenuOpen = false;

function foldMenu(workspace: Workspace, isOpen: boolean): void {
  isMenuOpen = isOpen;
  workspace.repaint();
}

/** Escape folds the list, and gives the focus back to its button. */
const foldByKey = (workspace: Workspace) => (event: KeyboardEvent) => {
  if (event.key !== 'Escape' || !isMenuOpen) return;
  foldMenu(workspace, false);
  document.getElementById('menu')?.focus();
};

/** The key of the palette, as this platform names it. */
const paletteKey = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';

const themeChoice = (): TemplateResult => html`
  <fieldset class="theme">
    <legend class="visually-hidden">Theme</legend>
    ${Object.entries(THEMES).map(
      ([theme, label]) => html`
        <label><input type="radio" name="theme" value=${theme} class="visually-hidden" ?checked=${theme === keptTheme()}
          @change=${() => chooseTheme(theme as Theme)}><span>${label}</span></label>`,
    )}
  </fieldset>`;

export function frame(state: Frame): TemplateResult {
  const { workspace, groups, person, isOnline, isBusy, content, search, signOut } = state;
  const chosen = (event: Event): void => {
    if (isMenuOpen && (event.target as Element).closest('a')) foldMenu(workspace, false);
  };
  return html`
    <div id="desk" class="desk">
      <a class="skip" href="#main" id="skip" @click=${focusMain}>Skip to the content</a>
      <header class="rail">
        <a class="brand" href="/"><img src="/assets/seal.svg" alt="" width="30" height="30">Signet</a>
        <button type="button" class="button quiet palette-open" id="search" aria-keyshortcuts="Control+K Meta+K" @click=${search}>
          Search <kbd>${paletteKey}</kbd>
        </button>
        <button type="button" class="button quiet" id="menu" aria-expanded=${isMenuOpen} aria-controls="sections"
          @click=${() => foldMenu(workspace, !isMenuOpen)} @keydown=${foldByKey(workspace)}>Menu</button>
        <nav aria-label="Sections" id="sections" class=${isMenuOpen ? 'foldable open' : 'foldable'}
          @click=${chosen} @keydown=${foldByKey(workspace)}>
          ${groups.map((one, at) => (at === 1 ? [agentChoice(state), group(state, one)] : group(state, one)))}
        </nav>
        <div class="rail-foot">
          <p class="signed-in" title=${person}><span class="visually-hidden">Logged in: </span>${person}</p>
          ${themeChoice()}
          <button type="button" class="link" id="sign-out" @click=${signOut}>Sign out</button>
        </div>
      </header>
      <main id="main" tabindex="-1" aria-busy=${isBusy ? 'true' : nothing}>
        ${isOnline ? nothing : html`<p class="banner" role="status">No connection. What you see may be out of date.</p>`}
        ${content}
      </main>
    </div>`;
}

/** What a person may start from every page. */
export function actionsOf({ account, go, link }: Workspace): Command[] {
  const [address] = account.addresses;
  const may = (scope: Page['scope']): boolean => account.scopes.includes(scope);
  const keys = areLettersOn() ? { keys: 'c' } : {};
  return [
    ...(address !== undefined && may('mail:send')
      ? [{ title: 'Send a mail', ...keys, run: () => go(link('mail', address, 'new')) }]
      : []),
    ...(may('calendar:write') ? [{ title: 'New event', run: () => go(link('calendar', 'new')) }] : []),
    ...(may('account:manage') ? [{ title: 'New named key', run: () => go(link('keys', 'new')) }] : []),
  ];
}

/** The entries of the palette that are there on every page. */
export function frameCommands(workspace: Workspace, pages: readonly Page[]): Command[] {
  const toPages = pagesFor(workspace, pages).map((page) => ({
    title: `Go to ${page.title}`,
    words: wordsOfPage(page.name),
    ...(areLettersOn() && letterOf(page.name) ? { keys: `g ${letterOf(page.name)}` } : {}),
    run: () => workspace.go(linkOf(workspace, page)),
  }));
  const toAgents = (workspace.operated?.agents ?? []).map((agent) => ({
    title: agentName(agent.name),
    hint: `Open agent · ${agent.addresses[0] ?? agent.account_id}`,
    run: () => workspace.go(linkTo(agent.account_id, 'overview')),
  }));
  const actions = actionsOf(workspace).map((action) => ({ words: wordsOfAction(action.title), ...action }));
  return [...actions, ...toPages, ...toAgents];
}
