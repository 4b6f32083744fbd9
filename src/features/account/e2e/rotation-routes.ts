import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { guidance, oneOf, record, text, timestamp } from '../../../api/fields.ts';
import { iso } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import type { KeyFactorDeps, KeyFactors } from './key-factor.ts';
import { requireNewPublicKey, rotateKey } from './rotation.ts';

const NOTE =
  'Mail that arrives from now on is encrypted to this key, at every address of the account. Keep the old private keys: you need them to read earlier mail.';

const rotateEncryptionKey = (deps: KeyFactorDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/e2e/rotate-key',
    operation: 'rotateEncryptionKey',
    tag: 'Email',
    summary: 'Set or replace the key that encrypts incoming mail',
    description:
      'Applies to every address of the account, and to addresses claimed later. The first call registers the SHA-256 of `master_seed`. Every later call must send the same seed.',
    auth: 'key',
    scope: 'mail:manage',
    wholeAccount: true,
    effect: 'write',
    dryRun: false,
    leaves: [],
    action: 'e2e.rotated',
    body: record({
      master_seed: text(1024, {
        minLength: 1,
        description: 'Proves that you own the key. Only its SHA-256 is stored.',
      }),
      new_public_key: text(88, { description: 'X25519, 32 bytes, as base64, base64url or hex.' }),
    }),
    replies: {
      200: record({
        ok: Type.Boolean(),
        account_id: Type.String(),
        active_public_key: Type.String({ description: 'Base64url.' }),
        key_history_count: Type.Integer({
          description: 'How many keys this account has had, the active one included.',
        }),
        first_setup: Type.Boolean({ description: 'True if this call registered the master seed.' }),
        updated_at: timestamp(),
        note: guidance(Type.String()),
      }),
    },
    errors: ['seed_mismatch', 'removal_disputed'],
    handle: async ({ principal, body, now, transact }) => {
      const publicKey = requireNewPublicKey(body.new_public_key);
      return transact(async (tx, audit) => {
        const rotation = await rotateKey(tx, deps, principal, { masterSeed: body.master_seed, publicKey }, now);
        audit.resourceId = principal.accountId;
        return reply(200, {
          ok: true,
          account_id: principal.accountId,
          active_public_key: rotation.publicKey,
          key_history_count: rotation.historyCount,
          first_setup: rotation.firstSetup,
          updated_at: iso(now),
          note: NOTE,
        });
      });
    },
  });

const removeKey = (factors: KeyFactors) =>
  endpoint({
    method: 'DELETE',
    path: '/v1/e2e/key',
    operation: 'deleteEncryptionKey',
    tag: 'Email',
    summary: 'Stop encrypting incoming mail',
    description: 'At once while the key is younger than 7 days, otherwise after 7 days. The seed is forgotten too.',
    auth: 'key',
    scope: 'mail:manage',
    wholeAccount: true,
    whileSuspended: true,
    effect: 'write',
    leaves: [],
    bucket: 'revoke',
    action: 'e2e.key_removed',
    replies: { 200: record({ status: oneOf(['ended', 'scheduled']), ends_at: timestamp() }) },
    errors: ['not_found', 'removal_disputed'],
    handle: async ({ principal, now, transact }) =>
      transact(async (tx, audit) => {
        const { status, endsAt } = await factors.remove(tx, principal, now);
        audit.resourceId = principal.accountId;
        if (status === 'scheduled') audit.action = 'e2e.key_removal_asked';
        return reply(200, { status, ends_at: iso(endsAt) });
      }),
  });

export const rotationRoutes = (factors: KeyFactors, deps: KeyFactorDeps): Endpoint[] => [
  rotateEncryptionKey(deps),
  removeKey(factors),
];
