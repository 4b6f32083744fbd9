import { byId, el } from './dom.js';
import { copyFrom } from './notice.js';

/**
 * The documentation: copy buttons, language tabs, the menu of narrow screens, and search while typing.
 *
 * The console keeps a login in the storage of this origin. These pages read no storage: the language goes along in the address.
 */

const WAIT_MS = 150;
const SHOWN_RESULTS = 8;

for (const figure of document.querySelectorAll('.code')) {
  const code = figure.querySelector('pre');
  if (!code) continue;
  const button = el('button', { type: 'button', class: 'copy', onclick: () => copyFrom(code) }, 'Copy');
  figure.querySelector('figcaption')?.append(button);
}

/**
 * Shows one language in every group that has it.
 * @param {string} language
 */
function choose(language) {
  for (const group of document.querySelectorAll('.languages')) {
    if (!group.querySelector(`.code[data-language="${language}"]`)) continue;
    for (const figure of group.querySelectorAll('.code'))
      if (figure instanceof HTMLElement) figure.hidden = figure.dataset.language !== language;
    for (const tab of group.querySelectorAll('[role="tab"]')) {
      const isChosen = tab instanceof HTMLElement && tab.dataset.language === language;
      tab.setAttribute('aria-selected', String(isChosen));
      tab.setAttribute('tabindex', isChosen ? '0' : '-1');
    }
  }
}

/**
 * Takes the language along to the other pages.
 * @param {string | null} language
 */
function carry(language) {
  if (language === null) return;
  for (const link of document.querySelectorAll('a[href^="/docs"]')) {
    if (!(link instanceof HTMLAnchorElement) || link.pathname.endsWith('.md')) continue;
    const url = new URL(link.href);
    url.searchParams.set('lang', language);
    link.href = url.pathname + url.search + url.hash;
  }
}

/** The language that the address names. */
const chosenLanguage = () => new URLSearchParams(location.search).get('lang')?.replace(/[^a-z]/g, '') ?? null;

/** @param {KeyboardEvent} event */
function moveTab(event) {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  const tab = event.currentTarget;
  if (step === 0 || !(tab instanceof HTMLElement)) return;
  const tabs = [...(tab.parentElement?.children ?? [])];
  const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
  if (!(next instanceof HTMLElement)) return;
  next.focus();
  next.click();
}

let panels = 0;
for (const group of document.querySelectorAll('.languages')) {
  const list = el('div', { role: 'tablist', 'aria-label': 'Language' });
  for (const figure of group.querySelectorAll('.code')) {
    if (!(figure instanceof HTMLElement)) continue;
    const language = figure.dataset.language ?? '';
    const label = figure.querySelector('figcaption')?.firstChild?.textContent ?? language;
    const id = `panel-${panels++}`;
    // Not the figure itself: one with a caption has no other role.
    const panel = el('div', { id, role: 'tabpanel', 'aria-label': label });
    figure.replaceWith(panel);
    panel.append(figure);
    const onclick = () => {
      const url = new URL(location.href);
      url.searchParams.set('lang', language);
      history.replaceState(null, '', url);
      choose(language);
      carry(language);
    };
    const props = { type: 'button', role: 'tab', 'aria-controls': id, 'data-language': language };
    list.append(el('button', { ...props, onclick, onkeydown: moveTab }, label));
  }
  group.prepend(list);
}
choose('sh');
choose(chosenLanguage() ?? 'sh');
carry(chosenLanguage());

const drawer = document.querySelector('.drawer');
if (drawer instanceof HTMLDetailsElement && matchMedia('(max-width: 52rem)').matches) drawer.open = false;

const input = byId('q', HTMLInputElement);
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea, select');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  input.focus();
});

const form = /** @type {HTMLFormElement} */ (input.form);
const suggestions = el('ul', { class: 'suggestions', hidden: true });
form.append(suggestions);

/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;
let asked = 0;

/** @typedef {{url: string, context: string, title_parts: string[], passage_parts: string[]}} Result */

/**
 * Every second part is a word that was found.
 * @param {string[]} parts
 */
const marked = (parts) => parts.map((part, i) => (i % 2 === 0 ? part : el('mark', {}, part)));

async function suggest() {
  const question = input.value.trim();
  const turn = ++asked;
  if (question === '') {
    suggestions.hidden = true;
    return;
  }
  const reply = await fetch(`/docs/search?q=${encodeURIComponent(question)}`, {
    headers: { accept: 'application/json' },
  });
  if (!reply.ok || turn !== asked) return;
  const { results } = await reply.json();
  suggestions.replaceChildren(
    ...results
      .slice(0, SHOWN_RESULTS)
      .map((/** @type {Result} */ { url, context, title_parts, passage_parts }) =>
        el(
          'li',
          {},
          el(
            'a',
            { href: url },
            ...marked(title_parts),
            el('span', {}, context),
            el('span', { class: 'passage' }, ...marked(passage_parts)),
          ),
        ),
      ),
  );
  suggestions.hidden = results.length === 0;
  carry(chosenLanguage());
}

input.addEventListener('input', () => {
  clearTimeout(waiting);
  waiting = setTimeout(suggest, WAIT_MS);
});
form.addEventListener('keydown', (event) => {
  const links = [...suggestions.querySelectorAll('a')];
  const at = links.indexOf(/** @type {HTMLAnchorElement} */ (document.activeElement));
  if (event.key === 'Escape') {
    suggestions.hidden = true;
    input.focus();
  } else if (event.key === 'ArrowDown' && links.length > 0) {
    event.preventDefault();
    links[Math.min(at + 1, links.length - 1)]?.focus();
  } else if (event.key === 'ArrowUp' && at >= 0) {
    event.preventDefault();
    if (at === 0) input.focus();
    else links[at - 1]?.focus();
  }
});
form.addEventListener('focusout', (event) => {
  if (!form.contains(/** @type {Node | null} */ (event.relatedTarget))) suggestions.hidden = true;
});
