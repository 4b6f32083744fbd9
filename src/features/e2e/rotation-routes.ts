import { Type } from 'typebox';
import { iso } from '../../kernel/clock.ts';
import { type Endpoint, endpoint, reply } from '../../kernel/endpoint.ts';
import { guidance, record, text, timestamp } from '../../kernel/fields.ts';
import { type RotationRules, requireNewPublicKey } from './rotation-rules.ts';

const NOTE =
  'Mail that arrives from now on is sealed to this key, at every address of the account. Keep the old private keys: earlier mail opens with them alone.';

const rotateEncryptionKey = (rules: RotationRules) =>
  endpoint({
    method: 'POST',
    path: '/v1/e2e/rotate-key',
    operation: 'rotateEncryptionKey',
    tag: 'Email',
    summary: 'Set or replace the public key that seals inbound mail',
    description:
      'For every address of the account, those claimed later included. The first call registers the SHA-256 of `master_seed`; every later one must send the same seed.',
    auth: 'key',
    effect: 'write',
    action: 'e2e.rotated',
    body: record({
      master_seed: text(1024, { minLength: 1, description: 'Proof of ownership. Only its SHA-256 is kept.' }),
      new_public_key: text(88, { description: 'X25519, 32 bytes, base64 (or base64url) or hex.' }),
    }),
    replies: {
      200: record({
        ok: Type.Boolean(),
        account_id: Type.String(),
        active_public_key: Type.String({ description: 'base64url.' }),
        key_history_count: Type.Integer({ description: 'Keys this account has had, the active one included.' }),
        first_setup: Type.Boolean({ description: 'True when this call registered the master seed.' }),
        updated_at: timestamp(),
        note: guidance(Type.String()),
      }),
    },
    errors: ['seed_mismatch'],
    handle: async ({ principal, body, now, transact }) => {
      const publicKey = requireNewPublicKey(body.new_public_key);
      return transact(async (tx, audit) => {
        const rotation = await rules.rotate(tx, principal, body.master_seed, publicKey, now);
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

export const rotationRoutes = (rules: RotationRules): Endpoint[] => [rotateEncryptionKey(rules)];
