import { DidDocument, didDocument, didWeb, PublicJwk, publicJwk } from '../../../api/did.ts';
import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { line, media, named, nullable, record, text } from '../../../api/fields.ts';
import { PLAIN_PAGE_HEADERS } from '../../../api/page-frame.ts';
import { type Gate, WAY_REFUSALS } from '../../../api/way-out.ts';
import { iso } from '../../../base/clock.ts';
import { preferredType } from '../../../base/negotiation.ts';
import { Type } from '../../../base/schema.ts';
import type { AgentProfile, ProfileRules } from './profile.ts';
import { profilePage } from './profile-page.ts';

const TAG = 'Profiles';

const NameParams = record({
  name: text(100, { description: 'The local part of the agent’s address, or its account id.' }),
});

const DID_TYPES = ['application/did+json', 'application/did+ld+json'] as const;
const TYPES = ['application/json', 'text/html', ...DID_TYPES] as const;

const CACHED = { 'cache-control': 'public, max-age=60' };

const didOf = (baseUrl: string, name: string): string => didWeb(baseUrl, 'agents', name);

/** The profile as JSON. */
function profileEntry(profile: AgentProfile, baseUrl: string) {
  const { id, handle, name, email, description, capabilities, registeredAt, trust } = profile;
  return {
    id,
    name,
    email,
    did: didOf(baseUrl, handle),
    jwks_url: `${baseUrl}/agents/${handle}/.well-known/jwks.json`,
    did_url: `${baseUrl}/agents/${handle}/did.json`,
    profile_url: `${baseUrl}/agents/${handle}`,
    description,
    capabilities,
    registered_at: iso(registeredAt),
    verified: trust?.tier === 'verified',
    trust: trust && {
      score: trust.score,
      tier: trust.tier,
      breakdown: trust.breakdown,
      observation_count: trust.observationCount,
    },
  };
}

function didFor(name: string, profile: AgentProfile, baseUrl: () => string) {
  const did = didOf(baseUrl(), name);
  const own = profile.keys.map(({ kid, x }) => ({ kid, x, controller: did }));
  const services = [
    { id: `${did}#profile`, type: 'LinkedDomains', serviceEndpoint: `${baseUrl()}/agents/${profile.handle}` },
    ...(profile.email === null
      ? []
      : [{ id: `${did}#email`, type: 'EmailService', serviceEndpoint: `mailto:${profile.email}` }]),
  ];
  return didDocument(did, own, services);
}

const getProfile = (rules: ProfileRules, baseUrl: () => string) =>
  endpoint({
    method: 'GET',
    path: '/agents/{name}',
    operation: 'getAgentProfile',
    tag: TAG,
    summary: 'Get the public profile of an agent',
    description:
      'Returns, depending on `Accept`, JSON (`id, name, email, did, jwks_url, did_url, profile_url, capabilities, ' +
      'registered_at, verified, trust`), an HTML page (`text/html`) or the DID document (`application/did+json`). ' +
      '`verified` is true in the trust tier `verified`.',
    auth: 'none',
    effect: 'none',
    params: NameParams,
    replies: { 200: media('*/*', 'The profile in the requested format.') },
    errors: ['not_found'],
    handle: async ({ params: { name }, header, now }) => {
      const profile = await rules.profile(name, now);
      const type = preferredType(header('accept'), TYPES);
      const headers = { ...CACHED, vary: 'accept', 'content-type': `${type}; charset=utf-8` };
      if (type === 'text/html') {
        const url = `${baseUrl()}/agents/${profile.handle}`;
        const page = profilePage(profile, didOf(baseUrl(), profile.handle), url);
        return reply(200, page, { ...headers, ...PLAIN_PAGE_HEADERS });
      }
      const body = type === 'application/json' ? profileEntry(profile, baseUrl()) : didFor(name, profile, baseUrl);
      return reply(200, JSON.stringify(body), headers);
    },
  });

