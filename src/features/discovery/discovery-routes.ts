import { type TSchema, Type } from 'typebox';
import { DidDocument, didDocument, didWeb, PublicJwk, publicJwk } from '../../kernel/did.ts';
import { type Endpoint, endpoint, reply } from '../../kernel/endpoint.ts';
import { named, record } from '../../kernel/fields.ts';
import type { ListPublicKeys } from '../../kernel/public-keys.ts';
import { agentCard, authorizationServerMetadata, serverMetadata } from './discovery-data.ts';

export interface DiscoveryDeps {
  listKeys: ListPublicKeys;
  baseUrl(): string;
  version: string;
}

const TAG = 'Discovery';
/** Short, so that clients soon see a rotation. They also ask again when they meet an unknown `kid`. */
const CACHED = { 'cache-control': 'public, max-age=300' };

const texts = () => Type.Array(Type.String());

/** Serves a public document at a well-known path. */
const document = <T extends TSchema>(
  path: string,
  operation: string,
  [summary, description]: readonly [string, string],
  schema: T,
  make: (now: number) => Promise<unknown>,
): Endpoint =>
  endpoint({
    method: 'GET',
    path,
    operation,
    tag: TAG,
    summary,
    description,
    auth: 'none',
    effect: 'none',
    replies: { 200: schema },
    errors: [],
    handle: async ({ now }) => reply(200, (await make(now)) as never, CACHED) as never,
  });

const Metadata = named(
  'ServerMetadata',
  record({
    issuer: Type.String(),
    jwks_uri: Type.String(),
    token_endpoint: Type.String(),
    introspection_endpoint: Type.String(),
    revocation_endpoint: Type.String(),
    id_token_signing_alg_values_supported: texts(),
    response_types_supported: texts(),
    subject_types_supported: texts(),
    grant_types_supported: texts(),
    scopes_supported: Type.Optional(texts()),
    token_endpoint_auth_methods_supported: texts(),
    introspection_endpoint_auth_methods_supported: texts(),
    revocation_endpoint_auth_methods_supported: texts(),
    claims_supported: texts(),
    service_documentation: Type.String(),
  }),
);

const AgentCard = record({
  name: Type.String(),
  description: Type.String(),
  url: Type.String(),
  version: Type.String(),
  provider: record({ organization: Type.String(), url: Type.String() }),
  documentationUrl: Type.String(),
  capabilities: record({
    streaming: Type.Boolean(),
    pushNotifications: Type.Boolean(),
    stateTransitionHistory: Type.Boolean(),
  }),
  authentication: record({ schemes: texts() }),
  registration: record({ method: Type.String(), url: Type.String(), body: record({ name: Type.String() }) }),
  defaultInputModes: texts(),
  defaultOutputModes: texts(),
  skills: Type.Array(record({ id: Type.String(), name: Type.String(), description: Type.String(), tags: texts() })),
});

export function discoveryRoutes({ listKeys, baseUrl, version }: DiscoveryDeps): Endpoint[] {
  return [
    document(
      '/.well-known/jwks.json',
      'getJwks',
      ['List public keys (JWKS, RFC 7517)', 'Includes earlier keys while their tokens are valid.'],
      record({ keys: Type.Array(PublicJwk) }),
      async (now) => ({ keys: (await listKeys(now)).map(publicJwk) }),
    ),
    document(
      '/.well-known/openid-configuration',
      'getOpenIdConfiguration',
      ['Get server metadata (OpenID Connect)', 'Describes where to issue, introspect and revoke tokens.'],
      Metadata,
      async () => serverMetadata(baseUrl()),
    ),
    document(
      '/.well-known/oauth-authorization-server',
      'getAuthorizationServerMetadata',
      ['Get server metadata (RFC 8414)', 'Describes `POST /oauth/token` for OAuth clients.'],
      Metadata,
      async () => authorizationServerMetadata(baseUrl()),
    ),
    document(
      '/.well-known/did.json',
      'getServiceDid',
      ['Get the DID document (did:web)', 'Lists the public keys of this service and its API endpoint.'],
      DidDocument,
      async (now) => {
        const did = didWeb(baseUrl());
        const keys = (await listKeys(now)).map((key) => ({ ...key, controller: did }));
        return didDocument(did, keys, [{ id: `${did}#api`, type: 'LinkedDomains', serviceEndpoint: baseUrl() }]);
      },
    ),
    document(
      '/.well-known/agent.json',
      'getAgentCard',
      ['Get the agent card', 'Describes what this service does and how to register.'],
      AgentCard,
      async () => agentCard(baseUrl(), version),
    ),
  ];
}
