/** A state-changing call, as it goes into the audit log. */
export interface AuditRecord {
  accountId: string;
  /** `category.verb` */
  action: string;
  resourceId: string | null;
  /** The credential: the prefix of a key, `session`, `anonymous` or `operator`. */
  actor: string;
  /** Keyed hash of the client's address. */
  ip: string;
  requestId: string;
  /** HTTP status of the reply. */
  status: number;
  /** Milliseconds since the epoch. */
  now: number;
}
