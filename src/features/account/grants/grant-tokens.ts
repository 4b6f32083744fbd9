import { ApiError } from '../../../api/errors.ts';
import { clientResource } from '../../../api/oauth.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { hashSecret, keyKindOf } from '../../../base/secret.ts';
import { findAccount, isOpen, lockAccounts } from '../accounts/account-lifecycle.ts';
import { findPresentedKey } from '../keys/named-key.ts';
import type { GrantDeps, GrantRules } from './grant.ts';
import { type GrantAccess, openGrantAccess } from './grant-access.ts';
import { deleteToken, findGrant, findToken } from './grant-store.ts';
import type { Grant, GrantToken } from './grant-table.ts';

/** A token that a client has. */
interface Found {
  grant: Grant;
  /** Null: the named key of the command line. */
  token: GrantToken | null;
}

/** Shows and revokes the tokens of clients. */
export class GrantTokenRules {
  readonly #deps: GrantDeps;
  readonly #grants: GrantRules;

  constructor(deps: GrantDeps, grants: GrantRules) {
    this.#deps = deps;
    this.#grants = grants;
  }

  /**
   * Returns the claims of a token (RFC 7662 2.2, times in seconds) to a caller with a key of its account, or with the token
   * itself. Otherwise null.
   */
  async introspect(reader: Reader, text: string, caller: string | undefined, now: number) {
    const tokenHash = hashSecret(text);
    const access = await openGrantAccess(reader, tokenHash, now);
    if (!access || !(await isOpen(reader, await findAccount(reader, access.accountId)))) return null;
    if (!(await this.#mayIntrospect(access, tokenHash, caller, now))) return null;
    const { accountId: sub, clientId, scopes, createdAt, expiresAt } = access;
    const iss = this.#deps.baseUrl();
    const times = { iat: Math.floor(createdAt / 1000), exp: Math.floor(expiresAt / 1000) };
    return { iss, sub, aud: clientResource(iss), client_id: clientId, ...times, scope: scopes.join(' ') };
  }

  /** Whether a text is a token of a client. Any other ends nothing, so it needs no transaction. */
  isClients = async (reader: Reader, text: string): Promise<boolean> => (await this.#find(reader, text)) !== null;

  /** Whether a text is a token of a client that acts for the account. */
  isOwn = async (reader: Reader, accountId: string, text: string): Promise<boolean> =>
    (await this.#find(reader, text))?.grant.accountId === accountId;

  /** Ends a token that acts for the account. @returns false for any other text */
  async revoke(tx: Tx, accountId: string, text: string, now: number): Promise<boolean> {
    const found = await this.#find(tx, text);
    return found?.grant.accountId === accountId && (await this.#revoke(tx, found, now));
  }

  /**
   * Ends a token that its client no longer needs (RFC 7009): a refresh token or a key with its grant, an access token alone.
   * @returns the grant; null when nothing ended
   */
  async revokeByClient(tx: Tx, text: string, clientId: string | undefined, now: number): Promise<Grant | null> {
    const found = await this.#find(tx, text);
    if (!found || (clientId !== undefined && clientId !== found.grant.clientId)) return null;
    return (await this.#revoke(tx, found, now)) ? found.grant : null;
  }

  async #find(reader: Reader, text: string): Promise<Found | null> {
    if (keyKindOf(text) === 'named') {
      const key = await findPresentedKey(reader, hashSecret(text));
      const grant = key && (await this.#grants.ofKey(reader, key.accountId, key.id));
      return grant && { token: null, grant };
    }
    const token = await findToken(reader, hashSecret(text));
    const grant = token && token.kind !== 'code' ? await findGrant(reader, token.grantId) : null;
    return token && grant && { token, grant };
  }

  async #revoke(tx: Tx, { token, grant }: Found, now: number): Promise<boolean> {
    await lockAccounts(tx, [grant.accountId]);
    if (token === null || token.kind === 'refresh') {
      await this.#grants.endOne(tx, grant, 'revoked', now);
      return true;
    }
    this.#deps.credentials.credentialEnded(tx, grant.accountId);
    return (await deleteToken(tx, token.hash)) > 0;
  }

  async #mayIntrospect(access: GrantAccess, tokenHash: string, caller: string | undefined, now: number) {
    if (caller === undefined) return false;
    if (hashSecret(caller) === tokenHash) return true;
    const principal = await (async () => this.#deps.credentials.authenticate(caller, now))().catch((err: unknown) => {
      if (err instanceof ApiError && err.status < 500) return null;
      throw err;
    });
    if (!principal || principal.delegation !== null || principal.kind === 'backup') return false;
    return principal.accountId === access.accountId;
  }
}
