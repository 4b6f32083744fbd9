import { Type } from 'typebox';
import { type Endpoint, endpoint, reply } from '../../kernel/endpoint.ts';
import { record, text } from '../../kernel/fields.ts';
import { insufficientScope } from '../../kernel/scopes.ts';
import type { Reader } from '../../kernel/transaction.ts';
import { type AddressRules, requirePublicKey } from './address-rules.ts';

const claimAddress = (rules: AddressRules) =>
  endpoint({
    method: 'POST',
    path: '/v1/email/claim',
    operation: 'claimAddress',
    tag: 'Email',
    summary: 'Claim an address',
    description:
      'A name without a domain becomes an address on this service’s mail domain. If you already own the address, the reply is 201 again, and `public_key` replaces its key, unless that is older than 7 days or protected by a master seed.',
    auth: 'key',
    scope: 'mail:manage',
    effect: 'write',
    action: 'address.claimed',
    body: record({
      address: text(254, {
        description:
          '`hello`, `hello@…` on the mail domain, or an address at a domain you have verified. Case is ignored.',
      }),
      public_key: Type.Optional(
        text(88, {
          description: 'X25519, 32 bytes, as base64url, base64 or hex. Incoming mail is encrypted to it from now on.',
        }),
      ),
    }),
    replies: {
      201: record({
        address: Type.String(),
        claimed: Type.Boolean({ description: 'Always true.' }),
        already_owned: Type.Boolean({ description: 'True if this account had the address before.' }),
        account_id: Type.String(),
        e2e_enabled: Type.Boolean({ description: 'True if the address has a public key.' }),
      }),
    },
    errors: [
      'invalid_address',
      'address_reserved',
      'address_limit',
      'address_unavailable',
      'seed_mismatch',
      'older_factor_required',
    ],
    handle: async ({ principal, body, now, transact }) => {
      const address = rules.normalize(body.address);
      const publicKey = body.public_key === undefined ? null : requirePublicKey(body.public_key, '/body/public_key');
      if (publicKey !== null && principal.scopes !== null)
        throw insufficientScope(
          'mail:manage',
          'A named key cannot set a public key, because it would outlive the key.',
        );
      return transact(async (tx, audit) => {
        const claimed = await rules.claim(tx, {
          accountId: principal.accountId,
          limits: principal.limits,
          address,
          publicKey,
          principal,
          now,
        });
        audit.resourceId = address;
        return reply(201, {
          address,
          claimed: true,
          already_owned: claimed.alreadyOwned,
          account_id: principal.accountId,
          e2e_enabled: claimed.address.publicKey !== null,
        });
      });
    },
  });

const listAddresses = (rules: AddressRules, database: Reader) =>
  endpoint({
    method: 'GET',
    path: '/v1/email/addresses',
    operation: 'listAddresses',
    tag: 'Email',
    summary: 'List addresses, oldest first',
    auth: 'key',
    scope: 'mail:read',
    effect: 'none',
    replies: { 200: record({ addresses: Type.Array(Type.String()), count: Type.Integer() }) },
    errors: [],
    handle: async ({ principal }) => {
      const addresses = (await rules.list(database, principal.accountId)).map(({ address }) => address);
      return reply(200, { addresses, count: addresses.length });
    },
  });

export const addressRoutes = (rules: AddressRules, database: Reader): Endpoint[] => [
  claimAddress(rules),
  listAddresses(rules, database),
];
