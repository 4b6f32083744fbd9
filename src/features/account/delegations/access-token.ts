import { ApiError } from '../../../api/errors.ts';
import { oauthError } from '../../../api/oauth.ts';
import type { Principal } from '../../../api/principal.ts';
import { insufficientScope } from '../../../api/scopes.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { isId } from '../../../base/ids.ts';
import { hashSecret, keyKindOf, keyPrefix, mintKey } from '../../../base/secret.ts';
import { findAccount, isOpen, lockAccounts } from '../accounts/account-lifecycle.ts';
import { deleteAccessToken, findAccessToken, insertAccessToken } from './access-token-store.ts';
import { type DelegationDeps, findStanding, isOwn, requireDelegable } from './delegation.ts';
import { findDelegations } from './delegation-store.ts';
import type { Access, AccessToken, Delegation, ExchangeRequest } from './delegation-table.ts';

/** The claims of an access token (RFC 7662 2.2, RFC 8693 4.1). Times are in seconds. */
export interface AccessClaims {
  iss: string;
  sub: string;
  aud: string;
  client_id: string;
  iat: number;
  exp: number;
  scope: string;
  act: Actor;
}

/** Who acts (RFC 8693 4.1): the holder outermost, and inside it who passed the delegation on. */
export interface Actor {
  sub: string;
  act?: Actor;
}

/** The accounts that act by a chain of delegations, the holder first. */
const actorsOf = (chain: readonly Delegation[]): string[] => chain.map(({ toId }) => toId).reverse();

/** Whether every account that acts by a chain is active. */
async function areOpen(reader: Reader, accountIds: readonly string[]): Promise<boolean> {
  for (const id of accountIds) if (!(await isOpen(reader, await findAccount(reader, id)))) return false;
  return true;
}

/**
 * Finds what an access token opens now. Null: it is unknown or has ended, a delegation of its chain has ended, or an account
 * that acts by it is suspended. So ending any of them ends the token on every instance with the next request.
 */
export async function openAccess(reader: Reader, hash: string, now: number): Promise<Access | null> {
  const token = await findAccessToken(reader, hash);
  if (!token || token.expiresAt <= now) return null;
  const chain = await findStanding(reader, token.path, now);
  const actors = actorsOf(chain ?? []);
  return chain !== null && (await areOpen(reader, actors)) ? { ...token, chain, actors } : null;
}

/** Exchanges delegations for access tokens (RFC 8693). */
export class AccessTokenRules {
  readonly #deps: DelegationDeps;

  constructor(deps: DelegationDeps) {
    this.#deps = deps;
  }

  /**
   * Makes an access token for a delegate that calls with its own credential.
   * @returns the token, which is known only now
   * @throws ApiError `insufficient_scope`, `invalid_request`, `invalid_scope`, `invalid_target`
   */
  async exchange(
    tx: Tx,
    principal: Principal,
    request: ExchangeRequest,
    now: number,
  ): Promise<{ token: string; stored: AccessToken }> {
    if (principal.delegation !== null)
      throw insufficientScope('identity:issue', 'Call this with a key of your own, not with an access token.');
    // A credential that ends meanwhile must not leave a token behind.
    await lockAccounts(tx, [principal.accountId]);
    await this.#deps.confirm(tx, principal);
    const delegation = await this.#subject(tx, principal, request.subjectToken, now);
    this.#requireAudience(delegation, request.audience);
    const wanted = request.scope?.split(' ').filter((scope) => scope !== '');
    const scopes = delegation.scopes.filter((scope) => wanted === undefined || wanted.includes(scope));
    if (scopes.length === 0) throw oauthError('invalid_scope', 'The delegation has none of these scopes.');
    const ends = now + this.#deps.limits.access_token_ttl_seconds * 1000;
    const token = mintKey('access');
    const stored: AccessToken = {
      hash: hashSecret(token),
      prefix: keyPrefix(token, 'access'),
      accountId: delegation.accountId,
      actorId: principal.accountId,
      path: delegation.path,
      scopes,
      keyId: principal.namedKeyId,
      cnf: null,
      createdAt: now,
      expiresAt: Math.min(ends, delegation.expiresAt, principal.expiresAt),
    };
    await insertAccessToken(tx, stored);
    return { token, stored };
  }

