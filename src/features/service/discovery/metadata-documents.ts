import { BASIC_SCOPES, clientResource, DEVICE_CODE_GRANT } from '../../../api/oauth.ts';
import { SCOPE_NAMES } from '../../../api/scopes.ts';

/**
 * Metadata of the authorization server (RFC 8414 2, OpenID Connect Discovery 3): one issuer and one token endpoint, which
 * speaks RFC 6749 and RFC 8693. Agent Authentication Tokens come from `POST /v1/tokens/issue`, with an API key.
 */
export const authorizationServerMetadata = (baseUrl: string) => ({
  issuer: baseUrl,
  authorization_endpoint: `${baseUrl}/oauth/authorize`,
  token_endpoint: `${baseUrl}/oauth/token`,
  device_authorization_endpoint: `${baseUrl}/oauth/device_authorization`,
  registration_endpoint: `${baseUrl}/oauth/register`,
  jwks_uri: `${baseUrl}/.well-known/jwks.json`,
  introspection_endpoint: `${baseUrl}/v1/tokens/introspect`,
  revocation_endpoint: `${baseUrl}/oauth/revoke`,
  scopes_supported: SCOPE_NAMES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: [
    'authorization_code',
    'refresh_token',
    DEVICE_CODE_GRANT,
    'urn:ietf:params:oauth:grant-type:token-exchange',
  ],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['EdDSA'],
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

/** Metadata of `/mcp` (RFC 9728 2). The scopes are those to begin with: a refused call names what it needs. */
export const protectedResourceMetadata = (baseUrl: string) => ({
  resource: clientResource(baseUrl),
  authorization_servers: [baseUrl],
  scopes_supported: [...BASIC_SCOPES],
  bearer_methods_supported: ['header'],
  resource_name: 'Signet',
  resource_documentation: `${baseUrl}/llms.txt`,
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
