import { LRUCache } from 'lru-cache';
import { ApiError } from '../../kernel/errors.ts';
import type { Tier, TierLimits } from '../../kernel/limits.ts';
import { newestFirst, type Page } from '../../kernel/page.ts';
import type { Principal } from '../../kernel/principal.ts';
import { hashSecret, isSessionToken, keyKindOf } from '../../kernel/secret.ts';
import { shareLookUps } from '../../kernel/shared-look-up.ts';
import type { Database, Tx } from '../../kernel/transaction.ts';
import { eventsTopic } from '../../push/event-log.ts';
import { ACCOUNTS_TOPIC, accountStatus, findAccount } from '../accounts/account-rules.ts';
import { findKey, keyStatus } from '../keys/key-rules.ts';
import { findPresentedKey, saveLastUse } from '../keys/named-key-rules.ts';
import { rateLimitsOf } from '../pods/pod-rules.ts';
import type { Session } from './login-data.ts';
import { endLogins } from './login-rules.ts';
import { endSession, findSession, findSessionById, listSessions, sessionExists } from './session-store.ts';

/** A credential that was found valid. */
interface CachedCredential {
  principal: Principal;
  suspended: boolean;
}

/** What the credential itself says about its principal. */
type CredentialFields = Pick<
  Principal,
  | 'credential'
  | 'operator'
  | 'person'
  | 'method'
  | 'actor'
  | 'keyHash'
  | 'sessionHash'
  | 'namedKeyId'
  | 'scopes'
  | 'addresses'
  | 'expiresAt'
  | 'lineage'
>;

const CACHED_MAX = 10_000;
/** A signal between instances may be lost. A change by the operator takes effect within this time anyway. */
const SHARED_TTL_MS = 4000;

/**
 * Authenticates API keys, pod keys, backup keys, named keys and sessions, and caches what it finds.
 *
 * On SQLite this process is the only one that changes keys, so {@link Credentials.forget} keeps the cache correct.
 * Each request also checks for account changes by the command line. On PostgreSQL another instance may have revoked a
 * key a moment ago, and its notification may arrive after the next request. A cached key is therefore confirmed by one
 * query for its status, while its account stays cached until a signal.
 */
export class Credentials {
  readonly #database: Database;
  readonly #limits: Record<Tier, TierLimits>;
  readonly #isShared: boolean;
  readonly #cached: LRUCache<string, CachedCredential>;
  readonly #keyStatus: (hash: string, now: number) => ReturnType<typeof keyStatus>;
  readonly #podStatus: (accountId: string, now: number) => ReturnType<typeof accountStatus>;
  /** When a named key ends; null when it is unknown. */
  readonly #namedKeyEnd: (hash: string, now: number) => Promise<number | null>;
  /** When each named key was last used, until it is saved. */
  #keyUse = new Map<string, number>();
  readonly #session: (hash: string, now: number) => ReturnType<typeof findSession>;
  /** Raised by every change, so that a query that began before the change does not cache its stale answer. */
  #epoch = 0;
  #stopListening = (): void => {};

  constructor(database: Database, limits: Record<Tier, TierLimits>) {
    this.#database = database;
    this.#limits = limits;
    this.#isShared = database.engine === 'postgres';
    this.#cached = new LRUCache({ max: CACHED_MAX, ...(this.#isShared ? { ttl: SHARED_TTL_MS } : {}) });
    this.#keyStatus = shareLookUps((hash) => keyStatus(database, hash));
    this.#namedKeyEnd = shareLookUps(async (hash) => (await findPresentedKey(database, hash))?.endsAt ?? null);
    this.#podStatus = shareLookUps((accountId) => accountStatus(database, accountId));
    this.#session = shareLookUps((hash, now) => findSession(database, hash, now));
  }