const getDid = (rules: ProfileRules, baseUrl: () => string) =>
  endpoint({
    method: 'GET',
    path: '/agents/{name}/did.json',
    operation: 'getAgentDid',
    tag: TAG,
    summary: 'Get the DID document of an agent (did:web)',
    description: 'Lists the keys that the agent published and the service’s keys, which sign the agent’s tokens.',
    auth: 'none',
    effect: 'none',
    params: NameParams,
    replies: { 200: DidDocument },
    errors: ['not_found'],
    handle: async ({ params: { name }, now }) =>
      reply(200, didFor(name, await rules.profile(name, now), baseUrl), CACHED),
  });

const getJwks = (rules: ProfileRules) =>
  endpoint({
    method: 'GET',
    path: '/agents/{name}/.well-known/jwks.json',
    operation: 'getAgentJwks',
    tag: TAG,
    summary: 'Get the JWKS of an agent',
    description:
      'Only the keys that the agent published. They do not sign AATs: verify those with `/.well-known/jwks.json`.',
    auth: 'none',
    effect: 'none',
    params: NameParams,
    replies: { 200: record({ keys: Type.Array(PublicJwk) }) },
    errors: ['not_found'],
    handle: async ({ params: { name }, now }) => {
      const { keys } = await rules.profile(name, now);
      return reply(200, { keys: keys.map(publicJwk) }, CACHED);
    },
  });

const Capabilities = Type.Array(line(100), { maxItems: 10 });

const OwnProfile = named(
  'OwnProfile',
  record({
    name: nullable(Type.String()),
    description: nullable(Type.String()),
    capabilities: Type.Array(Type.String()),
    unlisted: Type.Boolean(),
    profile_url: Type.String(),
  }),
);

const ownEntry = ({ account, handle }: Awaited<ReturnType<ProfileRules['own']>>, baseUrl: string) => ({
  name: account.name,
  description: account.description,
  capabilities: account.capabilities,
  unlisted: account.isUnlisted,
  profile_url: `${baseUrl}/agents/${handle}`,
});

const getOwn = (rules: ProfileRules, baseUrl: () => string) =>
  endpoint({
    method: 'GET',
    path: '/v1/agents/profile',
    operation: 'getProfile',
    tag: TAG,
    summary: 'Get your public profile',
    description: 'As you set it.',
    auth: 'key',
    scope: 'identity:read',
    addresses: 'refused',
    effect: 'none',
    replies: { 200: OwnProfile },
    errors: [],
    handle: async ({ principal }) => reply(200, ownEntry(await rules.own(principal.accountId), baseUrl())),
  });

const changeOwn = (rules: ProfileRules, gate: Gate, baseUrl: () => string) =>
  endpoint({
    method: 'PATCH',
    path: '/v1/agents/profile',
    operation: 'updateProfile',
    tag: TAG,
    summary: 'Change your public profile',
    description:
      'Absent fields stay. An unlisted agent’s profile, DID document and JWKS are found by account id alone, and name no address.',
    auth: 'key',
    scope: 'identity:manage',
    addresses: 'refused',
    leavesAccess: true,
    effect: 'write',
    leaves: ['publish'],
    action: 'profile.changed',
    body: record(
      {
        name: Type.Optional(nullable(line(100))),
        description: Type.Optional(nullable(text(500))),
        capabilities: Type.Optional(Capabilities),
        unlisted: Type.Optional(Type.Boolean()),
      },
      { minProperties: 1 },
    ),
    replies: { 200: OwnProfile },
    errors: ['pod_auth_forbidden', ...WAY_REFUSALS],
    handle: async ({ principal, body, now, transact }) =>
      transact(async (tx, audit) => {
        await gate.require(tx, principal, 'publish');
        audit.resourceId = principal.accountId;
        const { unlisted, ...others } = body;
        const change = { ...others, ...(unlisted === undefined ? {} : { isUnlisted: unlisted }) };
        const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
        return reply(200, ownEntry(await rules.change(tx, principal, given, now), baseUrl()));
      }),
  });

export const profileRoutes = (rules: ProfileRules, gate: Gate, baseUrl: () => string): Endpoint[] => [
  getProfile(rules, baseUrl),
  getDid(rules, baseUrl),
  getJwks(rules),
  getOwn(rules, baseUrl),
  changeOwn(rules, gate, baseUrl),
];
