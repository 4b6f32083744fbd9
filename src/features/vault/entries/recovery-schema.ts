import { guidance, nullable, record, text, timestamp } from '../../../api/fields.ts';
import { Type } from '../../../base/schema.ts';
import { Metadata } from './vault-schema.ts';

/** Requests and replies of recovery by mail. */

const seed = (most: string) =>
  Type.String({ minLength: 1, description: `The seed, sealed by the client; base64 or hex. At most ${most}.` });

export const RegisterBody = record({ email: text(254), encrypted_seed: seed('100 KB') });

export const Registered = record({
  ok: Type.Boolean(),
  registered: Type.Boolean(),
  email: Type.String({ description: 'The address in lower case.' }),
  stored_at: timestamp(),
});

export const StoreBody = record({ encrypted_seed: seed('50 KB'), recovery_email: text(254) });

export const StoredSeed = record({
  vault_id: Type.String(),
  stored_at: timestamp(),
  message: guidance(Type.String()),
});

export const RequestBody = record({ email: text(254) });

export const Requested = record({ sent: Type.Boolean(), message: guidance(Type.String()) });

export const TokenQuery = record({
  token: text(256, { description: 'From the emailed link, or `next_token` of the previous reply.' }),
});

export const Recovered = record({
  recovered: Type.Boolean({ description: 'False when nothing is stored for the address.' }),
  entries: Type.Array(
    record({
      account_id: Type.String(),
      key: Type.String(),
      ciphertext: Type.String(),
      metadata: Metadata,
      version: Type.Integer(),
      created_at: timestamp({ description: 'When this version was stored.' }),
    }),
    { description: 'The latest version of each key.' },
  ),
  legacy_entries: Type.Array(
    record({ vault_id: Type.String(), encrypted_seed: Type.String(), created_at: timestamp() }),
    { description: 'Seeds stored without an account.' },
  ),
  account_entries: Type.Array(record({ account_id: Type.String(), encrypted_seed: Type.String() }), {
    description: 'Seeds of accounts.',
  }),
  next_token: nullable(
    Type.String({ description: 'A token for the rest. Works once, for 15 minutes. Null when this is all.' }),
  ),
  note: guidance(Type.String()),
});
