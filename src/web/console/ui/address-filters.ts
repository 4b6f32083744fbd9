/** The filters of a list in the address bar: in the query, before the `#`, so that a link shows the same to others. */

export type Filters = Readonly<Record<string, string>>;

/** The filters that the address names, of those that a page knows. */
export function readFilters(names: readonly string[]): Filters {
  const query = new URLSearchParams(location.search);
  const given = names.map((name) => [name, query.get(name)?.trim() ?? ''] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

/** Puts filters into the address. Going back leads to the page before, not to each choice. */
export function writeFilters(filters: Filters): void {
  const query = new URLSearchParams(filters).toString();
  history.replaceState(null, '', `${location.pathname}${query === '' ? '' : `?${query}`}${location.hash}`);
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The moment of a filter: a day of the browser's own time zone from its start, or a time. Undefined: it is neither. */
export function momentOf(text: string | undefined, days = 0): string | undefined {
  if (text === undefined) return;
  const at = new Date(DAY.test(text) ? `${text}T00:00:00` : text);
  if (Number.isNaN(at.getTime())) return;
  if (DAY.test(text)) at.setDate(at.getDate() + days);
  return at.toISOString();
}

/** For `@click` of a link to a page with filters: the browser would load the console again for another query. */
export const openFiltered = (event: MouseEvent): void => {
  const { href } = event.currentTarget as HTMLAnchorElement;
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const oldURL = location.href;
  history.pushState(null, '', href);
  globalThis.dispatchEvent(new HashChangeEvent('hashchange', { oldURL, newURL: href }));
};
