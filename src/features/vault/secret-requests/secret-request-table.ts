import type { SealedColumn } from '../../../base/sealing.ts';
import { column, columnMap, type RecordOf } from '../../../db/column-map.ts';

/** A `pending` request past `expiresAt` has expired. Its status does not change. */
export type StoredStatus = 'pending' | 'approved' | 'denied' | 'delivered';
export type ResolvedBy = 'mail_link' | 'session' | 'wrong_codes';

export const CREDENTIAL_VALUE: SealedColumn = {
  purpose: 'credential',
  table: 'credential_requests',
  column: 'sealed_value',
  id: 'id',
};

export const CREDENTIAL_REQUESTS = columnMap({
  id: column.text('id'),
  /** The account that asks. */
  accountId: column.text('account_id'),
  /** The account whose operator decides: the platform of a pod, else the account itself. */
  operatorId: column.text('operator_id'),
  deviceHash: column.text('device_hash'),
  userCodeHash: column.text('user_code_hash'),
  /** X25519, base64url. The value is sealed to it. */
  publicKey: column.text('public_key'),
  /** Whether the key is the agent's own. Otherwise it is derived from the device code. */
  ownKey: column.flag('own_key'),
  description: column.text('description'),
  vaultKey: column.text('vault_key').orNull(),
  status: column.word<StoredStatus>()('status'),
  wrongCodes: column.integer('wrong_codes'),
  /** Set between approval and delivery only: what is sealed to `publicKey`, sealed once more by the service. */
  sealedValue: column.sealed('sealed_value').orNull(),
  createdAt: column.integer('created_at'),
  viewedAt: column.integer('viewed_at').orNull(),
  expiresAt: column.integer('expires_at'),
  resolvedAt: column.integer('resolved_at').orNull(),
  resolvedBy: column.word<ResolvedBy>()('resolved_by').orNull(),
});
export type CredentialRequest = RecordOf<typeof CREDENTIAL_REQUESTS>;

/** A mailed link: it proves that its holder reads the operator's mail. */
export const CREDENTIAL_LINKS = columnMap({
  hash: column.text('hash'),
  requestId: column.text('request_id'),
  operatorId: column.text('operator_id'),
  /** The operator's address at the time of the mail. The link is void once it changes. */
  email: column.text('email'),
  expiresAt: column.integer('expires_at'),
});
export type CredentialLink = RecordOf<typeof CREDENTIAL_LINKS>;
