import { Type } from 'typebox';
import { record } from '../../kernel/fields.ts';
import type { PublicKey } from '../tokens/signing-key-rules.ts';

export const PublicJwk = record({
  kty: Type.Literal('OKP'),
  crv: Type.Literal('Ed25519'),
  x: Type.String(),
  kid: Type.String(),
  use: Type.Literal('sig'),
  alg: Type.Literal('EdDSA'),
});

const texts = () => Type.Array(Type.String());

export const DidDocument = record({
  '@context': texts(),
  id: Type.String(),
  verificationMethod: Type.Array(
    record({ id: Type.String(), type: Type.String(), controller: Type.String(), publicKeyJwk: PublicJwk }),
  ),
  authentication: texts(),
  assertionMethod: texts(),
  service: Type.Array(record({ id: Type.String(), type: Type.String(), serviceEndpoint: Type.String() })),
});

/** An Ed25519 public key in a JWKS (spec, Tokens; RFC 8037 2). */
export const publicJwk = ({ kid, x }: PublicKey) => ({
  kty: 'OKP' as const,
  crv: 'Ed25519' as const,
  x,
  kid,
  use: 'sig' as const,
  alg: 'EdDSA' as const,
});

/** `did:web` of an address and path parts (did:web method, 3.1): a port's colon is written %3A. */
export const didWeb = (baseUrl: string, ...path: string[]): string =>
  ['did:web', new URL(baseUrl).host.replace(':', '%3A'), ...path.map(encodeURIComponent)].join(':');

interface DidKey extends PublicKey {
  /** DID of whoever holds the private half. */
  controller: string;
}

interface DidService {
  id: string;
  type: string;
  serviceEndpoint: string;
}

/**
 * A DID document (W3C DID Core 1.0).
 * @param own keys that the subject itself holds; it authenticates with these alone
 * @param vouching keys that sign statements about it
 */
export function didDocument(did: string, own: readonly DidKey[], vouching: readonly DidKey[], services: DidService[]) {
  const method = ({ kid, x, controller }: DidKey) => ({
    id: `${did}#${kid}`,
    type: 'JsonWebKey2020' as const,
    controller,
    publicKeyJwk: publicJwk({ kid, x }),
  });
  const idOf = ({ kid }: DidKey): string => `${did}#${kid}`;
  const all = [...own, ...vouching.filter(({ kid }) => !own.some((key) => key.kid === kid))];
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/jws-2020/v1'],
    id: did,
    verificationMethod: all.map(method),
    authentication: own.map(idOf),
    assertionMethod: all.map(idOf),
    service: services,
  };
}

/** Authorization server metadata (RFC 8414 2; OpenID Connect Discovery 3), as far as it is true of this service. */
export const serverMetadata = (baseUrl: string) => ({
  issuer: baseUrl,
  jwks_uri: `${baseUrl}/.well-known/jwks.json`,
  token_endpoint: `${baseUrl}/v1/tokens/issue`,
  introspection_endpoint: `${baseUrl}/v1/tokens/introspect`,
  revocation_endpoint: `${baseUrl}/v1/tokens/revoke`,
  id_token_signing_alg_values_supported: ['EdDSA'],
  response_types_supported: ['none'],
  subject_types_supported: ['public'],
  // A key of this service is what a token is asked for with; no grant of RFC 6749 is offered.
  grant_types_supported: ['urn:signet:grant-type:api-key'],
  token_endpoint_auth_methods_supported: ['none'],
  introspection_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  claims_supported: [
    'iss',
    'sub',
    'aud',
    'exp',
    'iat',
    'jti',
    'client_id',
    'scope',
    'scopes',
    'agent_id',
    'agent_name',
  ],
  service_documentation: `${baseUrl}/api`,
});

const skill = (id: string, name: string, description: string, tags: string[]) => ({ id, name, description, tags });

/** What other agents are told of this service. */
export const agentCard = (baseUrl: string, version: string) => ({
  name: 'Signet',
  description:
    'Identity for AI agents: keys, real e-mail, a zero-knowledge vault, budgets, signed tokens, an audit trail.',
  url: baseUrl,
  version,
  provider: { organization: 'Signet', url: baseUrl },
  documentationUrl: `${baseUrl}/api`,
  capabilities: { streaming: true, pushNotifications: true, stateTransitionHistory: true },
  authentication: { schemes: ['Bearer'] },
  registration: { method: 'POST', url: `${baseUrl}/v1/register`, body: { name: 'my-agent' } },
  defaultInputModes: ['application/json'],
  defaultOutputModes: ['application/json'],
  skills: [
    skill('identity', 'An account and its key', 'POST /v1/register; no personal data is needed.', ['identity', 'keys']),
    skill('email', 'A real mailbox', 'Receive, read and send mail: /v1/email/…', ['email']),
    skill('tokens', 'Signed agent tokens', 'POST /v1/tokens/issue; anyone verifies with the JWKS.', ['jwt', 'oauth']),
    skill('trust', 'A trust profile', 'GET /v1/trust/{agentId}, from observations and telemetry.', ['trust']),
  ],
});
