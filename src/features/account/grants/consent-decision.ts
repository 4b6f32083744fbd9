import { requireNoDeletion } from '../../../api/account/pending-deletion.ts';
import type { AccountNotification } from '../../../api/account/removal-notices.ts';
import { ApiError, invalidField } from '../../../api/errors.ts';
import { FIXED_LIMITS } from '../../../api/metering/fixed-limits.ts';
import { limitReached } from '../../../api/metering/limit-reached.ts';
import type { Principal } from '../../../api/principal.ts';
import { quoteWords } from '../../../api/quoted-text.ts';
import { SCOPE_NAMES, SCOPES, type Scope } from '../../../api/scopes.ts';
import type { Tx } from '../../../api/transaction.ts';
import { isId, newId } from '../../../base/ids.ts';
import { hashSecret, mintToken } from '../../../base/secret.ts';
import { lockAccounts } from '../accounts/account-lifecycle.ts';
import type { GrantDeps } from './grant.ts';
import { grantsOf, insertGrant, insertToken } from './grant-store.ts';
import {
  type AuthorizationRequest,
  type Client,
  CODE_TTL_MS,
  COMMAND_LINE,
  type Grant,
  type GrantToken,
} from './grant-table.ts';
import { keepClient } from './oauth-client-store.ts';

const HOW = {
  application: ['An application', 'through MCP'],
  commandLine: ['A command line', 'with a named key that ends after 90 days'],
} as const;

/** What a client shows for its tokens or its key. */
interface Redeemable extends Pick<GrantToken, 'hash' | 'prefix' | 'redirectUri' | 'challenge' | 'expiresAt'> {
  client: Client;
  /** Where it redirects to, for people. */
  to: string;
}

function tellMail({ id, accountId, clientId, clientName, scopes, allowedBy }: Grant, to: string): AccountNotification {
  const [who, how] = clientId === COMMAND_LINE.id ? HOW.commandLine : HOW.application;
  return {
    subject: `${who} may act for your account`,
    text: `\
${who} may now act for account ${accountId} ${how}. ${allowedBy} allowed it.

Grant: ${id}
It redirects to: ${quoteWords(to)}
It may:
${scopes.map((scope) => `- ${SCOPES[scope].replaceAll('`', '')}`).join('\n')}

If you did not expect this, log in and end it with DELETE /v1/account/grants/${id}, or call POST /v1/account/secure.

The application calls itself: ${quoteWords(clientName)}
Its id: ${quoteWords(clientId)}
`,
  };
}

/** Records what a person decides about a client that asks to act for an account. */
export class ConsentRules {
  readonly #deps: GrantDeps;

  constructor(deps: GrantDeps) {
    this.#deps = deps;
  }

  /**
   * Finds the caller as it acts for an account: an operator session for each of its accounts, any other for its own.
   * @throws ApiError `not_found`, `unauthorized`; 403 for a suspended account
   */
  async actingFor({ sessionHash }: Principal, account: string, now: number): Promise<Principal> {
    if (sessionHash === null) throw new ApiError('session_required');
    if (!isId('acc', account) && !isId('pod', account)) throw new ApiError('not_found');
    const acting = await this.#deps.credentials.ofHash('session', sessionHash, now, { account });
    if (!acting) throw new ApiError('unauthorized');
    return acting;
  }

  /**
   * Lets a client act for the caller's account. `scopes`: what of the requested ones it may do; undefined: all.
   * @returns the grant, and the code, which is known only now
   * @throws ApiError `operator_required`, `confirmed_address_required`, `account_deleting`, `limit_reached`,
   * `invalid_scope`, `invalid_client`
   */
  async allow(
    tx: Tx,
    acting: Principal,
    { asked, scopes }: { asked: AuthorizationRequest; scopes: readonly string[] | undefined },
    now: number,
  ): Promise<{ grant: Grant; code: string }> {
    const { client, redirectUri, destination, challenge } = asked;
    const code = mintToken('signet_ac_');
    const secret = { hash: hashSecret(code), prefix: 'signet_ac_', redirectUri, challenge };
    const shown = { client, to: destination.host, ...secret, expiresAt: now + CODE_TTL_MS };
    return { grant: await this.admit(tx, acting, shown, { asked: asked.scopes, chosen: scopes }, now), code };
  }

