/** `j` and `k` move the focus through the entries of a page. Enter opens the focused one, if it leads anywhere. */

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
export function moveInList(step: 1 | -1): boolean {
  const entries = [...document.querySelectorAll<HTMLElement>(`main :is(${ENTRIES})`)].filter((one) =>
    one.checkVisibility(),
  );
  const focused = entries.findLastIndex((one) => one.contains(document.activeElement));
  const at = focused >= 0 ? focused : entries.findIndex((one) => one.querySelector('a[aria-current="true"]') !== null);
  const next = entries[at < 0 ? 0 : Math.min(Math.max(at + step, 0), entries.length - 1)];
  if (next !== undefined) targetOf(next).focus();
  return next !== undefined;
}
