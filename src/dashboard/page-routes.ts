import { Type } from 'typebox';
import { type Endpoint, endpoint, reply } from '../kernel/endpoint.ts';
import { ApiError } from '../kernel/errors.ts';
import { isCurrent } from '../kernel/etag.ts';
import { media, record, text } from '../kernel/fields.ts';
import { type Asset, createAssetLookup, readPage } from './asset-files.ts';

/** The web pages. They talk to the public API only, with the credential of whoever opens them. */

const TAG = 'Pages';

/**
 * Everything a page may load or do. Scripts and styles are files of ours, never inline, so markup that a stranger gets
 * onto a page cannot run. Mails are shown in frames that inherit this policy. Trusted Types (W3C) make `innerHTML` and
 * its kin throw; the one policy they leave is the one that fills a mail's sandboxed frame.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types mail-frame',
].join('; ');

const PAGE_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
};

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

const landing = (): Endpoint =>
  page({
    path: '/',
    operation: 'getLandingPage',
    summary: 'What this service is, and the first two calls',
    description: 'For people.',
    html: readPage('landing'),
  });

const login = (): Endpoint =>
  page({
    path: '/login',
    operation: 'getLoginPage',
    summary: 'Where login links lead',
    description:
      'The link’s token stands in the fragment, which browsers do not send: fetching this page uses nothing up. Its script then calls `GET /v1/auth/verify`. Without a token the page asks for an address to mail a link to.',
    html: readPage('login'),
  });

const recover = (): Endpoint =>
  page({
    path: '/recover',
    operation: 'getRecoverPage',
    summary: 'Where vault recovery links lead',
    description:
      'The link’s token stands in the fragment. A press of its button calls `GET /v1/vault/recover/verify` and shows the sealed seeds. Without a token the page asks for an address to mail a link to.',
    html: readPage('recover'),
  });

const dashboard = (): Endpoint =>
  page({
    path: '/dashboard',
    operation: 'getDashboardPage',
    summary: 'Keys, addresses, mail and events of an account',
    description: 'Takes `#session=…` from a login, or a pasted API key, and calls this API with it.',
    html: readPage('dashboard'),
  });

const approve = (): Endpoint =>
  page({
    path: '/approve',
    operation: 'getApprovePage',
    summary: 'Where the mail to an operator leads: a charge to approve or reject',
    description:
      'The id and token stand in the fragment, which browsers do not send. The page shows the request; only its buttons decide, by `POST /v1/approvals/{id}/decide`.',
    html: readPage('approve'),
  });

const credentials = (): Endpoint =>
  page({
    path: '/credentials',
    operation: 'getCredentialsPage',
    summary: 'Where an agent sends its operator for a credential',
    description:
      'Takes a code (`#code=…`) or the mailed proof (`#token=…`) in the fragment, which browsers do not send. Only its buttons decide, by `POST /v1/credentials/approve`.',
    html: readPage('credentials'),
  });

/** Names carry no version, so a browser asks each time whether its copy still holds. */
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
    summary: 'A script, stylesheet or image of the pages; the client library as `client.js`',
    auth: 'none',
    effect: 'none',
    params: record({ name: text(200) }),
    replies: {
      200: media('*/*', 'The file, with a strong `ETag`.'),
      304: Type.Null({ description: 'The copy named by `If-None-Match` still holds.' }),
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

/** The pages and what they are made of. */
export const pageRoutes = (): Endpoint[] => [
  landing(),
  login(),
  recover(),
  dashboard(),
  approve(),
  credentials(),
  asset(createAssetLookup()),
];
