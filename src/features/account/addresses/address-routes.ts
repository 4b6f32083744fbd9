import { changeOf } from '../../../api/audit-record.ts';
import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { audited, named, nullable, record, text } from '../../../api/fields.ts';
import { insufficientScope } from '../../../api/scopes.ts';
import { Type } from '../../../base/schema.ts';
import type { AddressRules } from './address.ts';
import { requirePublicKey } from './address-public-key.ts';
import { RELEASED_MAIL_MS } from './address-release.ts';
import { type AddressDeps, changeSettings } from './address-settings.ts';
import type { Address } from './address-table.ts';

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
    addresses: 'refused',
    leavesAccess: true,
    effect: 'write',
    leaves: [],
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

const Settings = named(
  'AddressSettings',
  record({
    address: Type.String(),
    display_name: audited(nullable(Type.String())),
    retention_days: audited(nullable(Type.Integer())),
  }),
);

const settingsOf = ({ address, displayName, retentionDays }: Address) => ({
  address,
  display_name: displayName,
  retention_days: retentionDays,
});

const listAddresses = (rules: AddressRules, { database }: AddressDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/email/addresses',
    operation: 'listAddresses',
    tag: 'Email',
    summary: 'List addresses, oldest first',
    description: 'The addresses that the credential may use.',
    auth: 'key',
    scope: 'mail:read',
    addresses: 'filtered',
    effect: 'none',
    bucket: 'inspect',
    replies: {
      200: record({ addresses: Type.Array(Type.String()), count: Type.Integer(), settings: Type.Array(Settings) }),
    },
    errors: [],
    handle: async ({ principal }) => {
      const own = await rules.listOf(database, principal);
      const addresses = own.map(({ address }) => address);
      return reply(200, { addresses, count: addresses.length, settings: own.map(settingsOf) });
    },
  });

const updateAddress = (rules: AddressRules, deps: AddressDeps) =>
  endpoint({
    method: 'PATCH',
    path: '/v1/email/addresses/{address}',
    operation: 'updateAddress',
    tag: 'Email',
    summary: 'Change the settings of an address',
    description: 'Absent fields stay.',
    auth: 'key',
    scope: 'mail:manage',
    addresses: 'filtered',
    leavesAccess: true,
    effect: 'write',
    leaves: [],
    action: 'address.updated',
    params: record({ address: text(254) }),
    body: record({
      display_name: Type.Optional(nullable(text(100), { description: 'The name in From. Null: none.' })),
      retention_days: Type.Optional(
        nullable(Type.Integer({ minimum: 1, maximum: 3650 }), {
          description: 'Mail is deleted for good after so many days. Null: never.',
        }),
      ),
    }),
    replies: { 200: Settings },
    errors: ['invalid_address', 'not_found'],
    handle: async ({ principal, params, body, now, transact }) =>
      transact(async (tx, audit) => {
        const call = { principal, text: params.address, now };
        const change = { displayName: body.display_name, retentionDays: body.retention_days };
        const { before, changed } = await changeSettings(tx, rules, deps, call, change);
        audit.resourceId = changed.address;
        audit.change = changeOf(Settings, settingsOf(before), settingsOf(changed));
        return reply(200, settingsOf(changed));
      }),
  });

const releaseAddress = (rules: AddressRules, { appendEvent, enqueueJob }: AddressDeps) =>
  endpoint({
    method: 'DELETE',
    path: '/v1/email/addresses/{address}',
    operation: 'releaseAddress',
    tag: 'Email',
    summary: 'Release an address',
    description:
      'From now on it looks like an address that nobody has, but no other account ever gets it. Claim it again within 30 days to get its mail back. Until then it counts as one of your addresses.',
    auth: 'key',
    scope: 'mail:manage',
    wholeAccount: true,
    effect: 'write',
    leaves: [],
    bucket: 'revoke',
    action: 'address.released',
    params: record({ address: text(254) }),
    replies: { 200: record({ released: Type.Boolean({ description: 'Always true.' }) }) },
    errors: ['not_found'],
    handle: async ({ principal, params, now, transact }) =>
      transact(async (tx, audit) => {
        const { accountId } = principal;
        const address = rules.normalizeOwn(params.address);
        await rules.release(tx, { accountId, address }, now);
        await appendEvent(tx, { accountId, type: 'address.released', data: { address }, now });
        await enqueueJob(tx, { kind: 'mailbox.empty', payload: { address }, runAt: now + RELEASED_MAIL_MS });
        audit.resourceId = address;
        return reply(200, { released: true });
      }),
  });

export const addressRoutes = (rules: AddressRules, deps: AddressDeps): Endpoint[] => [
  claimAddress(rules),
  releaseAddress(rules, deps),
  updateAddress(rules, deps),
  listAddresses(rules, deps),
];
