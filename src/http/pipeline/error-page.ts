import type { ApiError } from '../../api/errors.ts';
import { BRAND, PLAIN_PAGE_HEADERS, pageFrame } from '../../api/page-frame.ts';
import { preferredType } from '../../base/negotiation.ts';
import { PAGE_HEADERS } from './page-headers.ts';

/** The errors that a person sees as a page. */

interface Asked {
  method: string;
  url: string;
  headers: { accept?: string | undefined };
}

/** True for a page that a person opens: a browser names HTML first, and no page is under `/v1/`. */
const isForBrowser = ({ method, url, headers: { accept } }: Asked): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  !url.startsWith('/v1/') &&
  preferredType(accept, ['application/json', 'text/html']) === 'text/html';

/** Names nothing of the address, which anyone can choose. */
const notFoundPage = (): string =>
  pageFrame({
    title: 'Page not found',
    kind: 'centred',
    styles: [],
    body: `    <main class="card">
      ${BRAND}
      <h1>Page not found</h1>
      <p>There is nothing at this address. Check it for a typing error.</p>
      <p class="actions"><a class="button" href="/">Start page</a> <a class="button" href="/docs">Docs</a></p>
    </main>`,
  });

/** The page of an error, for a browser. Null: the error envelope says it. */
export function errorPage(
  { page, status }: ApiError,
  asked: Asked,
): { html: string; headers: Record<string, string> } | null {
  if (page !== undefined && asked.headers.accept?.includes('text/html')) return { html: page, headers: PAGE_HEADERS };
  return status === 404 && isForBrowser(asked)
    ? { html: notFoundPage(), headers: { ...PLAIN_PAGE_HEADERS, vary: 'accept' } }
    : null;
}
