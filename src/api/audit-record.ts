import type { Principal } from './principal.ts';

/** A state-changing call, as it goes into the audit log. */
export interface AuditRecord {
  accountId: string;
  /** `category.verb` */
  action: string;
  resourceId: string | null;
  /** The accounts that acted by delegation: the caller first, then those that passed it on. Absent: the account itself. */
  act?: readonly string[];
  /** How many things a job did it to. Absent: one. */
  count?: number;
  /** The credential: the prefix of a key or an access token, `session`, `anonymous` or `operator`. */
  actor: string;
  /** Keyed hash of the client's address. */
  ip: string;
  requestId: string;
  /** HTTP status of the reply. */
  status: number;
  /** Milliseconds since the epoch. */
  now: number;
}

/** What an audit entry says about the caller of a request. */
export const callerOf = (principal: Principal | null): Pick<AuditRecord, 'actor' | 'act'> => ({
  actor: principal?.actor ?? 'anonymous',
  ...(principal?.delegation ? { act: principal.delegation.actors } : {}),
});
