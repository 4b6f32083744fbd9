import { LRUCache } from 'lru-cache';
import { ApiError } from '../../../api/errors.ts';
import { type CredentialKind, findPresented, type Principal } from '../../../api/principal.ts';
import { insufficientScope } from '../../../api/scopes.ts';
import { type Database, pipeline, type Reader, type Tx } from '../../../api/transaction.ts';
import { type Awaitable, onceThere } from '../../../base/lazy.ts';
import { hashSecret, isSessionToken, keyKindOf } from '../../../base/secret.ts';
import { eventsTopic } from '../../../events/event-log.ts';
import {
  ACCOUNTS_TOPIC,
  findAllSuspensions,
  findSuspensions,
  lockAccounts,
  readSuspension,
} from '../../account/accounts/account-lifecycle.ts';
import { openAccess } from '../../account/delegations/access-token.ts';
import { openGrantAccess } from '../../account/grants/grant-access.ts';
import { keyStatus, keyStatuses } from '../../account/keys/key.ts';
import { KeyUses } from '../../account/keys/key-use.ts';
import { findPresentedKey } from '../../account/keys/named-key.ts';
import { requireAddressAuthority } from '../../money/budget.ts';
import { type Access, externallySuspendable, leavesAccess, requireActive } from './active-account.ts';
import type { Session } from './login-table.ts';
import { endLogins, type LoginDeps } from './mailed-login.ts';
import { type FoundCredential, PrincipalReader } from './principal-reader.ts';
import { actsFor, endForAccount, endWhole, findSessionOf, stillActsFor } from './session.ts';
import { findSession, sessionsOfPerson } from './session-store.ts';
import { gatherLookUps, shareLookUps } from './shared-look-up.ts';

/** Whether an access token is open. With time 0, because the request checked the expiry when it began. */
const isAccess = (reader: Reader, hash: string) => openAccess(reader, hash, 0);

const isGrantAccess = (reader: Reader, hash: string) => openGrantAccess(reader, hash, 0);

