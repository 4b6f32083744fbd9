import type { SealedColumn } from '../../../base/sealing.ts';
import { column, exported, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

/** A `pending` request past `expiresAt` has expired. Its status does not change. */
export type StoredStatus = 'pending' | 'approved' | 'denied' | 'delivered';
export type ResolvedBy = 'mail_link' | 'session' | 'wrong_codes';

export const CREDENTIAL_VALUE: SealedColumn = {
  purpose: 'credential',
  table: 'credential_requests',
  column: 'sealed_value',
  id: 'id',
};

export const CREDENTIAL_REQUESTS = table(
  'credential_requests',
  {
    id: exported.text('id'),
    /** The account that asks. */
    accountId: exported.text('account_id'),
    /** The account whose operator decides: the platform of a pod, else the account itself. */
    operatorId: exported.text('operator_id'),
    deviceHash: column.text('device_hash'),
    userCodeHash: column.text('user_code_hash'),
    /** X25519, base64url. The value is sealed to it. */
    publicKey: exported.text('public_key'),
    /** Whether the key is the agent's own. Otherwise it is derived from the device code. */
    ownKey: exported.flag('own_key'),
    description: exported.text('description'),
    vaultKey: exported.text('vault_key').orNull(),
    status: exported.enum<StoredStatus>()('status'),
    wrongCodes: exported.integer('wrong_codes'),
    /** Set between approval and delivery only: what is sealed to `publicKey`, sealed once more by the service. */
    sealedValue: column.sealed('sealed_value').orNull(),
    createdAt: exported.integer('created_at'),
    viewedAt: exported.integer('viewed_at').orNull(),
    expiresAt: exported.integer('expires_at'),
    resolvedAt: exported.integer('resolved_at').orNull(),
    resolvedBy: exported.enum<ResolvedBy>()('resolved_by').orNull(),
    /** When the agent first asked after the decision. Null: it does not know. */
    toldAt: exported.integer('told_at').orNull(),
  },
  { key: ['id'], account: ['accountId', 'operatorId'], erase: 'delete' },
);
export type CredentialRequest = RecordOf<typeof CREDENTIAL_REQUESTS>;
