import type { Tier } from '../api/limits.ts';
import type { Log } from '../base/log.ts';

/**
 * Ends a command with its message as one line on stderr. Exit code 1: failure or not found. Exit code 2: wrong usage or
 * configuration.
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
  /** The scopes that its tokens may have; null: all. */
  allowedScopes: string[] | null;
  createdAt: number;
}

export interface AccountDetails {
  account: OperatorAccount;
  /** The addresses of its people, oldest first. Times in milliseconds. */
  people: { role: string; address: string; confirmedAt: number | null; removalDueAt: number | null }[];
  /** Newest first, with only the prefix of each key. */
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
  /** A pod has the tier of its platform. */
  | { outcome: 'pod'; parentId: string };

/** The operations on accounts, on an open database. */
export interface Operator {
  /** Lists at most `limit` accounts with ids after `after`, oldest first. */
  accounts(after: string, limit: number): AsyncIterable<OperatorAccount>;
  /** Null when there is no such account. */
  show(id: string): Promise<AccountDetails | null>;
  setTier(id: string, tier: Tier): Promise<ChangeOutcome>;
  setScopes(id: string, scopes: string[] | null): Promise<ChangeOutcome>;
  setStatus(id: string, status: 'active' | 'suspended'): Promise<ChangeOutcome>;
  /** Creates an account and its key. The key is known only now. @throws ApiError for an invalid email address */
  createAccount(name: string | null, email: string | null): Promise<{ id: string; key: string }>;
  /** Removes a factor of an account in 72 hours. @returns none when the account has no such factor */
  removeFactor(
    accountId: string,
    factor: string,
  ): Promise<readonly { id: string; what: string; target: string; endsAt: number }[]>;
  /**
   * Replaces the operators of an account by another, when that one confirms after 72 hours. `endsAt` in milliseconds.
   * @throws ApiError `not_found`, `address_refused`, `invalid_request`
   */
  replaceOperator(accountId: string, address: string): Promise<{ id: string; endsAt: number }>;
  /** @returns false when no replacement by this address waits */
  cancelReplacement(accountId: string, address: string): Promise<boolean>;
  /** Deletes an account in 72 hours. `deletesAt` in milliseconds. @throws ApiError `not_found` */
  deleteAccount(id: string): Promise<{ deletesAt: number; pods: string[] }>;
  /** Keeps an account that was going to be deleted. @throws ApiError `not_found` */
  cancelDeletion(id: string): Promise<unknown>;
  /** Creates an invite to sign up. `expiresAt` in milliseconds. */
  createInvite(): Promise<{ invite: string; expiresAt: number }>;
  /** Verifies one chain, or all of them. */
  verifyAudit(id: string | null): AsyncIterable<ChainReport>;
  /** One hash over all chains, and the lines that it covers. `at` in milliseconds. */
  anchorAudit(): Promise<{ anchor: string; chains: number; entries: number; at: number; heads: string }>;
  /** Resolves after a running service was notified of the changes. */
  close(): Promise<void>;
}

/** The result of verifying one account's audit chain. */
export interface ChainReport {
  accountId: string;
  /** Valid entries, from the first on. */
  entries: number;
  /** The first invalid entry and its problem; null when all are valid. */
  fault: { seq: number; problem: 'missing' | 'altered' | 'unlinked' | 'forged' } | null;
  /** The last entry covered by a signed checkpoint; 0 for none. */
  sealed: number;
}

/** A result of `signet doctor`. */
export interface Check {
  name: string;
  status: 'ok' | 'warn' | 'fail';
  message: string;
  /** How to fix it; absent for `ok`. */
  remedy?: string;
}

export interface RunningService {
  baseUrl: string;
  /** `host:port`, or `off`. */
  smtp: string;
  database: 'sqlite' | 'postgres';
  mailDomain: string;
  /** Mail for others is not sent; `/dev/outbox` shows it. */
  keepsMail: boolean;
  stop(): Promise<void>;
}

export interface Service {
  logLevel: string;
  /** How many processes serve together. */
  workers: number;
  start(log: Log): Promise<RunningService>;
}

/** The copies of one folder. Paths are absolute, times in milliseconds. */
export interface ScheduledCopies {
  folder: string;
  /** When the newest copy was made; null without one. One from the future, made by a wrong clock, does not count. */
  newestAt(): number | null;
  make(): Promise<{ path: string; sizeBytes: number }>;
  /** Deletes the oldest copies beyond `keep`, and no copy from the future. @returns their names */
  prune(keep: number): Promise<string[]>;
}

/** What `signet restore` did. */
export interface Restored {
  /** The database. */
  path: string;
  /** The folder of what was there before; null when there was nothing. */
  kept: string | null;
  /** The migrations that the copy lacked. */
  migrated: string[];
  /** What was verified. */
  audit: { chains: number; entries: number };
}

/** What the commands about mail and DNS need. Each may throw a {@link CommandError}. */
export interface MailPorts {
  /** The records of the mail domain. `addresses`: those of this host; none: what the DNS or the interfaces say. */
  records(addresses: readonly string[]): Promise<{
    records: readonly { name: string; type: string; value: string; note?: string }[];
    zoneFile: string;
  }>;
  /** Checks the DNS, port 25 and TLS. Changes nothing. */
  examineDns(): Promise<Check[]>;
  /** Sends a mail and calls `onHop` with each step. */
  sendTest(
    to: string,
    onHop: (hop: { step: string; text: string }) => void,
  ): Promise<{ status: 'sent' | 'rejected' | 'deferred'; detail: string }>;
  /** The mails to `postmaster@` and `abuse@` that were not forwarded, oldest first. */
  listKept(): Promise<KeptMail[]>;
  /** One of them as it was received. */
  readKept(id: string): Promise<Uint8Array>;
  deleteKept(id: string): Promise<void>;
}

/** A mail to `postmaster@` or `abuse@`. `keptAt`: milliseconds. */
export interface KeptMail {
  id: string;
  recipient: string;
  envelopeFrom: string;
  reason: string;
  sizeBytes: number;
  keptAt: number;
}

/** What the command line needs from the rest of the program. Each may throw a {@link CommandError}. */
export interface Ports {
  version: string;
  service(): Service;
  /** @returns the ids of the migrations that ran */
  migrate(): Promise<string[]>;
  openOperator(): Promise<Operator>;
  /** `includeKeyWith`: the path of a passphrase file, to add the sealed master key. */
  backup(
    file: string,
    options: { force: boolean; includeKeyWith: string | null },
  ): Promise<{ path: string; sizeBytes: number }>;
  /** Null: the folder `DATA_DIR/backups`. */
  scheduledCopies(folder: string | null, includeKeyWith: string | null): ScheduledCopies;
  /** `to`: the data folder; null: `DATA_DIR`. `keyWith`: the path of a passphrase file, for a copy that holds its key. */
  restore(file: string, options: { to: string | null; keyWith: string | null }): Promise<Restored>;
  /** Writes the master key of a copy to the data folder. @returns the path */
  restoreMasterKey(file: string, passphraseFile: string): Promise<{ path: string }>;
  doctor(): Promise<Check[]>;
  mail: MailPorts;
  /** Creates a signing key and retires all others. @returns its id and how many were retired */
  rotateSigningKey(): Promise<{ kid: string; retired: number }>;
  /** Seals every secret under `MASTER_KEY`. @returns how many it sealed, and how many no key opens */
  rotateMasterKey(): Promise<{ keyId: string; sealed: number; unreadable: number }>;
  /** Ends a signing key and its tokens at once. Null when the service never had this key. */
  revokeSigningKey(kid: string): Promise<{
    /** False when the key already was revoked. */
    changed: boolean;
    /** How many tokens ended that had not expired. */
    tokens: number;
    /** The new key of this data folder. Null when its key was another one. */
    replacedBy: string | null;
  } | null>;
}
