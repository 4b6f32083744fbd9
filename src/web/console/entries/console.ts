import { html, render, type TemplateResult } from 'lit-html';
import { keyed } from 'lit-html/directives/keyed.js';
import type { GetAccountReply } from '../../../client/generated/operations.ts';
import type { SignetClient } from '../../../client/signet-client.ts';
import {
  chooseCredential,
  offerActivation,
  readOperated,
  sessionFor,
  sessionInFragment,
} from '../parts/login/account-entry.ts';
import { loginView, useLinkSoon } from '../parts/login/login-view.ts';
import { hasCode, isSignedOut, isUnreachable, messageOf, serviceFor } from '../ui/console-service.ts';
import {
  forgetCredential,
  isOpened,
  isSession,
  replaceCredential,
  storeCredential,
  storedCredential,
  takeReturn,
} from '../ui/console-session.ts';
import { firstPage, frame, frameCommands } from '../ui/frame.ts';
import { forgetTyped, saveTyped, unsavedTexts } from '../ui/kept-text.ts';
import { Arrivals, Live } from '../ui/live.ts';
import { answerOtherTabs, askOtherTabs, markOpened, tellSignedOut } from '../ui/other-tabs.ts';
import { Parts } from '../ui/page-parts.ts';
import { openPalette } from '../ui/palette.ts';
import { finderFor } from '../ui/palette-finder.ts';
import { failed, loading, nothingHere } from '../ui/placeholders.ts';
import { showPlainly } from '../ui/plain-text.ts';
import { linkTo, type Route, readRoute } from '../ui/route.ts';
import { followSearchFields } from '../ui/search-fields.ts';
import { followKeys, type ShortcutDeps, shortcutsCommand } from '../ui/shortcuts.ts';
import { confirmed, prepareToasts, toast } from '../ui/toast.ts';
import { wordsOfAction } from '../ui/words/page-words.ts';
import type { Operated, Page, View, Workspace } from '../ui/workspace.ts';
import { groups, pages } from './page-list.ts';

/** The console: who is logged in, and the page that the fragment names. */

const SKELETON_AFTER_MS = 150;
/** The first page has the line to itself. */
const LOAD_AFTER_MS = 3000;

interface SignedIn {
  credential: string;
  service: SignetClient;
  own: GetAccountReply;
  operated: Operated | null;
  /** The address of the person whose session this is; null for a key, and until it is known. */
  person: string | null;
}

/** The address names no page. */
class NothingHere extends Error {}

const root = document.getElementById('app') as HTMLElement;
const live = new Live();
const arrivals = new Arrivals();
let signedIn: SignedIn | null = null;
let workspace: Workspace | null = null;
let current: { workspace: Workspace; page: Page; view: View; parts: Parts; hash: string } | null = null;
/** The page that the address names; null: none of the account that is shown. */
let named: Page | null = null;
/** What is shown instead of a view: while it loads, and when it failed. */
let instead = loading();
/** Whether the page that opens is another one, which gets the focus. */
let isArriving = false;
let isBusy = false;
let isOnline = true;
/** Whether the last reading of the page that is shown failed. */
let isStale = false;
let problem = '';
/** Goes on with the session of another tab, where the login page may. */
let goOn: (() => Promise<void>) | null = null;
/** Where a session ended by itself, and whose it was. */
let ended: { accountId: string; hash: string } | null = null;
/** Increases with each change of page, so that a slow reply does not replace a later page. */
let showing = 0;

/** The frame of the page as served stays until there is something to show. */
function draw(content: TemplateResult): void {
  root.querySelector(':scope > .served')?.remove();
  render(content, root);
}

/** The address names an account that cannot be seen, and no other was opened. */
const astray = (why: TemplateResult): TemplateResult => html`
  <main class="centred"><div>${why}<p class="actions"><a class="button" href="#/">Go to the start</a></p></div></main>`;

