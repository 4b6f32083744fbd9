import { SEARCH_KINDS, type SearchKind } from '../../../api/account/search-part.ts';
import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { invalidField } from '../../../api/errors.ts';
import { limitParam, oneOf, record, text, timestamp } from '../../../api/fields.ts';
import { iso } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import type { AccountSearch, Asked, Found } from './account-search.ts';

const query = record({
  q: Type.String({ minLength: 2, maxLength: 100, description: 'Words that must all occur. No sign means anything.' }),
  kinds: Type.Optional(text(200, { description: `Only these, with commas between them: ${SEARCH_KINDS.join(', ')}.` })),
  limit: limitParam(20, 50),
});

/** What both searches share. */
const SEARCH = {
  method: 'GET',
  effect: 'none',
  bucket: 'search',
  action: 'account.searched',
  query,
  replies: {
    200: record({
      results: Type.Array(
        record({
          kind: oneOf(SEARCH_KINDS),
          id: Type.String(),
          account_id: Type.String(),
          title: Type.String(),
          href: Type.String({ description: 'Its page in the console.' }),
          at: timestamp(),
        }),
      ),
    }),
  },
  errors: [],
} as const;

const isKind = (name: string): name is SearchKind => (SEARCH_KINDS as readonly string[]).includes(name);

/** @throws ApiError `invalid_request` for a kind that there is not */
function askedOf({ q, kinds, limit }: { q: string; kinds?: string; limit?: number }): Asked {
  const names = kinds === undefined ? null : kinds.split(',').map((name) => name.trim());
  const unknown = names?.find((name) => !isKind(name));
  if (unknown !== undefined)
    throw invalidField('/query/kinds', 'unknown_kind', `kinds takes ${SEARCH_KINDS.join(', ')}, with commas between.`);
  return { text: q, kinds: names as SearchKind[] | null, limit: limit as number };
}

const resultOf = ({ kind, id, accountId, title, place, at }: Found) => ({
  kind,
  id,
  account_id: accountId,
  title,
  href: `/dashboard#/${[accountId, ...place].map(encodeURIComponent).join('/')}`,
  at: iso(at),
});

const searchAccount = (search: AccountSearch) =>
  endpoint({
    ...SEARCH,
    path: '/v1/search',
    operation: 'search',
    tag: 'Accounts',
    summary: 'Find things by their names, and mail by its words',
    description:
      'Of each kind, what the credential may list, best first. Never what is sealed, in quarantine or in the trash.',
    auth: 'key',
    scope: 'account:read',
    anyScope: true,
    addresses: 'filtered',
    handle: async ({ principal, query }) => {
      const found = await search.find(principal, [principal.accountId], askedOf(query));
      return reply(200, { results: found.map(resultOf) });
    },
  });

const searchAgents = (search: AccountSearch) =>
  endpoint({
    ...SEARCH,
    path: '/v1/operator/search',
    operation: 'searchAgents',
    tag: 'Operators',
    summary: 'Find things of all your agents',
    description: 'As a search of each, best first.',
    auth: 'person',
    scope: 'account:read',
    wholeAccount: true,
    handle: async ({ principal, query }) => {
      const found = await search.findOperated(principal, askedOf(query));
      return reply(200, { results: found.map(resultOf) });
    },
  });

export const searchRoutes = (search: AccountSearch): Endpoint[] => [searchAccount(search), searchAgents(search)];
