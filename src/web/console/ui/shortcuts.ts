import { html, type TemplateResult } from 'lit-html';
import { actionsOf, linkOf, pagesFor } from './frame.ts';
import { areLettersOn, letterOf, switchLetters } from './shortcut-keys.ts';
import { ask, undoToast } from './toast.ts';
import type { Command, Page, Workspace } from './workspace.ts';

/**
 * Shortcuts of single keys: `g` and a letter leads to a page, `c` writes a mail, `/` searches, `j` and `k` move in a
 * list, `z` takes back, `?` lists them. What a page marks with `data-key` is pressed by its own key. They never act while a person types, and never in a dialog.
 */

export interface ShortcutDeps {
  /** Null without a login. */
  workspace(): Workspace | null;
  pages: readonly Page[];
  openPalette(): void;
}

/** In these, a key is text, or chooses an option. */
const FIELDS = 'input:not([type="checkbox"], [type="radio"], [type="file"]), textarea, select, [contenteditable]';

/** `j` and `k` move the focus through these. Enter opens the focused one, if it leads anywhere. */
const ENTRIES = ':is(.letters, .entries, .needs, .agent-cards) > li, tbody > tr';

/**
 * What gets the focus: the link that opens the entry. What waits for a decision has several buttons, and Enter must not
 * decide, so there it is the entry itself, as where nothing opens; Tab leads on to its buttons.
 */
function targetOf(entry: HTMLElement): HTMLElement {
  const link = entry.parentElement?.matches('.needs') ? null : entry.querySelector<HTMLElement>('a[href]');
  if (link !== null) return link;
  // Only as long as it has the focus: Tab is to pass over it as before.
  entry.tabIndex = 0;
  entry.addEventListener('blur', () => entry.removeAttribute('tabindex'), { once: true });
  return entry;
}

/**
 * Moves the focus to the next entry, or with -1 to the one before. The first move starts at the entry that is open, as a
 * mail beside its list, else at the top.
 * @returns false when the page has no entries
 */
function moveInList(step: 1 | -1): boolean {
  const entries = [...document.querySelectorAll<HTMLElement>(`main :is(${ENTRIES})`)].filter((one) =>
    one.checkVisibility(),
  );
  const focused = entries.findLastIndex((one) => one.contains(document.activeElement));
  const at = focused >= 0 ? focused : entries.findIndex((one) => one.querySelector('a[aria-current="true"]') !== null);
  const next = entries[at < 0 ? 0 : Math.min(Math.max(at + step, 0), entries.length - 1)];
  if (next !== undefined) targetOf(next).focus();
  return next !== undefined;
}

/** Presses what a page offers for a key: in the focused entry, in the one that is open, or outside of its entries. */
function pressKey(key: string): boolean {
  const places = [
    document.activeElement?.closest('li'),
    document.querySelector('main li:has(> [aria-current="true"])'),
  ];
  const found = [
    ...places.flatMap((place) => [...(place?.querySelectorAll<HTMLElement>('[data-key]') ?? [])]),
    ...document.querySelectorAll<HTMLElement>('main [data-key]:not(li *)'),
  ].find((one) => one.dataset.key === key && one.checkVisibility());
  found?.click();
  return found !== undefined;
}

/** The search field of the page, else the palette. */
function search({ openPalette }: ShortcutDeps): void {
  const found = document.querySelector<HTMLInputElement>('main input[type="search"]');
  if (found === null) openPalette();
  found?.focus();
  found?.select();
}

/** Opens the list of all shortcuts, with the switch. */
async function showShortcuts({ workspace, pages }: ShortcutDeps): Promise<void> {
  const at = workspace();
  if (at === null || document.querySelector('dialog[open]')) return;
  const toPages = pagesFor(at, pages).flatMap(({ name, title }): [string[], string][] => {
    const letter = letterOf(name);
    return letter === undefined ? [] : [[['g', letter], `Go to ${title}`]];
  });
  const rows: [string[], string][] = [
    [['?'], 'Keyboard shortcuts'],
    [['/'], 'Search'],
    [['j'], 'Next entry of the page'],
    [['k'], 'Previous entry'],
    [['Enter'], 'Open the entry'],
    [['c'], 'Send a mail'],
    [['z'], 'Undo what a notice offers to undo'],
    [['x'], 'Mail: select the entry'],
    [['*'], 'Mail: select all, or none'],
    [['s'], 'Mail: star'],
    [['e'], 'Mail: archive, or move to the inbox'],
    [['!'], 'Mail: spam'],
    [['#'], 'Mail: delete'],
    ...toPages,
  ];
  const turn = (event: Event): void => switchLetters((event.target as HTMLInputElement).checked);
  const entry = ([keys, title]: [string[], string]): TemplateResult =>
    html`<div><dt>${keys.map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${title}</dd></div>`;
  await ask(
    (close) => html`
      <h2 id="dialog-title">Keyboard shortcuts</h2>
      <p>They work while you are not typing in a field. Press the keys one after the other.</p>
      <label class="check"><input type="checkbox" id="letters" ?checked=${areLettersOn()} @change=${turn}> Use single-key shortcuts on this device</label>
      <dl class="shortcuts">${rows.map(entry)}</dl>
      <p class="actions"><button type="button" class="button" autofocus @click=${() => close('')}>Close</button></p>`,
  );
}

/** The entry of the palette: it also leads there when shortcuts of single keys are off. */
export const shortcutsCommand = (deps: ShortcutDeps): Command => ({
  title: 'Keyboard shortcuts',
  ...(areLettersOn() ? { keys: '?' } : {}),
  run: () => showShortcuts(deps),
});

const isForPage = ({ target, ctrlKey, metaKey, altKey, isComposing, repeat }: KeyboardEvent): boolean =>
  !(ctrlKey || metaKey || altKey || isComposing || repeat) &&
  !(target instanceof Element && target.closest(FIELDS)) &&
  !document.querySelector('dialog[open]');

/** Acts on the keys of the page from now on. */
export function followKeys(deps: ShortcutDeps): void {
  /** Whether `g` was pressed, and the letter of a page comes next. */
  let isGoing = false;
  const act = (workspace: Workspace, key: string): boolean => {
    const wasGoing = isGoing;
    isGoing = false;
    if (wasGoing) {
      const page = pagesFor(workspace, deps.pages).find(({ name }) => letterOf(name) === key);
      if (page) workspace.go(linkOf(workspace, page));
      return page !== undefined;
    }
    if (key === 'g') isGoing = true;
    else if (key === 'c')
      void actionsOf(workspace)
        .find(({ keys }) => keys === key)
        ?.run();
    else if (key === '/') search(deps);
    else if (key === '?') void showShortcuts(deps);
    else if (key === 'j' || key === 'k') return moveInList(key === 'j' ? 1 : -1);
    else if (key === 'z') return undoToast();
    else return pressKey(key);
    return true;
  };
  globalThis.addEventListener('pointerdown', () => {
    isGoing = false;
  });
  globalThis.addEventListener('keydown', (event) => {
    const workspace = deps.workspace();
    if (workspace === null || event.defaultPrevented) return;
    const key = event.key.toLowerCase();
    if (key === 'k' && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      deps.openPalette();
    } else if (isForPage(event) && areLettersOn() && act(workspace, key)) event.preventDefault();
  });
}
