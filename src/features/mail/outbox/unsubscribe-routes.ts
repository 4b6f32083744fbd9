import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { media, record, text } from '../../../api/fields.ts';
import { Type } from '../../../base/schema.ts';
import type { OutboxDeps } from './outbox-deps.ts';
import { requireCopy, unsubscribe } from './unsubscribe.ts';
import { askPage, donePage } from './unsubscribe-page.ts';

const PATH = '/unsubscribe/{token}';
const TokenParams = record({ token: text(64, { description: 'Of the header `List-Unsubscribe`.' }) });
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

const ask = (deps: OutboxDeps) =>
  endpoint({
    method: 'GET',
    path: PATH,
    operation: 'getUnsubscribePage',
    tag: 'Pages',
    summary: 'Get the page of an unsubscribe link',
    description: 'It asks; only its button ends anything.',
    auth: 'none',
    effect: 'none',
    model: false,
    params: TokenParams,
    replies: { 200: media('text/html', 'A page that asks.') },
    errors: ['not_found'],
    handle: async ({ params }) => {
      await requireCopy(deps.database, deps, params.token);
      return reply(200, askPage(), HEADERS);
    },
  });

const end = (deps: OutboxDeps) =>
  endpoint({
    method: 'POST',
    path: PATH,
    operation: 'unsubscribe',
    tag: 'Pages',
    summary: 'Unsubscribe with one click',
    description: 'RFC 8058. Needs no key; any body will do. The account sends no more mail to this recipient.',
    auth: 'none',
    effect: 'write',
    leaves: [],
    action: 'recipient.unsubscribed',
    model: false,
    params: TokenParams,
    body: record({ 'List-Unsubscribe': Type.Optional(text(100)) }),
    anyBody: true,
    bodyLimitBytes: 16_384,
    replies: { 200: media('text/html', 'A page that says so.') },
    errors: ['not_found'],
    handle: async ({ params, now, transact }) =>
      transact(async (tx, audit) => {
        audit.accountId = await unsubscribe(tx, deps, params.token, now);
        return reply(200, donePage(), HEADERS);
      }),
  });

export const unsubscribeRoutes = (deps: OutboxDeps): Endpoint[] => [ask(deps), end(deps)];
