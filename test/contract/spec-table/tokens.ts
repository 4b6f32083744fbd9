import { inside, type SpecEndpoint } from './spec-endpoint.ts';

const JWK = ['kty', 'crv', 'x', 'kid', 'use', 'alg'];
const CLAIMS = ['sub', 'aud', 'iat', 'exp', 'jti', 'scopes', 'agent_id', 'agent_name'];

/** Tokens and discovery. */
export const tokens: readonly SpecEndpoint[] = [
  {
    method: 'POST',
    path: '/v1/tokens/issue',
    auth: 'key',
    body: ['audience!', 'scopes!', 'ttl', 'agent_name', 'agent_email'],
    status: 201,
    reply: ['token', 'expires_at', 'jti', 'audit_url'],
    errors: ['invalid_scopes', 'ttl_out_of_range', 'scope_ceiling_exceeded', 'signing_unavailable'],
  },
  {
    method: 'POST',
    path: '/v1/tokens/introspect',
    auth: 'none',
    body: ['token'],
    status: 200,
    reply: ['active', ...CLAIMS],
    errors: [],
  },
  {
    method: 'GET',
    path: '/.well-known/jwks.json',
    auth: 'none',
    status: 200,
    reply: ['keys', ...inside('keys[]', JWK)],
    errors: [],
  },
  {
    method: 'GET',
    path: '/agents/{name}/.well-known/jwks.json',
    auth: 'none',
    status: 200,
    reply: ['keys', ...inside('keys[]', JWK)],
    errors: [],
  },
  {
    method: 'GET',
    path: '/.well-known/openid-configuration',
    auth: 'none',
    status: 200,
    reply: ['token_endpoint', 'introspection_endpoint', 'id_token_signing_alg_values_supported'],
    errors: [],
  },
  {
    method: 'GET',
    path: '/v1/audit',
    auth: 'key',
    query: ['from', 'to', 'category', 'action', 'resource_id', 'result', 'cursor', 'limit'],
    status: 200,
    reply: ['entries', 'next_cursor', 'count'],
    errors: [],
  },
];
