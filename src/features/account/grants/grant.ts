import { hash } from 'node:crypto';
import { isTrusted } from '../../../api/account/factor.ts';
import type { LockdownHook, RecentlyAdded } from '../../../api/account/lockdown-parts.ts';
import type { Notices } from '../../../api/account/removal-notices.ts';
import type { Authority } from '../../../api/authority.ts';
import { ApiError } from '../../../api/errors.ts';
import type { AppendEvent } from '../../../api/events.ts';
import type { Limits } from '../../../api/limits.ts';
import { FIXED_LIMITS } from '../../../api/metering/fixed-limits.ts';
import { limitReachedUntil } from '../../../api/metering/limit-reached.ts';
import {
  COMMAND_LINE_CLIENT,
  type GrantedTokens,
  type GrantType,
  isResourceOf,
  oauthError,
  type TokenForm,
} from '../../../api/oauth.ts';
import { newestFirst, type Page } from '../../../api/page.ts';
import type { Principal } from '../../../api/principal.ts';
import { isScope, type Scope } from '../../../api/scopes.ts';
import type { Database, Reader, Tx } from '../../../api/transaction.ts';
import type { Gate } from '../../../api/way-out.ts';
import type { WatchCache } from '../../../base/cache-fill.ts';
import type { ClientNetworks } from '../../../base/client-network.ts';
import { isId } from '../../../base/ids.ts';
import type { Awaitable } from '../../../base/lazy.ts';
import { DAY_MS, secondsUntil } from '../../../base/period.ts';
import { hashSecret, keyPrefix, mintKey, mintToken } from '../../../base/secret.ts';
import type { RequestMeter } from '../../service/limits/request-meter.ts';
import { findAccount, isOpen, lockAccounts } from '../accounts/account-lifecycle.ts';
import type { NamedKeyRules } from '../keys/named-key.ts';
import {
  deleteGrant,
  findGrant,
  findToken,
  grantsOf,
  insertToken,
  listGrants,
  purgeGrants,
  saveGrantKey,
  saveGrantUse,
  useToken,
} from './grant-store.ts';
import type { EndReason, Grant, GrantToken } from './grant-table.ts';
import { purgeClients } from './oauth-client-store.ts';

const REFRESHES = { name: 'token_refreshes_per_hour', owner: 'credential', window: 'hour' } as const;

/** What grants need. Each part takes what it uses of this. */
export interface GrantDeps {
  database: Database;
  gate: Gate;
  limits: Limits;
  notices: Notices;
  appendEvent: AppendEvent<Tx>;
  credentials: {
    authenticate(token: string, now: number): Awaitable<Principal | null>;
    /** @throws ApiError `not_found` for an account that the session may not act for; 403 for a suspended one */
    ofHash(credential: 'session', hash: string, now: number, access: { account: string }): Awaitable<Principal | null>;
    /** Checks a credential again. @throws ApiError `unauthorized` */
    confirm(tx: Tx, principal: Principal): Promise<void>;
    /** Checks the streams of an account again, on every instance. */
    credentialEnded(tx: Tx, accountId: string): void;
  };
  namedKeys: Pick<NamedKeyRules, 'create' | 'end'>;
  authority: { of(reader: Reader, accountId: string): Promise<Authority> };
  meter: RequestMeter;
  watchCache: WatchCache;
  baseUrl(): string;
  networksOf(ip: string): ClientNetworks;
  /** The page of the console. `asked`: what it reads, as HTML. */
  consentPage(asked: string): string;
}

/** How long a used code is remembered, so that its second use is noticed. */
const USED_CODE_MS = DAY_MS;
const YOUNG_SHOWN_MAX = 10;
const VERIFIER = /^[\w.~-]{43,128}$/;

const unknownGrant = (): ApiError =>
  oauthError('invalid_grant', 'It is unknown, has expired, was used, or is meant for another client.');

/** A code or refresh token came a second time: there is a copy. */
class TokenReused extends ApiError {
  readonly token: GrantToken;
  constructor(token: GrantToken) {
    const { message, fields } = unknownGrant();
    super('invalid_grant', { message, fields });
    this.token = token;
  }
}

