import { guidance, named, nextCursor, nullable, oneOf, record, sameAs, timestamp } from '../../../api/fields.ts';
import { Type } from '../../../base/schema.ts';
import type { Metadata as MetadataValue } from './vault-table.ts';

/** Requests and replies of the vault's entries. */

/** Spec, Vault entry. A path drops `.` and `..` as its own steps (RFC 3986 5.2.4), so they are no keys. */
const KEY_PATTERN = '^(?!\\.{1,2}$)[A-Za-z0-9_.\\-]{1,128}$';
const VERSION_MAX = 999_999_999_999_999;

export const KeyParam = record({
  key: Type.String({
    pattern: KEY_PATTERN,
    examples: ['db-password'],
    description: '1 to 128 of `A-Z a-z 0-9 _ - .`; not `.` or `..`.',
  }),
});

export const VersionQuery = record({
  version: Type.Optional(
    Type.Integer({ minimum: 1, maximum: VERSION_MAX, description: 'The version. The latest by default.' }),
  ),
});

export const DeleteQuery = record({
  version: Type.Optional(
    Type.Integer({ minimum: 1, maximum: VERSION_MAX, description: 'Delete this version only. All by default.' }),
  ),
});

export const Metadata = nullable(
  Type.Unsafe<MetadataValue>({
    type: 'object',
    description: 'Not encrypted: the service can read it, and lists show it. At most 4 KB as JSON.',
  }),
);

/** No `maxLength`: the limit is the tier's, in bytes, and has its own error. */
const Ciphertext = Type.String({
  minLength: 1,
  description: 'The sealed value, stored byte for byte. Base64url or hex. At most 16 KB, 64 KB on the paid tier.',
  examples: ['AAECAwQFBgcICQoLDA0ODw'],
});

export const PutBody = record({
  ciphertext: Ciphertext,
  metadata: Type.Optional(Metadata),
  if_version: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: VERSION_MAX,
      description: 'Store only if this is the latest version; 0: only if the key is new. The same as `If-Match`.',
    }),
  ),
});

const createdAt = timestamp({ description: 'When the key was created.' });
const storedAt = timestamp({ description: 'When this version was stored.' });

export const Stored = named(
  'StoredVaultEntry',
  record({
    key: Type.String(),
    stored: Type.Boolean(),
    version: Type.Integer(),
    created_at: createdAt,
    updated_at: storedAt,
    payment_id: Type.Optional(Type.String({ description: 'The payment for a key over the limit.' })),
    warning: Type.Optional(guidance(Type.String({ description: 'The value looks like plain text.' }))),
    docs_url: Type.Optional(guidance(Type.String({ description: 'How to seal a value.' }))),
  }),
);

export const Entry = named(
  'VaultEntry',
  record({
    key: Type.String(),
    ciphertext: Type.String(),
    value: sameAs('ciphertext'),
    metadata: Metadata,
    version: Type.Integer(),
    latest_version: Type.Integer(),
    created_at: createdAt,
    updated_at: storedAt,
  }),
);

export const KeyList = named(
  'VaultKeyList',
  record({
    keys: Type.Array(
      record({
        key: Type.String(),
        version: Type.Integer({ description: 'The latest version.' }),
        metadata: Metadata,
        created_at: timestamp(),
        updated_at: timestamp(),
      }),
    ),
    count: Type.Integer({ description: 'Keys on all pages.' }),
    limit: nullable(Type.Integer({ description: 'Keys the vault may have, with those you paid for; null: no limit.' })),
    tier: oneOf(['free', 'paid']),
    next_cursor: nextCursor(),
  }),
);

export const VersionList = record({
  key: Type.String(),
  versions: Type.Array(record({ version: Type.Integer(), metadata: Metadata, stored_at: timestamp() }), {
    description: 'Those that are kept, newest first.',
  }),
});

export const Deleted = record({
  key: Type.String(),
  deleted: Type.Boolean(),
  versions_removed: Type.Integer(),
});