function repaint(): void {
  if (signedIn === null || workspace === null) {
    if (signedIn === null && !isBusy) draw(loginView({ problem, goOn, repaint, enter }));
    else if (!isBusy) draw(astray(instead));
    else if (!root.querySelector(':scope > .served')) draw(html`<main class="centred">${loading()}</main>`);
    document.title = 'Log in · Signet';
    return;
  }
  const page = current?.page ?? named;
  // Another account or page gets new forms: without a key, the same elements would keep what was typed.
  const content = current
    ? html`${keyed(`${current.workspace.account.id} ${current.page.name}`, current.view.render())}`
    : instead;
  const search = (): void => void palette();
  const { own, person } = signedIn;
  const who = person ?? own.addresses[0] ?? `Key ${own.key_prefix}…`;
  const signOut = (): void => void leave();
  const around = { workspace, groups, current: page, person: who, isOnline, isBusy, search, signOut };
  draw(frame({ ...around, content }));
  document.title = `${page?.title ?? 'Nothing here'} · Signet`;
}

function forgetPages(): void {
  for (const page of pages) page.forget?.();
}

function signOut(why: string): void {
  live.end();
  forgetPages();
  if (signedIn) forgetCredential(signedIn.credential);
  // Who logs in again after the session has ended goes on where they were.
  ended = why === '' || !signedIn ? null : { accountId: signedIn.own.id, hash: location.hash };
  [signedIn, workspace, current, problem, goOn] = [null, null, null, why, null];
  history.replaceState(null, '', '/dashboard');
  repaint();
}

const LOST = 'What you wrote is in this browser alone, and signing out deletes it there.';

async function leave(): Promise<void> {
  await saveTyped();
  if (unsavedTexts().length > 0 && !(await confirmed('Sign out and lose unsent text?', LOST, 'Sign out'))) return;
  forgetTyped();
  // Signing out also works without the service. A session that it cannot end now expires within a day.
  if (signedIn && isOpened(signedIn.credential))
    void signedIn.service
      .logout()
      .catch(() => {})
      .then(tellSignedOut);
  signOut('');
  toast('Signed out.');
}

/** What a person reads when the credential of the tab stopped working. It was right once, so its text is not at fault. */
const endedWords = (credential: string): string =>
  isOpened(credential)
    ? 'Your session has ended. Log in again to go on.'
    : 'This key no longer works: it was replaced or deleted, or its time is over.';

/** The workspace for the account that the address names. */
async function workspaceFor(who: SignedIn, account: string | null): Promise<Workspace> {
  const selected = account === who.own.id ? null : account;
  const serviceOf = (id: string): SignetClient => (id === who.own.id ? who.service : who.service.forAccount(id));
  const service = selected === null ? who.service : serviceOf(selected);
  return {
    service,
    serviceOf,
    account: selected === null ? who.own : await service.getAccount({}),
    selected,
    operated: who.operated,
    isSession: isSession(who.credential),
    readOperated: operatedAgain,
    repaint,
    refresh,
    go(link) {
      location.hash = link;
    },
    link: (page, ...parts) => linkTo(selected, page, ...parts),
    signOut,
    async replaceKey(key) {
      // The session of the former key ended with it.
      const credential = await sessionFor(key);
      replaceCredential(who.credential, credential);
      if (signedIn) signedIn = { ...signedIn, credential, service: serviceFor(credential) };
      workspace = null;
    },
  };
}

/** Makes sure that the workspace is the one of the address. Following the events starts with it. */
async function selectAccount(who: SignedIn, account: string | null, ticket: number): Promise<Workspace> {
  const selected = account === who.own.id ? null : account;
  if (workspace && workspace.selected === selected) return workspace;
  const made = await workspaceFor(who, selected);
  if (signedIn !== who || ticket !== showing) return made;
  workspace = made;
  live.end();
  // What still waits is of the account before.
  arrivals.drop();
  if (made.account.scopes.includes('events:read')) live.follow(made.service, (event) => arrivals.add(event), catchUp);
  return made;
}

/** The service is in reach again: makes up for what failed meanwhile. @param mustRead whether events may be missing */
function catchUp(mustRead: boolean): void {
  if (mustRead || ((isStale || current?.parts.problems.length) && !isBusy)) return void open(!isBusy);
  arrivals.retry();
  if (isOnline) return;
  isOnline = true;
  repaint();
}

const pageAt = ({ page }: Route, at: Workspace): Page | null =>
  page === '' ? firstPage(at, pages) : (pages.find(({ name }) => name === page) ?? null);