/** Gives clients tokens for what people let them do, and ends it. */
export class GrantRules {
  readonly #deps: GrantDeps;

  constructor(deps: GrantDeps) {
    this.#deps = deps;
  }

  /** `authorization_code` (RFC 6749 4.1.3) and `refresh_token` (6), for public clients. */
  readonly grantTypes: readonly GrantType[] = [
    {
      name: 'authorization_code',
      issue: (tx, { form, now }, audit) => this.#redeemCode(tx, form, now, audit),
      afterRefusal: (err, now) => this.endReused(err, now),
    },
    {
      name: 'refresh_token',
      issue: (tx, { form, now }, audit) => this.#refresh(tx, form, now, audit),
      afterRefusal: (err, now) => this.endReused(err, now),
    },
  ];

  /** Lists the clients that may act for an account, newest first. @throws ApiError `invalid_cursor` */
  list(accountId: string, page: { cursor: string | undefined; limit: number }): Promise<Page<Grant>> {
    const read = (before: string, many: number) => listGrants(this.#deps.database, { accountId }, { id: before }, many);
    return newestFirst('grt', page, read, ({ id }) => id);
  }

  /** Ends a grant of an account with its tokens, at once on every instance. @throws ApiError `not_found` */
  async end(tx: Tx, accountId: string, id: string, now: number): Promise<void> {
    await lockAccounts(tx, [accountId]);
    const grant = isId('grt', id) ? await findGrant(tx, id) : null;
    if (grant?.accountId !== accountId) throw new ApiError('not_found', { message: 'There is no grant with this id.' });
    await this.endOne(tx, grant, 'ended', now);
  }

  /** Ends a grant whose account is locked, with its key. @returns how many access tokens ended */
  async endOne(tx: Tx, grant: Grant, reason: EndReason, now: number): Promise<number> {
    const { id, accountId, clientId, clientName, keyId } = grant;
    const ended = await deleteGrant(tx, id, now);
    if (ended === null) return 0;
    if (keyId !== null) await this.#deps.namedKeys.end(tx, accountId, keyId, now);
    const data = { grant_id: id, client_id: clientId, client_name: clientName, reason };
    await this.#deps.appendEvent(tx, { accountId, type: 'grant.ended', data, now });
    this.#deps.credentials.credentialEnded(tx, accountId);
    return ended;
  }

  /** Ends every grant of an account: a thief of its key may have let a client in. The account is locked. */
  readonly secure: LockdownHook = async (tx, { accountId, now }) => {
    const grants = await grantsOf(tx, accountId);
    let tokens = 0;
    for (const grant of grants) tokens += await this.endOne(tx, grant, 'secured', now);
    return { ended: { grants: grants.length, tokens } };
  };

  /** Ends what a person let in, when the person is no longer an operator of the account. */
  readonly personEnded = async (tx: Tx, accountId: string, address: string, now: number): Promise<void> => {
    for (const grant of await grantsOf(tx, accountId))
      if (grant.allowedBy === address) await this.endOne(tx, grant, 'operator_removed', now);
  };

  /** Ends the grant of a named key that was deleted. */
  readonly keyDeleted = async (tx: Tx, accountId: string, keyId: string, now: number): Promise<void> => {
    const grant = await this.ofKey(tx, accountId, keyId);
    if (grant) await this.endOne(tx, grant, 'ended', now);
  };

  /** Finds the grant that got a named key of an account. */
  async ofKey(reader: Reader, accountId: string, keyId: string): Promise<Grant | null> {
    return (await grantsOf(reader, accountId)).find((grant) => grant.keyId === keyId) ?? null;
  }

  /**
   * Gives what a code was made for, once. `fits`: whether the caller proved that the code is its own.
   * @throws ApiError `invalid_grant`, `invalid_client`, `invalid_target`, `limit_reached` for named keys
   */
  async redeem(
    tx: Tx,
    { text, form, now }: { text: string; form: TokenForm; now: number },
    fits: (stored: GrantToken) => boolean,
    audit: Noted,
  ): Promise<GrantedTokens> {
    const { token, grant } = await this.#take(tx, { text, kind: 'code', form, now }, fits);
    if (grant.clientId === COMMAND_LINE_CLIENT) return this.#issueKey(tx, grant, now, audit);
    Object.assign(audit, { accountId: grant.accountId, resourceId: grant.id, action: 'grant.redeemed' });
    return this.#issue(tx, grant, token.scopes, now);
  }

  async #redeemCode(tx: Tx, form: TokenForm, now: number, audit: Noted): Promise<GrantedTokens> {
    const { code, code_verifier: verifier, redirect_uri: redirectUri } = form;
    if (code === undefined || verifier === undefined || !VERIFIER.test(verifier))
      throw oauthError('invalid_request', 'Send code and code_verifier (RFC 7636).');
    const fits = (stored: GrantToken): boolean => {
      const isSame = redirectUri === undefined || redirectUri === stored.redirectUri;
      return isSame && hash('sha256', verifier, 'base64url') === stored.challenge;
    };
    return this.redeem(tx, { text: code, form, now }, fits, audit);
  }