  /** Starts to listen for account changes of other instances and of the command line. */
  readonly open = async (): Promise<void> => {
    this.#stopListening = this.#database.onSignal(ACCOUNTS_TOPIC, () => {
      this.#epoch += 1;
      this.#cached.clear();
    });
  };

  readonly close = (): void => this.#stopListening();

  /** Finds the principal of a bearer token, or null. @throws ApiError `account_suspended`, `pod_suspended` */
  readonly authenticate = async (token: string, now: number): Promise<Principal | null> => {
    const isSession = isSessionToken(token);
    if (!isSession && keyKindOf(token) === null) return null;
    const principal = await this.ofHash(isSession ? 'session' : 'api_key', hashSecret(token), now);
    if (principal?.namedKeyId) this.#keyUse.set(principal.namedKeyId, now);
    return principal;
  };

  /** Returns when a named key was last used on this instance, if that is not saved yet. */
  readonly lastKeyUse = (keyId: string): number | undefined => this.#keyUse.get(keyId);

  /** Saves when named keys were last used. Called once a minute, because a write for each request would cost too much. */
  readonly saveKeyUse = async (): Promise<void> => {
    if (this.#keyUse.size === 0) return;
    // In one order on every instance, so that two instances do not wait for each other.
    const uses = [...this.#keyUse].sort(([a], [b]) => (a < b ? -1 : 1));
    this.#keyUse = new Map();
    await this.#database.transaction(async (tx) => {
      for (const [id, at] of uses) await saveLastUse(tx, id, at);
    });
  };

  /** Finds the principal of a credential by its hash, as a ticket stores it. Otherwise like {@link authenticate}. */
  async ofHash(credential: Principal['credential'], hash: string, now: number): Promise<Principal | null> {
    // The operator's command line may have changed the account's tier or status.
    this.#database.catchUp();
    const cached = this.#cached.get(hash);
    const isCurrent = cached !== undefined && (await this.#isStillTrue(cached, hash, now));
    const found = isCurrent ? cached : await this.#readAndCache(credential, hash, now);
    if (!found || found.principal.expiresAt <= now) return null;
    if (found.suspended) throw new ApiError(found.principal.parentId === null ? 'account_suspended' : 'pod_suspended');
    return found.principal;
  }

  /** Whether a credential still works. For streams that stay open after their request. */
  async isValid({ credential, keyHash, sessionHash }: Principal, now: number): Promise<boolean> {
    try {
      return (await this.ofHash(credential, (keyHash ?? sessionHash) as string, now)) !== null;
    } catch (err) {
      // A database that does not answer says nothing about the credential.
      return err instanceof ApiError && err.status >= 500;
    }
  }

  /**
   * Checks a credential again in the transaction of the effect, because a body may take minutes to arrive.
   * @throws ApiError `unauthorized`, `pod_suspended` for a change since the request began
   */
  readonly confirm = async (tx: Tx, principal: Principal): Promise<void> => {
    const { accountId, parentId, keyHash, sessionHash, namedKeyId } = principal;
    const isKnown = namedKeyId === null ? keyStatus : findPresentedKey;
    const isKeyGone = keyHash !== null && (await isKnown(tx, keyHash)) === null;
    const isSessionGone = sessionHash !== null && !(await sessionExists(tx, sessionHash));
    if (isKeyGone || isSessionGone) throw new ApiError('unauthorized');
    if (parentId !== null && (await accountStatus(tx, accountId)) !== 'active') throw new ApiError('pod_suspended');
  };

  /** Ends the account's other sessions and deletes its unused login links. */
  readonly endOthers = async (
    tx: Tx,
    { accountId, sessionHash }: Pick<Principal, 'accountId' | 'sessionHash'>,
  ): Promise<void> => {
    await endLogins(tx, accountId, sessionHash);
    this.#ended(tx, accountId);
  };

  /** Ends the session that makes the call. @throws ApiError `session_required` for a key, `unauthorized` if it has ended */
  readonly endSession = async (
    tx: Tx,
    { accountId, sessionHash }: Pick<Principal, 'accountId' | 'sessionHash'>,
  ): Promise<void> => {
    if (sessionHash === null) throw new ApiError('session_required');
    // Of two parallel calls, the second finds the session ended.
    if (!(await endSession(tx, sessionHash))) throw new ApiError('unauthorized');
    this.#ended(tx, accountId);
  };

  /** Drops cached credentials of an account and checks its streams again, after a key that is not the primary ended. */
  readonly credentialEnded = (tx: Tx, accountId: string): void => this.#ended(tx, accountId);
  /** Lists the open sessions of an account, newest first. @throws ApiError `invalid_cursor` */
  readonly sessions = (
    accountId: string,
    page: { cursor: string | undefined; limit: number },
    now: number,
  ): Promise<Page<Session>> =>
    newestFirst(
      'ses',
      page,
      (before, many) => listSessions(this.#database, accountId, { before, many, now }),
      ({ id }) => id,
    );

  /** Ends an open session of the account. `mayEnd` throws when the caller must not. @throws ApiError `not_found` */
  readonly endSessionById = async (
    tx: Tx,
    { accountId, id, now }: { accountId: string; id: string; now: number },
    mayEnd: (session: Session) => Promise<void>,
  ): Promise<void> => {
    const session = await findSessionById(tx, accountId, id, now);
    if (!session) throw new ApiError('not_found', { message: 'There is no open session with this id.' });
    await mayEnd(session);
    if (!(await endSession(tx, session.hash))) throw new ApiError('not_found');
    this.#ended(tx, accountId);
  };

  /** Drops cached credentials of an account and ends its streams on every instance, after a change of its status or limits. */
  readonly accountChanged = (tx: Tx, accountId: string): void => {
    this.#ended(tx, accountId);
    tx.signal(ACCOUNTS_TOPIC);
  };

  /** Drops the cached credentials of an account. Called as soon as a change of its keys is committed. */
  forget(accountId: string): void {
    this.#epoch += 1;
    for (const [hash, { principal }] of this.#cached.entries())
      if (principal.accountId === accountId) this.#cached.delete(hash);
  }

  /** Checks the streams of an account again on every instance: one of its credentials has ended. */
  #ended(tx: Tx, accountId: string): void {
    tx.afterCommit(() => this.forget(accountId));
    tx.signal(eventsTopic(accountId));
  }

  /** On a shared database a key may have been revoked, or a backup key activated, since it was cached. */
  async #isStillTrue({ principal, suspended }: CachedCredential, hash: string, now: number): Promise<boolean> {
    if (!this.#isShared) return true;
    const { accountId, parentId, keyHash, kind, namedKeyId, expiresAt } = principal;
    // A platform suspends its pod on any instance, and the next request of the pod may reach another one.
    if (parentId !== null && !suspended && (await this.#podStatus(accountId, now)) !== 'active') return false;
    if (keyHash === null) return (await this.#session(hash, now)) !== null;
    if (namedKeyId !== null) return (await this.#namedKeyEnd(hash, now)) === expiresAt;
    return (await this.#keyStatus(hash, now)) === (kind === 'backup' ? 'backup' : 'active');
  }

  async #readAndCache(
    credential: Principal['credential'],
    hash: string,
    now: number,
  ): Promise<CachedCredential | null> {
    const began = this.#epoch;
    const found = credential === 'session' ? await this.#readSession(hash, now) : await this.#readKey(hash);
    if (!found) this.#cached.delete(hash);
    else if (began === this.#epoch) this.#cached.set(hash, found);
    return found;
  }

  async #readSession(hash: string, now: number): Promise<CachedCredential | null> {
    const session = await findSession(this.#database, hash, now);
    if (!session) return null;
    const { accountId, operator, email: person, method, expiresAt } = session;
    const whole = { namedKeyId: null, scopes: null, addresses: null, expiresAt };
    const hashes = { keyHash: null, sessionHash: hash, lineage: hash };
    const fields = { credential: 'session', operator, person, method, actor: 'session', ...hashes } as const;
    return this.#withAccount(accountId, { ...fields, ...whole }, false);
  }

  async #readKey(hash: string): Promise<CachedCredential | null> {
    const key = await findKey(this.#database, hash);
    const credential = 'api_key' as const;
    const none = { operator: false, person: null, method: null, addresses: null, sessionHash: null };
    const fields = { credential, ...none, keyHash: hash };
    if (key) {
      const whole = { actor: key.prefix, namedKeyId: null, scopes: null, expiresAt: Number.POSITIVE_INFINITY };
      const lineage = key.lineage ?? hash;
      return this.#withAccount(key.accountId, { ...fields, ...whole, lineage }, key.status === 'backup');
    }
    const named = await findPresentedKey(this.#database, hash);
    if (!named) return null;
    const { id: namedKeyId, scopes, prefix: actor, endsAt: expiresAt } = named;
    return this.#withAccount(
      named.accountId,
      { ...fields, actor, namedKeyId, scopes, expiresAt, lineage: hash },
      false,
    );
  }

  async #withAccount(accountId: string, fields: CredentialFields, isBackup: boolean): Promise<CachedCredential | null> {
    const database = this.#database;
    const account = await findAccount(database, accountId);
    if (!account) return null;
    const parent = account.parentId === null ? null : await findAccount(database, account.parentId);
    const suspended = account.status !== 'active' || parent?.status === 'suspended';
    const rateLimits = parent === null ? null : await rateLimitsOf(database, accountId);
    // The platform's tier and quotas apply to its pods.
    const { id: quotaAccountId, tier } = parent ?? account;
    const principal: Principal = {
      ...fields,
      kind: isBackup ? 'backup' : account.parentId === null ? 'platform' : 'pod',
      accountId: account.id,
      parentId: account.parentId,
      tier,
      limits: this.#limits[tier],
      quotaAccountId,
      rateLimits,
    };
    return { principal, suspended };
  }
}