/** @param isQuiet keeps what is shown until the page has loaded again */
async function open(isQuiet: boolean): Promise<void> {
  const who = signedIn;
  if (who === null) return repaint();
  const ticket = ++showing;
  const { hash } = location;
  const route = readRoute(hash);
  isBusy = true;
  arrivals.hold();
  const waiting = setTimeout(() => {
    if (ticket !== showing || isQuiet) return;
    [current, instead] = [null, loading()];
    repaint();
  }, SKELETON_AFTER_MS);
  /** Not the page of another account, when this one cannot be seen. */
  let page: Page | null = null;
  try {
    const at = await selectAccount(who, route.account, ticket);
    page = pageAt(route, at);
    if (page === null) throw new NothingHere();
    if (ticket === showing) named = page;
    // A page of all agents follows their events itself, and shows nothing of these.
    if (page.place !== 'operator') await live.ready;
    const parts = new Parts(isQuiet && current?.hash === hash ? current.parts : null, repaint);
    const view = await page.open(at, route.parts, parts.read);
    if (ticket !== showing) return view.close?.();
    parts.requireSome(view);
    current?.view.close?.();
    current = { workspace: at, page, view, parts, hash };
    [isOnline, isStale] = [true, false];
  } catch (err) {
    if (ticket === showing) {
      named = page;
      fault(err, isQuiet);
    }
  } finally {
    clearTimeout(waiting);
    if (ticket === showing) {
      isBusy = false;
      arrivals.release(current?.view ?? null);
      repaint();
      if (isArriving) arrive();
    }
  }
}

/** Moving the focus announces the change of page to screen readers, as a page load would. Once: later it would steal it. */
function arrive(): void {
  isArriving = false;
  const target = root.querySelector<HTMLElement>('[data-focus]') ?? document.getElementById('main');
  target?.focus({ preventScroll: true });
  scrollTo(0, 0);
}

function fault(err: unknown, isQuiet: boolean): void {
  if (isSignedOut(err)) {
    signOut(endedWords(signedIn?.credential ?? ''));
    return;
  }
  if (isUnreachable(err)) isOnline = false;
  if (isQuiet && current) {
    isStale = true;
    toast(messageOf(err), { isProblem: true });
    return;
  }
  current = null;
  instead = err instanceof NothingHere ? nothingHere() : failed(err, () => void open(false));
}

async function operatedAgain(): Promise<void> {
  const who = signedIn;
  if (!who?.operated) return;
  who.operated = await readOperated(who.service, who.credential);
  if (workspace && signedIn === who) workspace.operated = who.operated;
}

async function readAccount(): Promise<void> {
  // The operator's own pages read it themselves.
  if (current?.page.place !== 'operator') await operatedAgain();
  const [who, at] = [signedIn, workspace];
  if (!at || !who) return;
  at.account = await at.service.getAccount({});
  if (at.selected === null) who.own = at.account;
}

async function refresh(): Promise<void> {
  await readAccount().catch((err) => fault(err, true));
  await open(true);
}

/** Signs in. @throws when the credential is refused */
async function enter(given: string, remember = false): Promise<void> {
  try {
    const credential = await sessionFor(given);
    const service = serviceFor(credential);
    const [own, operated] = await Promise.all([service.getAccount({}), readOperated(service, credential)]);
    storeCredential(credential, remember && !isSession(credential));
    markOpened(credential);
    forgetPages();
    [signedIn, workspace, current, problem] = [{ credential, service, own, operated, person: null }, null, null, ''];
  } catch (err) {
    if (hasCode(err, 'backup_key_only_activates') && (await offerActivation(given))) return enter(given, remember);
    throw isSignedOut(err) ? new Error('This key is not valid. Check that you copied all of it.', { cause: err }) : err;
  }
  if (location.pathname !== '/dashboard') history.replaceState(null, '', '/dashboard');
  if (ended?.accountId === signedIn.own.id && location.hash === '') history.replaceState(null, '', ended.hash);
  ended = null;
  await open(false);
  void namePerson();
}

/** Reads whose session this is. The page does not wait for it, and shows the account where it cannot be read. */
async function namePerson(): Promise<void> {
  const who = signedIn;
  if (!isSession(who?.credential ?? null)) return;
  const found = await who?.service.listSessions({}).catch(() => null);
  const person = found?.sessions.find(({ current: isThis }) => isThis)?.address;
  if (who === null || person === undefined) return;
  who.person = person;
  repaint();
}

