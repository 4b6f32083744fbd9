import { type Endpoint, endpoint, reply } from '../../api/endpoint.ts';
import { ApiError } from '../../api/errors.ts';
import { media, record, text } from '../../api/fields.ts';
import { llmsText, welcome } from '../../apidocs/pages/document-pages.ts';
import { preferredType } from '../../base/negotiation.ts';
import { Type } from '../../base/schema.ts';
import { PAGE_HEADERS } from '../../http/pipeline/page-headers.ts';
import { Documents, documentReply, type StaticDocument } from '../../http/pipeline/static-document.ts';
import { consolePage, frontPage } from './console-page.ts';
import type { ConsoleTree } from './console-tree.ts';

/** The web pages. They use only the public API, with the visitor's own credential. */

const TAG = 'Pages';

interface PageText {
  path: string;
  operation: string;
  summary: string;
  description: string;
  document: () => StaticDocument;
}

/** A page as sent: compressed, and never kept by the browser. */
function pageReply(document: StaticDocument, header: (name: string) => string | undefined) {
  const { body, headers } = documentReply(document, (name) => (name === 'accept-encoding' ? header(name) : undefined));
  const { etag: _, ...kept } = headers;
  // Browsers keep no copy of it, so the reply is never 304.
  return reply(200, body as Buffer, { ...kept, ...PAGE_HEADERS });
}

const page = ({ document, ...about }: PageText): Endpoint =>
  endpoint({
    method: 'GET',
    ...about,
    tag: TAG,
    auth: 'none',
    effect: 'none',
    replies: { 200: media('text/html; charset=utf-8', 'The page.') },
    errors: [],
    handle: async ({ header }) => pageReply(document(), header),
  });

const LANDING = { link: '</llms.txt>; rel="alternate"; type="text/markdown"', vary: 'accept, accept-encoding' };

/**
 * The same address for people and for agents, who ask for what they can read. Browsers name `text/html`; who takes anything
 * is a program.
 */
function landing(page: () => StaticDocument, text: (type: 'text/markdown' | 'application/json') => StaticDocument) {
  return endpoint({
    method: 'GET',
    path: '/',
    operation: 'getLandingPage',
    tag: TAG,
    summary: 'Get the landing page',
    description:
      'The text of `/llms.txt`, for `Accept: application/json` the same as `text`, and a page for browsers, which ask for `text/html`.',
    auth: 'none',
    effect: 'none',
    replies: { 200: media('*/*', 'The text, or the page.') },
    errors: [],
    handle: async ({ header }) => {
      const type = preferredType(header('accept'), ['text/markdown', 'text/html', 'application/json']);
      const { headers, ...made } = pageReply(type === 'text/html' ? page() : text(type), header);
      return { ...made, headers: { ...headers, ...LANDING } };
    },
  });
}

/** The pages of the console. The token of a link is in the fragment, which browsers do not send. */
const PAGES = [
  {
    path: '/login',
    operation: 'getLoginPage',
    entry: 'console',
    title: 'Log in',
    summary: 'Get the login page',
    description:
      'Login links open it with their token in the fragment, which browsers do not send: fetching it uses nothing up.',
  },
  {
    path: '/recover',
    operation: 'getRecoverPage',
    entry: 'links',
    title: 'Recover a vault',
    summary: 'Get the vault recovery page',
    description: 'Recovery links open it with their token in the fragment. It opens seeds and entries in the browser.',
  },
  {
    path: '/dashboard',
    operation: 'getDashboardPage',
    entry: 'console',
    title: 'Console',
    summary: 'Get the console',
    description: 'Takes `#session=…` from a login or a pasted API key.',
  },
  {
    path: '/approve',
    operation: 'getApprovePage',
    entry: 'links',
    title: 'Approve a charge',
    summary: 'Get the approval page',
    description: 'Approval mails link to it, with id and token in the fragment. Only its buttons decide.',
  },
  {
    path: '/review',
    operation: 'getReviewPage',
    entry: 'links',
    title: 'Review a mail',
    summary: 'Get the review page',
    description: 'Mails about held email link to it, with id and token in the fragment.',
  },
  {
    path: '/confirm',
    operation: 'getConfirmPage',
    entry: 'links',
    title: 'Confirm your address',
    summary: 'Get the confirmation page',
    description: 'Confirmation mails link to it, with the token in the fragment. Only its buttons decide.',
  },
  {
    path: '/credentials',
    operation: 'getCredentialsPage',
    entry: 'links',
    title: 'Give an agent a credential',
    summary: 'Get the credential page',
    description: 'Takes `#code=…` of the agent, or `#token=…` of the mail. Only its buttons decide.',
  },
  {
    path: '/device',
    operation: 'getDevicePage',
    entry: 'consent',
    title: 'Let a command line in?',
    summary: 'Get the page for the code of a command line',
    description: 'A person types there what `signet login --device` shows.',
  },
] as const;

const asset = (assetNamed: (name: string) => StaticDocument | undefined): Endpoint =>
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
      // File names have no version, so browsers revalidate their copy each time.
      const { body, headers } = documentReply(found, header);
      const kept = { ...headers, 'x-content-type-options': 'nosniff' };
      return body === null ? reply(304, null, kept) : reply(200, body, kept);
    },
  });

const consoleFile = (tree: () => ConsoleTree): Endpoint =>
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
      const file = params.tree === tree().hash ? tree().file(params.folder, params.name) : undefined;
      if (!file) throw new ApiError('not_found');
      const { body, headers } = documentReply(file, header);
      const kept = { ...headers, 'cache-control': 'public, max-age=31536000, immutable' };
      return body === null ? reply(304, null, kept) : reply(200, body, kept);
    },
  });

/** The pages and their assets. */
export function pageRoutes(
  baseUrl: () => string,
  tree: () => ConsoleTree,
  assetNamed: (name: string) => StaticDocument | undefined,
): Endpoint[] {
  const documents = new Documents();
  const documentOf = (path: string, html: () => string) => (): StaticDocument =>
    documents.get(path, 'text/html; charset=utf-8', html);
  return [
    landing(
      documentOf('/', () => frontPage(tree(), baseUrl())),
      (type) =>
        documents.get(type, `${type}; charset=utf-8`, () =>
          type === 'text/markdown' ? llmsText(baseUrl()) : JSON.stringify(welcome(baseUrl())),
        ),
    ),
    ...PAGES.map(({ entry, title, ...about }) => {
      const frame = about.path === '/dashboard' ? 'desk' : 'card';
      return page({ ...about, document: documentOf(about.path, () => consolePage(tree(), entry, title, { frame })) });
    }),
    asset(assetNamed),
    consoleFile(tree),
  ];
}