  /** Gives the command line a named key of the grant's scopes, which ends like any other. */
  async #issueKey(tx: Tx, grant: Grant, now: number, audit: Noted): Promise<GrantedTokens> {
    const { id, accountId, clientId, clientName: name, scopes } = grant;
    const account = await findAccount(tx, accountId);
    // A pod has the tier of its platform.
    const payer = account && account.parentId !== null ? await findAccount(tx, account.parentId) : account;
    if (!payer) throw unknownGrant();
    const owner = { accountId, limits: this.#deps.limits[payer.tier] };
    const terms = {
      addresses: null,
      requestsShare: null,
      expiresInSeconds: FIXED_LIMITS.command_line_key_seconds.value,
    };
    const { key, stored } = await this.#deps.namedKeys.create(tx, owner, { name, scopes, ...terms }, now);
    const expiresAt = stored.expiresAt as number;
    await saveGrantKey(tx, { id, keyId: stored.id, lastUsedAt: now, expiresAt });
    const actor = { id, kind: 'client', name: clientId, prefix: stored.prefix } as const;
    Object.assign(audit, { accountId, resourceId: stored.id, action: 'key.named_created', actor });
    return { accessToken: key, expiresAt, scopes: stored.scopes };
  }

  async #refresh(tx: Tx, form: TokenForm, now: number, audit: Noted): Promise<GrantedTokens> {
    const { refresh_token: text, scope } = form;
    if (text === undefined) throw oauthError('invalid_request', 'Send refresh_token.');
    const { grant } = await this.#take(tx, { text, kind: 'refresh', form, now }, () => true);
    const wanted = scope?.split(' ').filter((name) => name !== '');
    if (wanted?.some((name) => !isScope(name) || !grant.scopes.includes(name)))
      throw oauthError('invalid_scope', 'The grant does not have one of these scopes.');
    const scopes = wanted ? grant.scopes.filter((name) => wanted.includes(name)) : grant.scopes;
    if (scopes.length === 0) throw oauthError('invalid_scope', 'Ask for a scope, or leave scope out.');
    await this.#countRefresh(tx, grant.id, now);
    Object.assign(audit, { accountId: grant.accountId, resourceId: grant.id, action: 'grant.refreshed' });
    return this.#issue(tx, grant, scopes, now);
  }

  /** @throws ApiError `rate_limited`; the refresh token stays as it was */
  async #countRefresh(tx: Tx, grantId: string, now: number): Promise<void> {
    const { limits, meter } = this.#deps;
    const rule = { countId: `refresh:${grantId}`, ...REFRESHES, limit: limits.token_refreshes_per_hour };
    const { admitted, name, used, limit: max, resetAt } = await meter.take([rule], now, tx);
    if (admitted) return;
    const message = `This application may refresh its tokens ${max} times an hour.`;
    const fields = { error_description: message };
    throw limitReachedUntil(name, { used, max }, secondsUntil(resetAt, now), { message, fields });
  }

  /** Uses a code or refresh token, once. @throws ApiError `invalid_grant`, `invalid_client`, `invalid_target` */
  async #take(
    tx: Tx,
    { text, kind, form, now }: { text: string; kind: 'code' | 'refresh'; form: TokenForm; now: number },
    fits: (stored: GrantToken) => boolean,
  ): Promise<{ token: GrantToken; grant: Grant }> {
    const { client_id: clientId, resource } = form;
    if (clientId === undefined) throw oauthError('invalid_client', 'Send client_id: the client has no secret.');
    if (!isResourceOf(clientId, resource, this.#deps.baseUrl()))
      throw oauthError('invalid_target', 'The resource must be the one that was asked for.');
    const token = await findToken(tx, hashSecret(text));
    if (token?.kind !== kind || token.expiresAt <= now) throw unknownGrant();
    const { accountId, hash: tokenHash, expiresAt } = token;
    await lockAccounts(tx, [accountId]);
    const grant = await findGrant(tx, token.grantId);
    if (grant?.clientId !== clientId) throw unknownGrant();
    if (token.usedAt !== null) throw new TokenReused(token);
    if (!fits(token) || !(await isOpen(tx, await findAccount(tx, accountId)))) throw unknownGrant();
    const keptUntil = kind === 'code' ? now + USED_CODE_MS : expiresAt;
    if (!(await useToken(tx, { hash: tokenHash, usedAt: now, expiresAt: keptUntil }))) throw new TokenReused(token);
    return { token, grant };
  }

  async #issue(tx: Tx, grant: Grant, scopes: Scope[], now: number): Promise<GrantedTokens> {
    const { access_token_ttl_seconds: accessSeconds, refresh_token_ttl_seconds: refreshSeconds } = this.#deps.limits;
    const [accessToken, refreshToken] = [mintKey('access'), mintToken('signet_rt_')];
    const [expiresAt, refreshUntil] = [now + accessSeconds * 1000, now + refreshSeconds * 1000];
    const both = { grantId: grant.id, accountId: grant.accountId, redirectUri: null, challenge: null, usedAt: null };
    await insertToken(tx, {
      ...both,
      hash: hashSecret(accessToken),
      prefix: keyPrefix(accessToken, 'access'),
      kind: 'access',
      scopes,
      createdAt: now,
      expiresAt,
    });
    await insertToken(tx, {
      ...both,
      hash: hashSecret(refreshToken),
      prefix: 'signet_rt_',
      kind: 'refresh',
      scopes: grant.scopes,
      createdAt: now,
      expiresAt: refreshUntil,
    });
    await saveGrantUse(tx, { id: grant.id, lastUsedAt: now, expiresAt: Math.max(refreshUntil, expiresAt) });
    return { accessToken, refreshToken, expiresAt, scopes };
  }

  /**
   * Ends the grant of a token that came twice (RFC 9700 4.14.2): the client and the thief look the same. Runs after
   * the refusal, whose transaction rolled back.
   */
  async endReused(err: unknown, now: number): Promise<void> {
    if (!(err instanceof TokenReused)) return;
    const { accountId, grantId } = err.token;
    await this.#deps.database.transaction(async (tx) => {
      await lockAccounts(tx, [accountId]);
      const grant = await findGrant(tx, grantId);
      if (!grant) return;
      await this.endOne(tx, grant, 'reused', now);
      const text = `\
A code or token of an application that may act for account ${accountId} came twice, so somebody has a copy of it. The
application's access (${grantId}) has ended. If you still want to use it, let it in again.
`;
      await this.#deps.notices.notify(tx, accountId, { subject: 'The access of an application has ended', text }, now);
    });
  }
}

/** What a token request notes for the audit log. */
type Noted = Parameters<GrantType['issue']>[2];

/** Names the clients that were let in lately. */
export const youngGrants: RecentlyAdded = async (reader, accountId, now) =>
  (await grantsOf(reader, accountId))
    .filter(
      ({ createdAt, expiresAt }) => !isTrusted({ since: createdAt, trustedFromStart: false }, now) && expiresAt > now,
    )
    .slice(0, YOUNG_SHOWN_MAX)
    .map(({ id, allowedBy }) => `grant ${id}, allowed by ${allowedBy}`);

/** Deletes what has expired. */
export async function expireGrants(tx: Tx, now: number): Promise<void> {
  await purgeGrants(tx, now);
  await purgeClients(tx, now);
}
