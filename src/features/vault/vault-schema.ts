import { Type } from 'typebox';
import { guidance, named, nullable, oneOf, record, timestamp } from '../../kernel/fields.ts';

/** What the vault says on the wire. */

/** Spec, Vault entry; `.` and `..` would be taken for steps of a path (RFC 3986 5.2.4). */
const KEY_PATTERN = '^(?!\\.{1,2}$)[A-Za-z0-9_.\\-]{1,128}$';

export const KeyParam = record({
  key: Type.String({ pattern: KEY_PATTERN, examples: ['db-password'], description: '1..128 of `A-Z a-z 0-9 _ - .`' }),
});

export const VersionQuery = record({
  version: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 999_999_999_999_999, description: 'The latest unless told.' }),
  ),
});

const Metadata = nullable(
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    description: 'Not encrypted, seen by the service and shown in lists; at most 4 KB as JSON.',
  }),
);

/** No `maxLength`: the limit is the tier's, in bytes, and has a code of its own. */
const Ciphertext = Type.String({
  minLength: 1,
  description: 'What the client sealed, kept as it is; base64url or hex. At most 16 KB, 64 KB on the paid tier.',
  examples: ['AAECAwQFBgcICQoLDA0ODw'],
});

export const PutBody = record({
  ciphertext: Ciphertext,
  metadata: Type.Optional(Metadata),
  if_version: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 999_999_999_999_999,
      description: 'Store only if this is the latest version, 0 for none; `If-Match` says the same.',
    }),
  ),
});

export const Stored = named(
  'StoredVaultEntry',
  record({
    key: Type.String(),
    stored: Type.Boolean(),
    version: Type.Integer(),
    created_at: timestamp({ description: 'When the key was made.' }),
    updated_at: timestamp({ description: 'When this version was stored.' }),
    payment_id: Type.Optional(Type.String({ description: 'What a key over the limit was paid with.' })),
  }),
);

export const Entry = named(
  'VaultEntry',
  record({
    key: Type.String(),
    ciphertext: Type.String(),
    value: Type.String({ description: 'The same as `ciphertext`, for older clients.' }),
    metadata: Metadata,
    version: Type.Integer(),
    latest_version: Type.Integer(),
    created_at: timestamp({ description: 'When the key was made.' }),
    updated_at: timestamp({ description: 'When this version was stored.' }),
  }),
);

export const KeyList = named(
  'VaultKeyList',
  record({
    keys: Type.Array(
      record({
        key: Type.String(),
        version: Type.Integer(),
        metadata: Metadata,
        created_at: timestamp(),
        updated_at: timestamp(),
      }),
    ),
    count: Type.Integer({ description: 'Keys of this vault, on all pages.' }),
    limit: nullable(Type.Integer({ description: 'Keys this vault may have, those bought included; null: no limit.' })),
    tier: oneOf(['free', 'paid']),
    next_cursor: nullable(Type.String({ description: 'Pass as `cursor` to get the next page; null at the end.' })),
  }),
);

export const Deleted = record({
  key: Type.String(),
  deleted: Type.Boolean(),
  versions_removed: Type.Integer(),
});

const LegacyEntry = record({ vault_id: Type.String(), encrypted_seed: Type.String(), created_at: timestamp() });

export const Recovered = record({
  recovered: Type.Boolean({ description: 'Whether there is anything.' }),
  entries: Type.Array(
    record({
      account_id: Type.String(),
      key: Type.String(),
      ciphertext: Type.String(),
      metadata: Metadata,
      version: Type.Integer(),
      created_at: timestamp({ description: 'When this version was stored.' }),
    }),
  ),
  legacy_entries: Type.Array(LegacyEntry),
  account_entries: Type.Array(record({ account_id: Type.String(), encrypted_seed: Type.String() })),
  next_token: nullable(
    Type.String({
      description: 'A new single-use token for what did not fit, good for 15 minutes; null: this is all.',
    }),
  ),
  note: guidance(Type.String()),
});