  /**
   * Makes the grant of a client, and its code.
   * @throws ApiError as {@link allow}
   */
  async admit(
    tx: Tx,
    acting: Principal,
    { client, to, ...code }: Redeemable,
    { asked, chosen }: { asked: readonly Scope[]; chosen: readonly string[] | undefined },
    now: number,
  ): Promise<Grant> {
    const { accountId, person } = acting;
    await lockAccounts(tx, [accountId]);
    await this.#deps.credentials.confirm(tx, acting);
    await this.#requireDecider(tx, acting);
    await this.#deps.gate.require(tx, acting, 'grant', [client.id]);
    const granted = narrow(asked, chosen);
    const used = (await grantsOf(tx, accountId)).length;
    if (used >= FIXED_LIMITS.grants.value) throw limitReached('grants', { used, max: FIXED_LIMITS.grants.value });
    if (isRegistered(client) && !(await keepClient(tx, client.id))) throw new ApiError('invalid_client');
    const grant: Grant = {
      id: newId('grt', now),
      accountId,
      clientId: client.id,
      clientName: client.name,
      scopes: granted,
      allowedBy: person as string,
      createdAt: now,
      lastUsedAt: null,
      expiresAt: code.expiresAt,
      keyId: null,
    };
    await insertGrant(tx, grant);
    const terms = {
      grantId: grant.id,
      accountId,
      kind: 'code',
      scopes: granted,
      usedAt: null,
      createdAt: now,
    } as const;
    await insertToken(tx, { ...code, ...terms });
    const data = { grant_id: grant.id, client_id: client.id, client_name: client.name, scopes: granted };
    await this.#deps.appendEvent(tx, {
      accountId,
      type: 'grant.created',
      now,
      data: { ...data, allowed_by: grant.allowedBy },
    });
    await this.#deps.notices.notify(tx, accountId, tellMail(grant, to), now);
    return grant;
  }

  /**
   * Who may let a client in: an operator, and unless only operators have authority, a confirmed address of the
   * account.
   */
  async #requireDecider(tx: Tx, acting: Principal): Promise<void> {
    const { accountId, operator } = acting;
    requireNoDeletion(acting);
    if (operator) return;
    if ((await this.#deps.authority.of(tx, accountId)) === 'operator') throw new ApiError('operator_required');
    const { confirmedSince } = await this.#deps.notices.askerOf(tx, acting);
    if (confirmedSince === null) throw new ApiError('confirmed_address_required');
  }
}

/** Whether a client registered itself, so that it is forgotten unless a person lets it in. */
const isRegistered = ({ id, host }: Client): boolean => host === null && id !== COMMAND_LINE.id;

/** Codes of mail open other accounts, and charges wait for a person's decision: a person names these scopes, or they are not given. */
const NAMED_ALONE: readonly Scope[] = ['mail:codes', 'money:approve'];

/** @throws ApiError `invalid_scope` for a scope that was not asked for, or for none */
function narrow(asked: readonly Scope[], chosen: readonly string[] | undefined): Scope[] {
  const unasked = chosen?.find((scope) => !(asked as readonly string[]).includes(scope));
  if (unasked !== undefined) throw invalidScope('The client did not ask for one of these scopes.');
  const wanted: readonly string[] = chosen ?? asked.filter((scope) => !NAMED_ALONE.includes(scope));
  const granted = SCOPE_NAMES.filter((scope) => wanted.includes(scope));
  if (granted.length === 0) throw invalidField('/body/scopes', 'required', 'Choose at least one scope, or deny.');
  return granted;
}

const invalidScope = (message: string): ApiError => new ApiError('invalid_scope', { message });