  /**
   * Returns the claims of an access token to a caller with a key of the account that it acts on, of its holder, or with
   * the token itself. Otherwise null.
   */
  async introspect(
    reader: Reader,
    text: string,
    caller: string | undefined,
    now: number,
  ): Promise<AccessClaims | null> {
    if (keyKindOf(text) !== 'access') return null;
    const access = await openAccess(reader, hashSecret(text), now);
    if (!access || !(await isOpen(reader, await findAccount(reader, access.accountId)))) return null;
    if (!(await this.#mayIntrospect(access, caller, now))) return null;
    const { accountId: sub, actorId, actors, scopes, createdAt, expiresAt } = access;
    const act = actors.reduceRight<Actor | undefined>(
      (earlier, actor) => ({ sub: actor, ...(earlier ? { act: earlier } : {}) }),
      undefined,
    ) as Actor;
    const aud = this.#deps.baseUrl();
    const times = { iat: Math.floor(createdAt / 1000), exp: Math.floor(expiresAt / 1000) };
    return { iss: aud, sub, aud, client_id: actorId, ...times, scope: scopes.join(' '), act };
  }

  /** Ends an access token that acts on the account, or that it got. @returns false for any other text */
  async revoke(tx: Tx, accountId: string, text: string): Promise<boolean> {
    const token = await this.#own(tx, accountId, text);
    if (token === null || !(await deleteAccessToken(tx, token.hash))) return false;
    this.#deps.credentialEnded(tx, token.accountId);
    return true;
  }

  /** Whether a text is an access token that acts on the account, or that it got. */
  isOwn = async (reader: Reader, accountId: string, text: string): Promise<boolean> =>
    (await this.#own(reader, accountId, text)) !== null;

  async #own(reader: Reader, accountId: string, text: string): Promise<AccessToken | null> {
    const token = keyKindOf(text) === 'access' ? await findAccessToken(reader, hashSecret(text)) : null;
    return token?.accountId === accountId || token?.actorId === accountId ? token : null;
  }

  async #mayIntrospect({ hash, accountId, actorId }: Access, caller: string | undefined, now: number) {
    if (caller === undefined) return false;
    if (hashSecret(caller) === hash) return true;
    const principal = await (async () => this.#deps.authenticate(caller, now))().catch((err: unknown) => {
      if (err instanceof ApiError && err.status < 500) return null;
      throw err;
    });
    if (!principal || principal.delegation !== null || principal.kind === 'backup') return false;
    return principal.accountId === accountId || principal.accountId === actorId;
  }

  /** Finds the delegation of a request. Another's looks like one that does not exist (RFC 8693 2.2.2). */
  async #subject(tx: Tx, { accountId }: Principal, id: string, now: number): Promise<Delegation> {
    const [found] = isId('dlg', id) ? await findDelegations(tx, [id]) : [];
    const chain = found?.toId === accountId ? await findStanding(tx, found.path, now) : null;
    const accounts = chain && found ? [found.accountId, ...actorsOf(chain)] : [];
    if (!found || !chain || !(await areOpen(tx, accounts)))
      throw oauthError('invalid_request', 'The subject_token is not a delegation to you that stands.');
    await requireDelegable(tx, this.#deps.gate, chain);
    return found;
  }

  /** @throws ApiError `invalid_target` (RFC 8693 2.2.2) */
  #requireAudience({ audience }: Delegation, wanted: string | undefined): void {
    for (const each of [audience, wanted])
      if (each !== null && each !== undefined && !isOwn(each, this.#deps))
        throw oauthError('invalid_target', 'This service issues access tokens for itself only.');
  }
}
