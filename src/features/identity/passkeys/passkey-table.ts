import { column, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

/** A passkey of a person. It belongs to the address, whatever accounts the address operates. */
export const PASSKEYS = table(
  'passkeys',
  {
    /** `psk_…` */
    id: column.text('id'),
    address: column.text('address'),
    /** The authenticator's name for it, base64url. */
    credentialId: column.text('credential_id'),
    /** COSE (RFC 9052). */
    publicKey: column.bytes('public_key'),
    /** The authenticator's count of its signatures. 0: it does not count. */
    counter: column.integer('counter'),
    transports: column.json<string[]>()('transports'),
    name: column.text('name'),
    /** SHA-256 of the session that added it. */
    sessionHash: column.text('session_hash'),
    createdAt: column.integer('created_at'),
    /** From then on it logs in. */
    activeAt: column.integer('active_at'),
    lastUsedAt: column.integer('last_used_at').orNull(),
  },
  { key: ['id'], account: [], erase: { by: 'passkey-erasure.ts' } },
);
export type Passkey = RecordOf<typeof PASSKEYS>;

/** A challenge that waits for its answer. */
export const CHALLENGES = table(
  'passkey_challenges',
  {
    /** SHA-256 of its base64url text. */
    hash: column.text('hash'),
    /** What may answer it, see {@link registrationOf} and {@link loginOf}. */
    boundTo: column.text('bound_to'),
    expiresAt: column.integer('expires_at'),
  },
  { key: ['hash'], account: [], erase: { keep: 'belongs to no account' }, expires: 'expiresAt' },
);

/** A code that logs a person in instead of a passkey, once. */
export const RECOVERY_CODES = table(
  'recovery_codes',
  {
    /** SHA-256 of the address and the code. */
    hash: column.text('hash'),
    address: column.text('address'),
  },
  { key: ['hash'], account: [], erase: { by: 'passkey-erasure.ts' } },
);

/** Where a browser may use the passkeys of this service (WebAuthn 4, Relying Party Identifier). */
export interface RelyingParty {
  /** A host name. */
  id: string;
  origin: string;
}

/** What a mail tells a person about the ways to log in. */
export type PasskeyNews =
  | 'added'
  | 'pending'
  | 'active'
  | 'removed'
  | 'codes_made'
  | 'code_used'
  | 'required'
  | 'not_required';
