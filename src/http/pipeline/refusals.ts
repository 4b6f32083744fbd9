import type { AuditRecord } from '../../api/audit-record.ts';
import type { Endpoint } from '../../api/endpoint.ts';
import type { ApiError } from '../../api/errors.ts';
import type { Principal } from '../../api/principal.ts';

export interface RefusalPorts {
  /** Records a change that was refused to a credential of an account. */
  noteRefusal(record: AuditRecord): void;
  /** Records that a limit refused a request. */
  noteLimit(limit: string, accountId: string | null, now: number): void;
  /** Computes the keyed hash of an IP address, for storage. */
  hashIp(ip: string): string;
}

/** A refused request. */
interface Refused {
  principal: Principal | null;
  endpoint: Endpoint | null;
  params: Record<string, string> | undefined;
  ip: string;
  requestId: string;
  now: number;
}

/** The limit that a refusal names. */
function limitOf({ fields }: ApiError): string | null {
  const reached = [fields.quota, fields.limit].find((field) => typeof field === 'object' && field !== null);
  return reached === undefined ? null : (reached as { name: string }).name;
}

/**
 * Notes for the owner that one of the account's credentials asked for a change that it may not make, and for the
 * administrator
 * which limit refused a request.
 */
export function noteRefused(refusal: ApiError, refused: Refused, ports: RefusalPorts): void {
  const { principal, endpoint, params, requestId, now } = refused;
  const { status } = refusal;
  const limit = limitOf(refusal);
  if (limit !== null) ports.noteLimit(limit, principal?.accountId ?? null, now);
  if (!principal || endpoint?.effect !== 'write' || (status !== 401 && status !== 403)) return;
  const { accountId, actor } = principal;
  const resourceId = Object.values(params ?? {})[0]?.slice(0, 300) ?? null;
  const action = endpoint.action ?? endpoint.operation;
  ports.noteRefusal({ accountId, actor, action, resourceId, ip: ports.hashIp(refused.ip), requestId, status, now });
}
