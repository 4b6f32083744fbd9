import type { Tier } from '../kernel/limits.ts';
import type { Log } from '../kernel/log.ts';

/**
 * Ends a command with its message as one line on stderr. Exit code 1: it failed, or there is no such thing; 2: it was
 * asked or configured wrongly.
 */
export class CommandError extends Error {
  readonly exitCode: 1 | 2;

  constructor(exitCode: 1 | 2, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** An account as the operator sees it. Times in milliseconds. */
export interface OperatorAccount {
  id: string;
  /** The platform of a pod; null for a platform. */
  parentId: string | null;
  name: string | null;
  tier: Tier;
  /** `paused`: a pod that its platform suspended. */
  status: 'active' | 'suspended' | 'paused';
  email: string | null;
  recoveryEmail: string | null;
  operatorEmail: string | null;
  /** The ceiling of its tokens' scopes; null: none. */
  allowedScopes: string[] | null;
  createdAt: number;
}

export interface AccountDetails {
  account: OperatorAccount;
  /** Newest first; never more of a key than its prefix. */
  keys: { prefix: string; kind: string; status: string; label: string | null; createdAt: number }[];
  addresses: { address: string; total: number; unread: number; createdAt: number }[];
  usage: {
    /** The UTC day, `YYYY-MM-DD`. */
    day: string;
    requests: { used: number; limit: number };
    emails: { used: number; limit: number };
  };
}

export type ChangeOutcome =
  | { outcome: 'changed' | 'unchanged'; account: OperatorAccount }
  | { outcome: 'not_found' }
  /** A pod's tier is its platform's. */
  | { outcome: 'pod'; parentId: string };

/** The operations on accounts, on an open database. */
export interface Operator {
  /** All accounts after the id `after`, in id order, which is the order of their making; at most `limit`. */
  accounts(after: string, limit: number): AsyncIterable<OperatorAccount>;
  /** Null when there is no such account. */
  show(id: string): Promise<AccountDetails | null>;
  setTier(id: string, tier: Tier): Promise<ChangeOutcome>;
  setScopes(id: string, scopes: string[] | null): Promise<ChangeOutcome>;
  setStatus(id: string, status: 'active' | 'suspended'): Promise<ChangeOutcome>;
  /** Verifies one chain, or all of them. */
  verifyAudit(id: string | null): AsyncIterable<ChainReport>;
  /** Returns when a running service has been told of the changes. */
  close(): Promise<void>;
}

/** What came of verifying one account's chain of audit entries. */
export interface ChainReport {
  accountId: string;
  /** Entries that hold, from the first on. */
  entries: number;
  /** The first entry that does not, and in what way; null when all do. */
  fault: { seq: number; problem: 'missing' | 'altered' | 'unlinked' | 'forged' } | null;
  /** The last entry that a signature covers; 0 for none. */
  sealed: number;
}

/** A finding of `signet doctor`. */
export interface Check {
  name: string;
  status: 'ok' | 'warn' | 'fail';
  message: string;
  /** What to do about it; absent for `ok`. */
  remedy?: string;
}

export interface RunningService {
  baseUrl: string;
  /** `host:port`, or `off`. */
  smtp: string;
  database: 'sqlite' | 'postgres';
  mailDomain: string;
  stop(): Promise<void>;
}

export interface Service {
  logLevel: string;
  start(log: Log): Promise<RunningService>;
}

/** All that the command line needs of the rest of the program. Each may throw a {@link CommandError}. */
export interface Ports {
  version: string;
  service(): Service;
  /** @returns the ids of the steps that ran */
  migrate(): Promise<string[]>;
  openOperator(): Promise<Operator>;
  backup(file: string, options: { force: boolean }): Promise<{ path: string; sizeBytes: number }>;
  doctor(): Promise<Check[]>;
  /** Makes a new signing key and retires every other. @returns how many were retired */
  rotateSigningKey(): Promise<{ kid: string; retired: number }>;
}
