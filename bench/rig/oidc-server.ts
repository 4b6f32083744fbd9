/**
 * oidc-provider as it comes, in memory, with a client that gets tokens by its credentials: signed ones (EdDSA, as ours), and
 * opaque ones, which are what it can introspect. `sh bin/node bench/rig/oidc-server.ts '{"folder", "client", "secret"}'`
 */
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const { folder, client, secret } = JSON.parse(process.argv[2] as string) as Record<string, string>;
const { Provider } = await import(join(folder as string, 'lib/index.js'));
const { privateKey } = generateKeyPairSync('ed25519');

const provider = new Provider('http://127.0.0.1', {
  clients: [
    {
      client_id: client,
      client_secret: secret,
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      id_token_signed_response_alg: 'EdDSA',
    },
  ],
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'EdDSA', kid: 'bench' }] },
  scopes: ['read'],
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    introspection: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_context: unknown, resource: string) => ({
        audience: resource,
        scope: 'read',
        ...(resource.endsWith('/signed') && { accessTokenFormat: 'jwt', jwt: { sign: { alg: 'EdDSA' } } }),
      }),
    },
  },
});

const server = createServer(provider.callback());
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.once('SIGTERM', () => process.exit(0));
