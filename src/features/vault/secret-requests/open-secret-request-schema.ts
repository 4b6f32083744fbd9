import { named, nullable, record, timestamp } from '../../../api/fields.ts';
import { iso } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import type { CredentialRequest } from './secret-request-table.ts';

const openFields = {
  request_id: Type.String(),
  description: Type.String(),
  vault_key: nullable(Type.String()),
  public_key: nullable(Type.String()),
  created_at: timestamp(),
  expires_at: timestamp(),
};

/** An open request, without who asks. */
export const OpenRequestFields = named('OpenCredentialRequest', record(openFields));

export const openRequestFields = (request: CredentialRequest) => ({
  request_id: request.id,
  description: request.description,
  vault_key: request.vaultKey,
  public_key: request.ownKey ? request.publicKey : null,
  created_at: iso(request.createdAt),
  expires_at: iso(request.expiresAt),
});
