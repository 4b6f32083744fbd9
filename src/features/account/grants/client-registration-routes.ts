import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { record, text } from '../../../api/fields.ts';
import { Type } from '../../../base/schema.ts';
import type { GrantDeps } from './grant.ts';
import type { ClientRules } from './registered-client-terms.ts';

/** What a client is registered with (RFC 7591 3.2.1). */
interface Registered {
  client_id: string;
  client_id_issued_at: number;
  client_name?: string;
  redirect_uris: string[];
  grant_types: string[];
  response_types: string[];
  token_endpoint_auth_method: 'none';
}

const register = (clients: ClientRules, { networksOf }: GrantDeps) =>
  endpoint({
    method: 'POST',
    path: '/oauth/register',
    operation: 'registerClient',
    tag: 'OAuth',
    summary: 'Register a client (RFC 7591)',
    description: 'A client has no secret. One that nobody lets in is forgotten after 24 hours.',
    auth: 'none',
    model: false,
    effect: 'write',
    leaves: [],
    action: 'client.registered',
    anyBody: true,
    cors: true,
    bodyLimitBytes: 65_536,
    body: record({
      redirect_uris: Type.Optional(Type.Array(text(2048), { maxItems: 100 })),
      client_name: Type.Optional(text(1000)),
    }),
    replies: { 201: Type.Unsafe<Registered>({ type: 'object', description: 'RFC 7591 3.2.1.' }) },
    errors: ['invalid_redirect_uri', 'invalid_client_metadata', 'rate_limited'],
    handle: async ({ body, ip, now, transact }) =>
      transact(async (tx, audit) => {
        const { id, name, redirectUris } = await clients.register(tx, body, networksOf(ip), now);
        audit.resourceId = id;
        const registered: Registered = {
          client_id: id,
          client_id_issued_at: Math.floor(now / 1000),
          redirect_uris: redirectUris,
          ...(name === null ? {} : { client_name: name }),
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          token_endpoint_auth_method: 'none',
        };
        return reply(201, registered, { 'cache-control': 'no-store' });
      }),
  });

export const registrationRoutes = (clients: ClientRules, deps: GrantDeps): Endpoint[] => [register(clients, deps)];
