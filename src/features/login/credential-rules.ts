import { LRUCache } from 'lru-cache';
import { ApiError } from '../../kernel/errors.ts';
import type { Tier, TierLimits } from '../../kernel/limits.ts';
import type { Principal } from '../../kernel/principal.ts';
import { hashSecret, isSessionToken, keyKindOf } from '../../kernel/secret.ts';
import type { Database, Tx } from '../../kernel/transaction.ts';
import { eventsTopic } from '../../push/event-log.ts';
import { ACCOUNTS_TOPIC, type Account, accountStatus, findAccount } from '../accounts/account-rules.ts';
import { findKey, keyStatus } from '../keys/key-rules.ts';
import { rateLimitsOf } from '../pods/pod-rules.ts';
import { endLogins } from './login-rules.ts';
import { endSession, findSession, sessionExists } from './session-store.ts';

/** A credential that was found good, and until when that may be believed without asking again. */
interface Remembered {
  principal: Principal;
  suspended: boolean;
  expiresAt: number;
}

export interface Credentials {
  /** Who a bearer token belongs to, or null. @throws ApiError `account_suspended`, `pod_suspended` */
  authenticate(token: string, now: number): Promise<Principal | null>;
  /** Who a credential belongs to, by its hash: a ticket stands for one. As {@link authenticate} otherwise. */
  ofHash(credential: Principal['credential'], hash: string, now: number): Promise<Principal | null>;
  /** Whether a credential still opens its account; for streams that outlive their request. */
  holds(principal: Principal, now: number): Promise<boolean>;
  /** Again, with the effect: a body may take minutes to arrive. @throws ApiError `unauthorized`, `pod_suspended` for what changed since */
  confirm(tx: Tx, principal: Principal): Promise<void>;
  /** Ends the account's other sessions and its unused links. */
  endOthers(tx: Tx, principal: Pick<Principal, 'accountId' | 'sessionHash'>): Promise<void>;
  /** Ends the session that asks. @throws ApiError `session_required` for a key, `unauthorized` when it has ended since */
  endSession(tx: Tx, principal: Pick<Principal, 'accountId' | 'sessionHash'>): Promise<void>;
  /** After a change of an account's status or limits: what is remembered of it ends, and its streams, on every instance. */
  accountChanged(tx: Tx, accountId: string): void;
  /** Drops what is remembered of an account; called the moment a key change is durable. */
  forget(accountId: string): void;
  close(): void;
}

const REMEMBERED_MAX = 10_000;
/** On a shared database a signal may be lost; what the operator changes shows within this all the same. */
const SHARED_TTL_MS = 4000;

function principalOf(
  account: Account,
  parent: Account | null,
  facts: Pick<Principal, 'credential' | 'operator' | 'actor' | 'keyHash' | 'sessionHash'>,
  isBackup: boolean,
  rateLimits: Principal['rateLimits'],
  limits: Record<Tier, TierLimits>,
): Principal {
  const kind = isBackup ? 'backup' : account.parentId === null ? 'platform' : 'pod';
  return {
    ...facts,
    kind,
    accountId: account.id,
    parentId: account.parentId,
    // A pod's tier and quotas are its platform's.
    tier: (parent ?? account).tier,
    limits: limits[(parent ?? account).tier],
    quotaAccountId: (parent ?? account).id,
    rateLimits,
  };
}

/**
 * One look-up for all who ask the same at the same time. Who asks while one is under way waits for the next, which
 * begins after he asked: an answer is never older than its question, and a busy key costs two look-ups at a time, not
 * one for each of its requests.
 */
function shareLookUps<T>(lookUp: (hash: string, now: number) => Promise<T>): typeof lookUp {
  const running = new Map<string, Promise<unknown>>();
  const waiting = new Map<string, Promise<T>>();

  async function lookUpNext(hash: string, now: number): Promise<T> {
    await running.get(hash);
    waiting.delete(hash);
    const answer = lookUp(hash, now);
    const ended = answer
      .catch(() => {})
      .finally(() => {
        if (running.get(hash) === ended) running.delete(hash);
      });
    running.set(hash, ended);
    return answer;
  }

  return (hash, now) => {
    const next = waiting.get(hash) ?? lookUpNext(hash, now);
    waiting.set(hash, next);
    return next;
  };
}

/**
 * The one authenticator of API keys, pod keys, backup keys and sessions.
 *
 * It remembers what it found. On SQLite this process is the only one that changes keys, so {@link Credentials.forget}
 * keeps the memory true; changes of accounts by the command line are looked for with each request. On PostgreSQL another instance may have revoked a key an instant ago, and no notification is
 * sure to arrive before the next request does; so a remembered key is confirmed by one look-up of its status, while
 * the account behind it is remembered until a signal.
 */
