import type { AuditActor, Principal, WrittenActor } from './principal.ts';

const ANONYMOUS: WrittenActor = { kind: 'anonymous' };
export const SERVICE: WrittenActor = { kind: 'service' };

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
  actor: AuditActor;
  /** Keyed hash of the client's address. */
  ip: string;
  requestId: string;
  /** HTTP status of the reply. */
  status: number;
  /** Milliseconds since the epoch. */
  now: number;
  /** Nothing of it happened: it was tried. */
  isDryRun?: true;
}

/** What an audit entry says about the caller of a request. */
export const callerOf = (principal: Principal | null): Pick<AuditRecord, 'actor' | 'act'> => ({
  actor: principal?.auditActor ?? ANONYMOUS,
  ...(principal?.delegation ? { act: principal.delegation.actors } : {}),
});
