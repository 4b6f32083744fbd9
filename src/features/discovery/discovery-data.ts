import { SCOPE_NAMES } from '../../kernel/scopes.ts';

/**
 * Metadata (OpenID Connect Discovery 3) with the fields that apply to this service. As the specification has it,
 * `token_endpoint` issues Agent Authentication Tokens.
 */
export const serverMetadata = (baseUrl: string) => ({
  issuer: baseUrl,
  jwks_uri: `${baseUrl}/.well-known/jwks.json`,
  token_endpoint: `${baseUrl}/v1/tokens/issue`,
  introspection_endpoint: `${baseUrl}/v1/tokens/introspect`,
  revocation_endpoint: `${baseUrl}/v1/tokens/revoke`,
  id_token_signing_alg_values_supported: ['EdDSA'],
  response_types_supported: ['none'],
  subject_types_supported: ['public'],
  // A client asks for tokens with its API key. The service offers no grant of RFC 6749.
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

/** Metadata for OAuth clients: `token_endpoint` speaks RFC 6749 and RFC 8693. A client sends its key as a bearer token. */
export const authorizationServerMetadata = (baseUrl: string) => ({
  ...serverMetadata(baseUrl),
  token_endpoint: `${baseUrl}/oauth/token`,
  grant_types_supported: ['urn:ietf:params:oauth:grant-type:token-exchange'],
  scopes_supported: SCOPE_NAMES,
});

const skill = (id: string, name: string, description: string, tags: string[]) => ({ id, name, description, tags });

/** Describes this service to other agents. */
export const agentCard = (baseUrl: string, version: string) => ({
  name: 'Signet',
  description:
    'Identity for AI agents: keys, real email, a zero-knowledge vault, budgets, signed tokens, an audit log.',
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
