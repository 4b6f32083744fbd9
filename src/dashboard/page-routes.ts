import { Type } from 'typebox';
import { llmsText, welcome } from '../http/document-pages.ts';
import { PAGE_HEADERS } from '../http/page-headers.ts';
import { documentReply } from '../http/static-document.ts';
import { type Endpoint, endpoint, reply } from '../kernel/endpoint.ts';
import { ApiError } from '../kernel/errors.ts';
import { isCurrent } from '../kernel/etag.ts';
import { media, record, text } from '../kernel/fields.ts';
import { preferredType } from '../kernel/negotiation.ts';
import { type Asset, readPage } from './asset-files.ts';
import type { ConsoleTree } from './console-tree.ts';

/** The web pages. They use only the public API, with the visitor's own credential. */

const TAG = 'Pages';

interface PageText {
  path: string;
  operation: string;
  summary: string;
  description: string;
  html: string;
}

const page = ({ html, ...about }: PageText): Endpoint =>
  endpoint({
    method: 'GET',
    ...about,
    tag: TAG,
    auth: 'none',
    effect: 'none',
    replies: { 200: media('text/html; charset=utf-8', 'The page.') },
    errors: [],
    handle: async () => reply(200, html, PAGE_HEADERS),
  });

/** Fills in the address of the console's files. All modules load at once, not one import after the other. */
function withTree(html: string, { hash, modules }: ConsoleTree): string {
  const preloads = modules.map((path) => `<link rel="modulepreload" href="/assets/${hash}/${path}">`);
  return html.replaceAll('{tree}', hash).replace('<!-- modules -->', preloads.join('\n    '));
}

/** The same address for people and for agents, who ask for what they can read. */
function landing(baseUrl: () => string, tree: ConsoleTree): Endpoint {
  const html = withTree(readPage('landing'), tree);
  return endpoint({
    method: 'GET',
    path: '/',
    operation: 'getLandingPage',
    tag: TAG,
    summary: 'Get the landing page',
    description:
      'For `Accept: text/markdown` it is the text of `/llms.txt`, for `application/json` the same as `text`.',
    auth: 'none',
    effect: 'none',
    replies: { 200: media('text/html; charset=utf-8', 'The page.') },
    errors: [],
    handle: async ({ header }) => {
      const type = preferredType(header('accept'), ['text/html', 'text/markdown', 'application/json']);
      if (type === 'text/html') return reply(200, html, { ...PAGE_HEADERS, vary: 'accept' });
      const body = type === 'text/markdown' ? llmsText(baseUrl()) : JSON.stringify(welcome(baseUrl()));
      return reply(200, body, { 'content-type': `${type}; charset=utf-8`, vary: 'accept' });
    },
  });
}

const login = (tree: ConsoleTree): Endpoint =>
  page({
    path: '/login',
    operation: 'getLoginPage',
    summary: 'Get the login page',
    description:
      'Login links open this page. Their token is in the fragment, which browsers do not send, so fetching the page does not use the link. The page’s script calls `GET /v1/auth/verify`. Without a token the page asks for an address to send a link to.',
    html: withTree(readPage('console'), tree),
  });

const recover = (): Endpoint =>
  page({
    path: '/recover',
    operation: 'getRecoverPage',
    summary: 'Get the vault recovery page',
    description:
      'Recovery links open this page with their token in the fragment. Its button calls `GET /v1/vault/recover/verify` and shows the sealed seeds. Without a token the page asks for an address to send a link to.',
    html: readPage('recover'),
  });

const dashboard = (tree: ConsoleTree): Endpoint =>
  page({
    path: '/dashboard',
    operation: 'getDashboardPage',
    summary: 'Get the console',
    description: 'Takes `#session=…` from a login or a pasted API key, and calls this API with it.',
    html: withTree(readPage('console'), tree),
  });

