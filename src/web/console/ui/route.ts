/** Where the console is: `#/mail/hello%40…/msg_…`, and for another account `#/acc_…/mail/…`. */

export interface Route {
  /** The account that the address names; null for the caller's own. */
  account: string | null;
  /** The name of the page; empty for the start. */
  page: string;
  /** What follows the name of the page. */
  parts: string[];
}

const NOWHERE: Route = { account: null, page: '', parts: [] };

/** Reads a fragment. One that cannot be decoded leads to the start. */
export function readRoute(fragment: string): Route {
  if (!fragment.startsWith('#/')) return NOWHERE;
  try {
    const all = fragment.slice(2).split('/').map(decodeURIComponent);
    const [first = '', ...rest] = all;
    if (!/^acc_[0-9a-z]{26}$/.test(first)) return { account: null, page: first, parts: rest };
    return { account: first, page: rest[0] ?? '', parts: rest.slice(1) };
  } catch {
    return NOWHERE;
  }
}

/** The fragment of a page. */
export const linkTo = (account: string | null, page: string, ...parts: readonly string[]): string =>
  `#/${[...(account === null ? [] : [account]), page, ...parts].map(encodeURIComponent).join('/')}`;
