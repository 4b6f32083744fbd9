/** Worst first. */
export const SEVERITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const OUTCOMES = ['accepted', 'rejected'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What an agent says it found. */
export interface FindingClaim {
  title: string;
  severity: Severity;
  target: string;
  /** `sha256:` and 64 hex digits. */
  evidenceHash: string;
  cwe: string | null;
  evidenceUrl: string | null;
  toolsUsed: string[];
  timeToFindMs: number | null;
  /** Whose programs may judge it; null: nobody's. */
  audience: string | null;
}

export interface Finding extends FindingClaim {
  jti: string;
  accountId: string;
  accepted: number;
  rejected: number;
  createdAt: number;
}

/** What became of an agent's findings of one severity. */
export interface Tally {
  submitted: number;
  accepted: number;
  rejected: number;
}

export interface Program {
  id: string;
  accountId: string;
  name: string;
  audience: string;
  keyPrefix: string;
  createdAt: number;
  endedAt: number | null;
}
