import type { TSchema } from 'typebox';
import { DidDocument, didDocument, didWeb, PublicJwk, publicJwk } from '../../../api/did.ts';
import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { media, named, record } from '../../../api/fields.ts';
import type { ListPublicKeys } from '../../../base/public-keys.ts';
import { Type } from '../../../base/schema.ts';
import { API_VERSION } from '../../../base/version.ts';
import { agentCard, authorizationServerMetadata, protectedResourceMetadata } from './metadata-documents.ts';

const TAG = 'Discovery';
/** Short, so that clients soon see a rotation. They also ask again when they meet an unknown `kid`. */
const CACHED = { 'cache-control': 'public, max-age=300' };

const texts = () => Type.Array(Type.String());

/** Serves a public document at a well-known path. */
const document = <T extends TSchema>(
  path: string,
  operation: string,
  [summary, description]: readonly [string, string?],
  schema: T,
  make: (now: number) => Promise<unknown>,
  aliases: readonly string[] = [],
): Endpoint =>
  endpoint({
    method: 'GET',
    path,
    aliases,
    operation,
    tag: TAG,
    summary,
    ...(description === undefined ? {} : { description }),
    auth: 'none',
    effect: 'none',
    cors: true,
    replies: { 200: schema },
    errors: [],
    handle: async ({ now }) => reply(200, (await make(now)) as never, CACHED) as never,
  });

const Metadata = named(
  'ServerMetadata',
  record({
    issuer: Type.String(),
    authorization_endpoint: Type.String(),
    token_endpoint: Type.String(),
    device_authorization_endpoint: Type.String(),
    registration_endpoint: Type.String(),
    jwks_uri: Type.String(),
    introspection_endpoint: Type.String(),
    revocation_endpoint: Type.String(),
    scopes_supported: texts(),
    response_types_supported: texts(),
    response_modes_supported: texts(),
    grant_types_supported: texts(),
    code_challenge_methods_supported: texts(),
    authorization_response_iss_parameter_supported: Type.Boolean(),
    client_id_metadata_document_supported: Type.Boolean(),
    subject_types_supported: texts(),
    id_token_signing_alg_values_supported: texts(),
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

/** Other mail servers get it from `mta-sts.<mail domain>` (RFC 8461 3.3), which the proxy sends here. */
const mailPolicyDocument = (policy: string): Endpoint =>
  endpoint({
    method: 'GET',
    path: '/.well-known/mta-sts.txt',
    operation: 'getMailPolicy',
    tag: TAG,
    summary: 'Get the MTA-STS policy of the mail domain (RFC 8461)',
    auth: 'none',
    effect: 'none',
    replies: { 200: media('text/plain; charset=utf-8', 'The policy.') },
    errors: [],
    handle: async () => reply(200, policy, CACHED),
  });

/** @param mailPolicy the MTA-STS policy of the mail domain. Null: there is none */
export function discoveryRoutes(
  listKeys: ListPublicKeys,
  baseUrl: () => string,
  mailPolicy: string | null,
): Endpoint[] {
  return [
    ...(mailPolicy === null ? [] : [mailPolicyDocument(mailPolicy)]),
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
      ['Get server metadata (OpenID Connect)', 'The same document as under RFC 8414.'],
      Metadata,
      async () => authorizationServerMetadata(baseUrl()),
    ),
    document(
      '/.well-known/oauth-authorization-server',
      'getAuthorizationServerMetadata',
      ['Get server metadata (RFC 8414)', 'The endpoints, scopes and methods of this OAuth server.'],
      Metadata,
      async () => authorizationServerMetadata(baseUrl()),
      // Some clients look where RFC 8414 3.1 puts the metadata of an issuer with a path.
      ['/.well-known/oauth-authorization-server/mcp'],
    ),
    document(
      '/.well-known/oauth-protected-resource/mcp',
      'getProtectedResourceMetadata',
      ['Get the metadata of `/mcp` (RFC 9728)', 'Names the server that gives tokens for it.'],
      Type.Unsafe<object>({ type: 'object', description: 'RFC 9728 2.' }),
      async () => protectedResourceMetadata(baseUrl()),
      // Clients that cannot tell the path look at the root.
      ['/.well-known/oauth-protected-resource'],
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
      async () => agentCard(baseUrl(), API_VERSION),
    ),
  ];
}