export function createCredentials(database: Database, limits: Record<Tier, TierLimits>): Credentials {
  const isShared = database.engine === 'postgres';
  const remembered = new LRUCache<string, Remembered>({
    max: REMEMBERED_MAX,
    ...(isShared ? { ttl: SHARED_TTL_MS } : {}),
  });
  /** Raised by every change, so that a look-up which began before one does not put its stale answer back. */
  let epoch = 0;
  const statusOf = shareLookUps((hash) => keyStatus(database, hash));
  const podStatusOf = shareLookUps((accountId) => accountStatus(database, accountId));
  const sessionOf = shareLookUps((hash, now) => findSession(database, hash, now));
  const stopListening = database.onSignal(ACCOUNTS_TOPIC, () => {
    epoch += 1;
    remembered.clear();
  });

  async function withAccount(
    accountId: string,
    facts: Parameters<typeof principalOf>[2],
    isBackup: boolean,
    expiresAt: number,
  ): Promise<Remembered | null> {
    const account = await findAccount(database, accountId);
    if (!account) return null;
    const parent = account.parentId === null ? null : await findAccount(database, account.parentId);
    const suspended = account.status !== 'active' || parent?.status === 'suspended';
    const rateLimits = parent === null ? null : await rateLimitsOf(database, accountId);
    return { principal: principalOf(account, parent, facts, isBackup, rateLimits, limits), suspended, expiresAt };
  }

  async function look(credential: Principal['credential'], hash: string, now: number): Promise<Remembered | null> {
    if (credential === 'session') {
      const session = await findSession(database, hash, now);
      if (!session) return null;
      const facts = {
        credential: 'session',
        operator: session.operator,
        actor: 'session',
        keyHash: null,
        sessionHash: hash,
      } as const;
      return withAccount(session.accountId, facts, false, session.expiresAt);
    }
    const key = await findKey(database, hash);
    if (!key) return null;
    const facts = {
      credential: 'api_key',
      operator: false,
      actor: key.prefix,
      keyHash: hash,
      sessionHash: null,
    } as const;
    return withAccount(key.accountId, facts, key.status === 'backup', Number.POSITIVE_INFINITY);
  }

  /** On a shared database a key may have been revoked, or a backup become active, since it was remembered. */
  async function stillStands({ principal, suspended }: Remembered, hash: string, now: number): Promise<boolean> {
    if (!isShared) return true;
    // A platform suspends its pod on whichever instance it talks to, and the pod's next request may come to another.
    if (principal.parentId !== null && !suspended && (await podStatusOf(principal.accountId, now)) !== 'active')
      return false;
    if (principal.keyHash === null) return (await sessionOf(hash, now)) !== null;
    const status = await statusOf(hash, now);
    return status === (principal.kind === 'backup' ? 'backup' : 'active');
  }

  async function ofHash(credential: Principal['credential'], hash: string, now: number): Promise<Principal | null> {
    // The operator's command line may have changed the account's tier or status.
    database.catchUp();
    let found: Remembered | null | undefined = remembered.get(hash);
    if (found && !(await stillStands(found, hash, now))) found = undefined;
    if (!found) {
      const began = epoch;
      found = await look(credential, hash, now);
      if (!found) {
        remembered.delete(hash);
        return null;
      }
      if (began === epoch) remembered.set(hash, found);
    }
    if (found.expiresAt <= now) return null;
    if (found.suspended) throw new ApiError(found.principal.parentId === null ? 'account_suspended' : 'pod_suspended');
    return found.principal;
  }

  async function authenticate(token: string, now: number): Promise<Principal | null> {
    const isSession = isSessionToken(token);
    if (!isSession && keyKindOf(token) === null) return null;
    return ofHash(isSession ? 'session' : 'api_key', hashSecret(token), now);
  }

  function forget(accountId: string): void {
    epoch += 1;
    for (const [hash, { principal }] of remembered.entries())
      if (principal.accountId === accountId) remembered.delete(hash);
  }

  /** What one of an account's credentials opened ends with it, here and on every instance. */
  function ended(tx: Tx, accountId: string): void {
    tx.afterCommit(() => forget(accountId));
    tx.signal(eventsTopic(accountId));
  }

  return {
    authenticate,
    ofHash,
    holds: async ({ credential, keyHash, sessionHash }, now) => {
      try {
        return (await ofHash(credential, (keyHash ?? sessionHash) as string, now)) !== null;
      } catch (err) {
        // A database that does not answer says nothing about the credential.
        return err instanceof ApiError && err.status >= 500;
      }
    },
    confirm: async (tx, { accountId, parentId, keyHash, sessionHash }) => {
      const isKeyGone = keyHash !== null && (await keyStatus(tx, keyHash)) === null;
      const isSessionGone = sessionHash !== null && !(await sessionExists(tx, sessionHash));
      if (isKeyGone || isSessionGone) throw new ApiError('unauthorized');
      if (parentId !== null && (await accountStatus(tx, accountId)) !== 'active') throw new ApiError('pod_suspended');
    },
    endOthers: async (tx, { accountId, sessionHash }) => {
      await endLogins(tx, accountId, sessionHash);
      ended(tx, accountId);
    },
    endSession: async (tx, { accountId, sessionHash }) => {
      if (sessionHash === null) throw new ApiError('session_required');
      // Of two that come at once, the second finds it ended.
      if (!(await endSession(tx, sessionHash))) throw new ApiError('unauthorized');
      ended(tx, accountId);
    },
    accountChanged: (tx, accountId) => {
      ended(tx, accountId);
      tx.signal(ACCOUNTS_TOPIC);
    },
    forget,
    close: stopListening,
  };
}