/** `/console/try?operation=sendEmail`, as the reference links it, is a page of the console. */
function openLinked(): void {
  if (location.pathname !== '/console/try') return;
  const name = new URLSearchParams(location.search).get('operation') ?? '';
  history.replaceState(null, '', `/dashboard${linkTo(null, 'try', ...(/^\w+$/.test(name) ? [name] : []))}`);
}

/** After the first page, so that each other opens at once, also if the service is upgraded or out of reach by then. */
async function loadPages(): Promise<void> {
  for (const { load } of pages) await load?.().catch(() => {});
}

async function start(): Promise<void> {
  openLinked();
  // While the account is read.
  const { page } = readRoute(location.hash);
  void pages
    .find(({ name }) => name === page)
    ?.load?.()
    .catch(() => {});
  const offered = sessionInFragment();
  const isLogin = location.pathname === '/login';
  isBusy = !isLogin || (location.hash === '' && storedCredential() !== null);
  repaint();
  if (isLogin && location.hash !== '') return useLinkSoon();
  // Also beside the session of a link: one that another person sent must not take the place of that of the other tabs.
  const held = storedCredential() ?? (isLogin ? null : await askOtherTabs());
  // Who comes to the login page may want another login than the one of another tab.
  if (isLogin && held === null) void offerOther();
  const isChoice = held !== null && offered !== null && held !== offered;
  const credential = isChoice ? await chooseCredential(held, offered) : (offered ?? held);
  // The link was asked for by a page that waits for it.
  const back = offered !== null && credential === offered ? takeReturn() : null;
  if (back !== null && credential !== null) {
    storeCredential(credential);
    location.replace(back);
  } else if (credential !== null) {
    await enter(credential).catch((err) => {
      // Any other failure may pass, and the key could be the only copy.
      const hasEnded = err instanceof Error && isSignedOut(err.cause);
      if (hasEnded) forgetCredential(credential);
      problem = hasEnded ? endedWords(credential) : messageOf(err);
    });
  }
  isBusy = false;
  repaint();
}

async function offerOther(): Promise<void> {
  const session = await askOtherTabs();
  if (session === null || signedIn !== null) return;
  goOn = () => enter(session);
  repaint();
}

async function palette(): Promise<void> {
  if (workspace === null) return;
  const ofPage = current?.view.commands?.() ?? [];
  const others = [
    shortcutsCommand(shortcuts),
    { title: 'Sign out', words: wordsOfAction('Sign out'), run: () => leave() },
  ];
  await openPalette([...ofPage, ...frameCommands(workspace, pages), ...others], {
    label: 'Find a page, an action, mail, a secret …',
    find: finderFor(workspace),
  });
}

const shortcuts: ShortcutDeps = { workspace: () => workspace, pages, openPalette: () => void palette() };

globalThis.addEventListener('hashchange', async (event) => {
  dropFilters(event);
  if (location.hash.startsWith('#session=')) return start();
  if (signedIn === null) return repaint();
  isArriving = true;
  await open(false);
});
globalThis.addEventListener('offline', () => {
  isOnline = false;
  repaint();
});
// The streams go on after their last event. Reading the page again would close what a person opened in it.
globalThis.addEventListener('online', () => catchUp(current === null));
// Going back may restore the page from the cache without running its script again.
globalThis.addEventListener('pageshow', (event) => event.persisted && void start());

/** The filters of a list are no other page's: a link within the page takes them along, one to another page does not. */
function dropFilters({ oldURL, newURL }: HashChangeEvent): void {
  const [from, to] = [new URL(oldURL), new URL(newURL)];
  const isSamePage = readRoute(from.hash).page === readRoute(to.hash).page;
  // Going back leads to the filters that were there.
  if (to.search !== '' && from.search === to.search && !isSamePage)
    history.replaceState(null, '', to.pathname + to.hash);
}

followKeys(shortcuts);
answerOtherTabs(
  () => signedIn?.credential ?? null,
  async () => {
    if (signedIn !== null) await refresh();
    // A form that closed with the session wrote its text again.
    if (signedIn === null) forgetTyped();
  },
);
showPlainly();
followSearchFields();
prepareToasts();
await start();
setTimeout(() => void loadPages(), LOAD_AFTER_MS);