const approve = (): Endpoint =>
  page({
    path: '/approve',
    operation: 'getApprovePage',
    summary: 'Get the approval page',
    description:
      'Approval mails link to this page, with the id and token in the fragment, which browsers do not send. The page shows the charge. Only its buttons decide, with `POST /v1/approvals/{id}/decide`.',
    html: readPage('approve'),
  });

const review = (): Endpoint =>
  page({
    path: '/review',
    operation: 'getReviewPage',
    summary: 'Get the review page',
    description: 'Mails about held email link to this page, with the id and token in the fragment. It shows the email.',
    html: readPage('review'),
  });

const confirm = (): Endpoint =>
  page({
    path: '/confirm',
    operation: 'getConfirmPage',
    summary: 'Get the confirmation page',
    description:
      'Confirmation mails link to this page, with the token in the fragment, which browsers do not send. The page shows who named the address. Only its buttons decide, with `POST /v1/people/confirm`.',
    html: readPage('confirm'),
  });

const credentials = (): Endpoint =>
  page({
    path: '/credentials',
    operation: 'getCredentialsPage',
    summary: 'Get the credential page',
    description:
      'An agent that requests a credential sends its operator here. The page takes the code (`#code=…`) or the emailed proof (`#token=…`) in the fragment, which browsers do not send. Only its buttons decide, with `POST /v1/credentials/approve`.',
    html: readPage('credentials'),
  });

/** File names have no version, so browsers revalidate their copy each time. */
const assetHeaders = ({ contentType, etag }: Asset) => ({
  'content-type': contentType,
  etag,
  'cache-control': 'public, no-cache',
  'x-content-type-options': 'nosniff',
});

const asset = (assetNamed: (name: string) => Asset | undefined): Endpoint =>
  endpoint({
    method: 'GET',
    path: '/assets/{name}',
    operation: 'getAsset',
    tag: TAG,
    summary: 'Get an asset of the pages',
    description: 'A script, stylesheet or image. The client library is `client.js`.',
    auth: 'none',
    effect: 'none',
    params: record({ name: text(200) }),
    replies: {
      200: media('*/*', 'The file, with a strong `ETag`.'),
      304: Type.Null({ description: 'The copy named by `If-None-Match` is current.' }),
    },
    errors: ['not_found'],
    handle: async ({ params, header }) => {
      const found = assetNamed(params.name);
      if (!found) throw new ApiError('not_found');
      const headers = assetHeaders(found);
      if (!isCurrent(header('if-none-match'), found.etag)) return reply(200, found.content, headers);
      const { 'content-type': _, ...kept } = headers;
      return reply(304, null, kept);
    },
  });

const consoleFile = (tree: ConsoleTree): Endpoint =>
  endpoint({
    method: 'GET',
    path: '/assets/{tree}/{folder}/{name}',
    operation: 'getConsoleFile',
    tag: TAG,
    summary: 'Get a file of the console',
    description: 'The console’s scripts and styles. `tree` changes with every release.',
    auth: 'none',
    effect: 'none',
    params: record({ tree: text(64), folder: text(64), name: text(200) }),
    replies: { 200: media('*/*', 'The file. It never changes.'), 304: Type.Null({ description: 'Unchanged.' }) },
    errors: ['not_found'],
    handle: async ({ params, header }) => {
      const file = params.tree === tree.hash ? tree.file(params.folder, params.name) : undefined;
      if (!file) throw new ApiError('not_found');
      const { body, headers } = documentReply(file, header);
      const kept = { ...headers, 'cache-control': 'public, max-age=31536000, immutable' };
      return body === null ? reply(304, null, kept) : reply(200, body, kept);
    },
  });

/** The pages and their assets. */
export const pageRoutes = (
  baseUrl: () => string,
  tree: ConsoleTree,
  assetNamed: (name: string) => Asset | undefined,
): Endpoint[] => [
  landing(baseUrl, tree),
  login(tree),
  recover(),
  dashboard(tree),
  approve(),
  review(),
  confirm(),
  credentials(),
  asset(assetNamed),
  consoleFile(tree),
];