const isSameList = (a: readonly string[] | null, b: readonly string[] | null): boolean => a?.join(' ') === b?.join(' ');

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
  readonly #isShared: boolean;
  readonly #cached: LRUCache<string, FoundCredential>;
  readonly #principals: PrincipalReader;
  readonly #keyStatus: (hash: string) => ReturnType<typeof keyStatus>;
  readonly #bars: (accountId: string) => ReturnType<typeof findSuspensions>;
  readonly #namedKey: (hash: string, now: number) => ReturnType<typeof findPresentedKey>;
  readonly #session: (hash: string, now: number) => ReturnType<typeof findSession>;
  readonly keyUses: KeyUses;
  /** Raised by every change, so that a query that began before the change does not cache its stale answer. */
  #epoch = 0;
  #stopListening = (): void => {};

  constructor(deps: LoginDeps) {
    const { database, watchCache } = deps;
    this.#database = database;
    this.keyUses = new KeyUses(database);
    this.#principals = new PrincipalReader(deps);
    this.#isShared = database.engine === 'postgres';
    const lifetime = this.#isShared ? { ttl: SHARED_TTL_MS } : {};
    this.#cached = watchCache('credentials', new LRUCache({ max: CACHED_MAX, ...lifetime }));
    this.#keyStatus = gatherLookUps((hashes) => keyStatuses(database, hashes));
    this.#namedKey = shareLookUps((hash) => findPresentedKey(database, hash));
    this.#bars = gatherLookUps((ids) => findAllSuspensions(database, ids));
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

  /**
   * Finds the principal of a bearer token, or null.
   * @throws ApiError `not_found` for an account that the credential may not act for; `account_suspended`, `pod_suspended`
   */
  readonly authenticate = (token: string, now: number, access: Access = {}): Awaitable<Principal | null> => {
    const isSession = isSessionToken(token);
    if (!isSession && keyKindOf(token) === null) return null;
    const found = this.ofHash(isSession ? 'session' : 'api_key', hashSecret(token), now, access);
    return onceThere(found, (principal) => {
      if (principal) this.keyUses.note(principal, now, access.ip);
      return principal;
    });
  };

  /** Finds the principal of a credential by its hash, as a ticket stores it. Otherwise like {@link authenticate}. */
  ofHash(credential: CredentialKind, hash: string, now: number, access: Access = {}): Awaitable<Principal | null> {
    // The operator's command line may have changed the account's tier or status.
    this.#database.pollForeignWrites();
    const { account } = access;
    const id = credential === 'session' && account !== undefined ? `${hash} ${account}` : hash;
    const cached = this.#cached.get(id);
    // Without other instances, whatever changes an account or a credential empties the cache.
    if (cached !== undefined && !this.#isShared) return this.#admit(cached, access, now);
    const current = async (): Promise<FoundCredential | null> =>
      cached !== undefined && (await this.#isStillTrue(cached, hash, now))
        ? cached
        : this.#readAndCache(id, hash, { credential, account }, now);
    return current().then((found) => this.#admit(found, access, now));
  }

  #admit(found: FoundCredential | null, access: Access, now: number): Awaitable<Principal | null> {
    if (!found || found.principal.expiresAt <= now) return null;
    // Refused unless the call says otherwise: what a client was let do is less than what any other credential may.
    if (found.principal.grant !== null && !access.forClients)
      throw insufficientScope(
        'account:read',
        'A token that came from an authorization code is accepted at /mcp alone.',
      );
    const { account } = access;
    // Another's account is answered like one that does not exist.
    if (account !== undefined && found.principal.accountId !== account) throw new ApiError('not_found');
    return onceThere(this.#mayAct(found, access, now), (mayAct) => {
      if (mayAct) {
        requireActive(found, access);
        return found.principal;
      }
      if (account === undefined) return null;
      throw new ApiError('not_found');
    });
  }

  /** Whether a credential still works. For streams that stay open after their request. */
  async isValid(principal: Principal, now: number): Promise<boolean> {
    return (await this.current(principal, now)) !== null;
  }

  /** A credential as it is now. Null when it has ended, or no longer has the same addresses and scopes. */
  async current(principal: Principal, now: number): Promise<Principal | null> {
    const { addresses, scopes, accountId: account } = principal;
    const { credential, hash } = findPresented(principal);
    try {
      const found = await this.ofHash(credential, hash, now, {
        account,
        forClients: principal.grant !== null,
      });
      // A stream follows the addresses and scopes of its start. It ends when one is taken from its key.
      if (found === null) return null;
      return isSameList(found.addresses, addresses) && isSameList(found.scopes, scopes) ? found : null;
    } catch (err) {
      // A database that does not answer says nothing about the credential.
      return err instanceof ApiError && err.status >= 500 ? principal : null;
    }
  }

  /**
   * Checks a credential again in the transaction of the effect, because a body may take minutes to arrive.
   * @throws ApiError `unauthorized`; `account_suspended`, `pod_suspended` for a change since the request began
   */
  readonly confirm = async (tx: Tx, principal: Principal, access: Access = {}): Promise<void> => {
    const { accountId, parentId, keyHash, namedKeyId, operator, delegation, grant } = principal;
    const sessionHash = principal.sessionHash ?? principal.consoleHash;
    const { whileSuspended, auth } = access;
    // On SQLite transactions run one after another anyway.
    if (this.#isShared && leavesAccess(access)) await lockAccounts(tx, [accountId]);
    const isToken = delegation !== null ? isAccess : grant !== null ? isGrantAccess : null;
    const isKnown = isToken ?? (namedKeyId === null ? keyStatus : findPresentedKey);
    const accounts = [accountId, ...(parentId === null ? [] : [parentId])];
    // One round trip: every call that writes asks this.
    const [key, session, bars] = await pipeline([
      keyHash === null ? Promise.resolve(null) : isKnown(tx, keyHash),
      sessionHash === null ? Promise.resolve(null) : findSession(tx, sessionHash, 0),
      auth === 'person' ? Promise.resolve([]) : pipeline(accounts.map((id) => findSuspensions(tx, id))),
    ]);
    if ((keyHash !== null && key === null) || (sessionHash !== null && session === null))
      throw new ApiError('unauthorized');
    if (auth === 'person') return;
    if (session && operator && !(await stillActsFor(tx, session, accountId))) throw new ApiError('unauthorized');
    for (const bar of bars) {
      if (bar === null) throw new ApiError('unauthorized');
      requireActive({ principal, suspension: readSuspension(bar) }, { whileSuspended });
    }
  };

  /** Ends the account's other sessions and deletes its unused login links, but for those of its operators. */
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
    { sessionHash, consoleHash }: Pick<Principal, 'sessionHash' | 'consoleHash'>,
  ): Promise<void> => {
    const hash = sessionHash ?? consoleHash;
    if (hash === null) throw new ApiError('session_required');
    const session = await findSession(tx, hash, 0);
    // Of two parallel calls, the second finds the session ended.
    if (session === null || !(await this.#endWhole(tx, session))) throw new ApiError('unauthorized');
  };

  /** Ends the sessions that passkeys of a person opened, except one. Called when one of the passkeys is removed. */
  readonly endPasskeySessions = async (tx: Tx, address: string, kept: string | null, now: number): Promise<void> => {
    for (const session of await sessionsOfPerson(tx, { address, method: 'passkey', now }))
      if (session.hash !== kept) await this.#endWhole(tx, session);
  };

  /** Drops cached credentials of an account and checks its streams again, after a key that is not the primary ended. */
  readonly credentialEnded = (tx: Tx, accountId: string): void => this.#ended(tx, accountId);

  /**
   * Ends an open session of the account. An operator session belongs to its address, so others end it for this
   * account alone. @throws ApiError `not_found`, `operator_required`
   */
  readonly endSessionById = async (
    tx: Tx,
    { principal, id, now }: { principal: Principal; id: string; now: number },
  ): Promise<void> => {
    const { accountId, person } = principal;
    const session = await findSessionOf(tx, accountId, id, now);
    if (!session) throw new ApiError('not_found', { message: 'There is no open session with this id.' });
    // An agent whose operator took the authority must not lock the operator out.
    if (session.operator) await requireAddressAuthority(tx, principal);
    if (!session.operator || session.email === person) {
      if (!(await this.#endWhole(tx, session))) throw new ApiError('not_found');
      return;
    }
    await endForAccount(tx, session, accountId, now);
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

  /** Ends a session, with its streams of every account. @returns false when it has already ended */
  async #endWhole(tx: Tx, session: Session): Promise<boolean> {
    const accounts = await endWhole(tx, session);
    for (const accountId of accounts ?? []) this.#ended(tx, accountId);
    return accounts !== null;
  }

  /** On a shared database a key may have been revoked, or a backup key activated, since it was cached. */
  async #isStillTrue({ principal, suspension, session }: FoundCredential, hash: string, now: number): Promise<boolean> {
    const { keyHash, kind, namedKeyId, expiresAt } = principal;
    for (const id of suspension === 'none' ? externallySuspendable(principal) : []) {
      const bars = await this.#bars(id);
      if (bars === null || readSuspension(bars) !== 'none') return false;
    }
    if (session !== null && (await this.#session(hash, now)) === null) return false;
    if (keyHash === null) return session !== null;
    if (namedKeyId !== null) {
      const named = await this.#namedKey(hash, now);
      const isSame = named?.endsAt === expiresAt && named.requestsShare === principal.requestsShare;
      return isSame && isSameList(named.addresses, principal.addresses) && isSameList(named.scopes, principal.scopes);
    }
    return (await this.#keyStatus(keyHash)) === (kind === 'backup' ? 'backup' : 'active');
  }

  async #readAndCache(
    id: string,
    hash: string,
    { credential, account }: { credential: CredentialKind; account: string | undefined },
    now: number,
  ): Promise<FoundCredential | null> {
    const began = this.#epoch;
    const isSession = credential === 'session';
    const found = await (isSession
      ? this.#principals.ofSession(hash, account, now)
      : this.#principals.ofKey(hash, now));
    // An access token depends on delegations and accounts of others, or on a grant, so it is read for each request.
    const isLasting = found !== null && found.principal.delegation === null && found.principal.grant === null;
    const isCacheable = isLasting && (!isSession || account === undefined || found.principal.accountId === account);
    if (!isCacheable) this.#cached.delete(id);
    else if (began === this.#epoch) this.#cached.set(id, found);
    return found;
  }

  /** Whether an operator session may act for its account. Asked on each use, because an operator can be removed. */
  #mayAct({ principal, session }: FoundCredential, access: Access, now: number): Awaitable<boolean> {
    if (session === null || !principal.operator) return true;
    if (access.auth === 'person' && access.account === undefined) return true;
    return actsFor(this.#database, session, principal.accountId, now);
  }
}
