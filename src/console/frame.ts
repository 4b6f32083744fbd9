import { html, nothing, type TemplateResult } from 'lit-html';
import type { Desk, Page } from './desk.ts';
import { agentName, fill } from './format.ts';
import { linkTo } from './route.ts';
import { words } from './words.ts';

/** What is around every page: the navigation, the choice of the agent, the state of the connection. */

export interface Frame {
  desk: Desk;
  pages: readonly Page[];
  current: Page;
  isOnline: boolean;
  isBusy: boolean;
  content: TemplateResult;
  search(): void;
  signOut(): void;
}

/** The pages that this credential may use, for the account that is shown or for all agents of an operator. */
export function pagesFor({ operated, account }: Desk, pages: readonly Page[]): Page[] {
  return pages.filter(({ place, scope }) =>
    place === 'operator' ? operated !== null : place !== 'hidden' && account.scopes.includes(scope),
  );
}

const linkOf = (desk: Desk, page: Page): string =>
  page.place === 'operator' ? linkTo(null, page.name) : desk.link(page.name);

function entry({ desk, current }: Frame, page: Page): TemplateResult {
  const waiting = page.place === 'operator' ? openDecisions(desk) : 0;
  return html`
    <a href=${linkOf(desk, page)} aria-current=${page === current ? 'page' : nothing}>
      ${page.title}${waiting > 0 ? html` <span class="badge count">${waiting}</span>` : nothing}
    </a>`;
}

function openDecisions({ operated }: Desk): number {
  const { agents = [], waiting = [] } = operated ?? {};
  return agents.reduce((sum, agent) => sum + agent.open_approvals + agent.open_reviews, waiting.length);
}

function agentChoice({ desk, current }: Frame): TemplateResult | typeof nothing {
  const { operated, account, selected } = desk;
  if (operated === null) return nothing;
  const choose = (event: Event): void => {
    const id = (event.target as HTMLSelectElement).value;
    desk.go(linkTo(id, current.place === undefined ? current.name : 'overview'));
  };
  const shown = selected ?? account.id;
  const names = new Map(operated.agents.map((agent) => [agent.account_id, agent.name]));
  if (!names.has(account.id)) names.set(account.id, account.name);
  return html`
    <label class="agent-choice"><span class="fine">${words.frame.agent}</span>
      <select @change=${choose}>
        ${[...names].map(([id, name]) => html`<option value=${id} .selected=${id === shown}>${agentName(name)} · …${id.slice(-4)}</option>`)}
      </select>
    </label>`;
}

const focusMain = (event: Event): void => {
  event.preventDefault();
  document.getElementById('main')?.focus();
};

/** The key of the palette, as this platform names it. */
const paletteKey = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';

export function frame(state: Frame): TemplateResult {
  const { desk, pages, isOnline, isBusy, content, search, signOut } = state;
  const allowed = pagesFor(desk, pages);
  return html`
    <div id="desk" class="desk">
      <a class="skip" href="#main" id="skip" @click=${focusMain}>${words.frame.skip}</a>
      <header class="rail">
        <a class="brand" href="/"><img src="/assets/seal.svg" alt="" width="30" height="30">${words.frame.brand}</a>
        <button type="button" class="button quiet palette-open" id="search" aria-keyshortcuts="Control+K Meta+K" @click=${search}>
          ${words.frame.palette} <kbd>${paletteKey}</kbd>
        </button>
        <nav aria-label=${words.frame.sections} id="sections">
          ${allowed.filter(({ place }) => place === 'operator').map((page) => entry(state, page))}
          ${agentChoice(state)}
          ${allowed.filter(({ place }) => place !== 'operator').map((page) => entry(state, page))}
        </nav>
        <div class="rail-foot"><button type="button" class="link" id="sign-out" @click=${signOut}>${words.frame.signOut}</button></div>
      </header>
      <main id="main" tabindex="-1" aria-busy=${isBusy ? 'true' : nothing}>
        ${isOnline ? nothing : html`<p class="banner" role="status">${words.states.offlineBanner}</p>`}
        ${content}
      </main>
    </div>`;
}

/** The entries of the palette that are there on every page. */
export function frameCommands(desk: Desk, pages: readonly Page[]) {
  const toPages = pagesFor(desk, pages).map((page) => ({
    title: fill(words.frame.goTo, { page: page.title }),
    run: () => desk.go(linkOf(desk, page)),
  }));
  const toAgents = (desk.operated?.agents ?? []).map((agent) => ({
    title: agentName(agent.name),
    hint: `${words.frame.openAgent} · ${agent.addresses[0] ?? agent.account_id}`,
    run: () => desk.go(linkTo(agent.account_id, 'overview')),
  }));
  return [...toPages, ...toAgents];
}
