import type { Principal } from '../../../api/principal.ts';

/** A mail program that is logged in: whose key or token it presented, and the one address that it opened. */
export interface ProgramLogin {
  principal: Principal;
  /** `local@domain`, as stored. */
  address: string;
  /** Keyed hash of the client's address, for the audit log. */
  ip: string;
  /** See `AuditRecord.network`. */
  network: string | null;
}
