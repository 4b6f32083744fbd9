import type { Principal } from '../principal.ts';
import type { Reader, Tx } from '../transaction.ts';
import type { Asker } from './removal-notices.ts';

/** What `secure` counts. */
export const ENDED_KINDS = ['keys', 'sessions', 'links', 'tokens', 'grants', 'delegations', 'streams'] as const;
export type EndedKind = (typeof ENDED_KINDS)[number];
export type EndedCounts = Record<EndedKind, number>;

/** Something that was made or changed, for its owner to look through. */
export interface RecentChange {
  /** Milliseconds since the epoch. */
  at: number;
  /** Such as `operator_removed`. */
  what: string;
  detail: string;
  /** How often. Absent: once. */
  count?: number;
}

/** A webhook that was paused, with the new secret that signs its posts. */
export interface PausedWebhook {
  id: string;
  url: string;
  paused: boolean;
  /** Null for a webhook without a secret. */
  secret: string | null;
}

/** Who secures an account. `asker`: the same as a factor, before anything was taken back. */
export interface SecuringCaller {
  principal: Principal;
  asker: Asker;
}

/** An account that is being secured. */
export interface Securing {
  accountId: string;
  /** Null: a platform replaces the key of its pod. */
  caller: SecuringCaller | null;
  /** Hash of the session that asks, which stays open. Null: a key asks. */
  keptSession: string | null;
  /** Whether young addresses, operators, keys and settings go. */
  revert: boolean;
  /**
   * A platform replaces the key of its pod: nothing stays but the new key, whatever its age.
   */
  whole: boolean;
  now: number;
}

/** What a feature did. */
export interface LockdownResult {
  ended?: Partial<EndedCounts>;
  /** Changes of the last 30 days that it knows, and what it has just taken back. */
  changes?: readonly RecentChange[];
  webhooks?: readonly PausedWebhook[];
}

/** The part of a feature in securing an account. All parts share one transaction. */
export type LockdownHook = (tx: Tx, securing: Securing) => Promise<LockdownResult>;

/** Names what is young of a feature's factors and still stands, for the warning of a rotation. */
export type RecentlyAdded = (reader: Reader, accountId: string, now: number) => Promise<readonly string[]>;

/** How far back `secure` shows changes and pauses what was made. */
export const LOOK_BACK_DAYS = 30;
