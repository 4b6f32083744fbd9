import { isTrusted } from '../../../api/account/factor.ts';
import type { LockdownHook, RecentlyAdded } from '../../../api/account/lockdown-parts.ts';
import { ApiError, invalidField } from '../../../api/errors.ts';
import type { AppendEvent } from '../../../api/events.ts';
import type { Limits } from '../../../api/limits.ts';
import { limitReached } from '../../../api/metering/limit-reached.ts';
import { newestFirst, type Page } from '../../../api/page.ts';
import { type Delegated, type Principal, payerOf } from '../../../api/principal.ts';
import { requireScope, SCOPE_NAMES } from '../../../api/scopes.ts';
import type { Database, Reader, Tx } from '../../../api/transaction.ts';
import type { Gate } from '../../../api/way-out.ts';
import { iso } from '../../../base/clock.ts';
import { isId, newId } from '../../../base/ids.ts';
import type { Awaitable } from '../../../base/lazy.ts';
import { DAY_MS } from '../../../base/period.ts';
import { findAccount, lockAccounts } from '../accounts/account-lifecycle.ts';
import { findNamedKey } from '../keys/named-key.ts';
import { accountsActedOn, deleteTokensOfAccount, deleteTokensOfKey, purgeAccessTokens } from './access-token-store.ts';
import {
  countLive,
  endWithDescendants,
  findDelegations,
  findLiveOfAccount,
  findLiveOfKey,
  insertDelegation,
  listDelegations,
  lockDelegations,
  mayKnow,
  purgeDelegations,
  saveAddresses,
} from './delegation-store.ts';
import type { Delegation, DelegationRequest, DelegationStatus } from './delegation-table.ts';

/** What delegations and their access tokens need. */
export interface DelegationDeps {
  database: Database;
  gate: Gate;
  limits: Limits;
  appendEvent: AppendEvent<Tx>;
  /** Finds the owner of a credential. @throws ApiError 403 for a suspended account */
  authenticate(token: string, now: number): Awaitable<Principal | null>;
  /** Checks a credential again. @throws ApiError `unauthorized` */
  confirm(tx: Tx, principal: Principal): Promise<void>;
  /** Drops cached credentials of an account and checks its streams again, on every instance. */
  credentialEnded(tx: Tx, accountId: string): void;
  baseUrl(): string;
}

/** How long the list shows a delegation after its end. */
const SHOWN_DAYS = 30;
const YOUNG_SHOWN_MAX = 10;
/** How many old delegations one round deletes. */
const PURGED_MAX = 500;

export const statusOf = ({ endedAt, expiresAt }: Delegation, now: number): DelegationStatus =>
  endedAt !== null ? 'revoked' : expiresAt <= now ? 'expired' : 'active';

export const idsOf = (path: string): string[] => path.split('/');

/** Whether `chain` is every delegation of a path, and each of them stands. One that was deleted is missing. */
export const stands = (chain: readonly Delegation[], ids: readonly string[], now: number): boolean =>
  chain.length === ids.length && chain.every((delegation) => statusOf(delegation, now) === 'active');

/** Makes, lists and ends delegations. */
export class DelegationRules {
  readonly #deps: DelegationDeps;

  constructor(deps: DelegationDeps) {
    this.#deps = deps;
  }

  /**
   * Delegates the caller's authority, or passes on what was delegated to it. What is passed on is never wider: the scopes
   * are those of the token that were asked for, and the end and the depth are cut to the token's delegation.
   * @throws ApiError `insufficient_scope`, `may_not_delegate`, `invalid_scope`, `invalid_target`, `invalid_request`,
   * `limit_reached`
   */
  async create(tx: Tx, principal: Principal, request: DelegationRequest, now: number): Promise<Delegation> {
    const { delegation } = principal;
    if (request.expiresAt <= now)
      throw invalidField('/body/expires_at', 'out_of_range', 'expires_at must be in the future.');
    const made =
      delegation === null
        ? await this.#start(tx, principal, request, now)
        : await this.#passOn(tx, principal, delegation, request, now);
    await requireDelegate(tx, made, delegation?.actors ?? []);
    made.operatedBy = await this.#deps.gate.require(tx, principal, 'delegate', [made.toId]);
    const max = payerOf(principal).limits.delegations;
    const used = await countLive(tx, made.fromId, now, max);
    if (used >= max) throw limitReached('delegations', { used, max });
    await insertDelegation(tx, made);
    const { id, accountId, fromId, toId, scopes, budgetUsdc, expiresAt } = made;
    const parties = { delegation_id: id, account_id: accountId, from: fromId, to: toId };
    const data = { ...parties, scopes, budget_usdc: budgetUsdc, expires_at: iso(expiresAt) };
    for (const party of partiesOf(made))
      await this.#deps.appendEvent(tx, { accountId: party, type: 'delegation.created', data, now });
    return made;
  }

  /** Lists what an account delegated, and what was delegated to it, newest first. @throws ApiError `invalid_cursor` */
  list(accountId: string, page: { cursor: string | undefined; limit: number }): Promise<Page<Delegation>> {
    const read = (before: string, many: number) => listDelegations(this.#deps.database, accountId, before, many);
    return newestFirst('dlg', page, read, ({ id }) => id);
  }

  /** Ends a delegation of the account, or to it, with all that was passed on from it. @throws ApiError `not_found` */
  async end(tx: Tx, accountId: string, id: string, now: number): Promise<void> {
    const [delegation] = isId('dlg', id) && (await mayKnow(tx, accountId, id)) ? await lockDelegations(tx, [id]) : [];
    if (!delegation) throw new ApiError('not_found', { message: 'There is no delegation with this id.' });
    await this.#endOne(tx, delegation, now);
  }

  /** Ends what a named key delegated, and the access tokens that it got. Called when the key ends. */
  readonly endOfKey = async (tx: Tx, keyId: string, now: number): Promise<void> => {
    await deleteTokensOfKey(tx, keyId);
    for (const { id } of await findLiveOfKey(tx, keyId))
      for (const delegation of await lockDelegations(tx, [id])) await this.#endOne(tx, delegation, now);
  };

  /**
   * Ends every delegation that an account made or passed on, and every access token that acts on it or that it got. What
   * others delegated to it stays. The account is locked.
   */
  readonly secure: LockdownHook = async (tx, { accountId, now }) => {
    let delegations = 0;
    for (const { id } of await findLiveOfAccount(tx, accountId, now))
      for (const delegation of await lockDelegations(tx, [id])) delegations += await this.#endOne(tx, delegation, now);
    for (const actedOn of await accountsActedOn(tx, accountId)) this.#deps.credentialEnded(tx, actedOn);
    return { ended: { delegations, tokens: await deleteTokensOfAccount(tx, accountId) } };
  };

  /** Takes an address out of everything that is delegated of an account, for good. The account is locked. */
  readonly addressReleased = async (tx: Tx, accountId: string, address: string): Promise<void> => {
    for (const delegation of await findLiveOfAccount(tx, accountId, 0))
      if (delegation.accountId === accountId && delegation.addresses?.includes(address))
        await saveAddresses(tx, {
          ...delegation,
          addresses: delegation.addresses.filter((other) => other !== address),
        });
  };

  async #start(tx: Tx, principal: Principal, request: DelegationRequest, now: number): Promise<Delegation> {
    const { accountId, namedKeyId, addresses } = principal;
    for (const scope of request.scopes) requireScope(principal, scope);
    // A key that ends meanwhile must not leave a delegation behind.
    await lockAccounts(tx, [accountId]);
    await this.#deps.confirm(tx, principal);
    const id = newId('dlg', now);
    return {
      ...request,
      id,
      accountId,
      fromId: accountId,
      rootId: id,
      path: id,
      keyId: namedKeyId,
      scopes: inTableOrder(request.scopes),
      addresses: addresses === null ? null : [...addresses],
      expiresAt: namedKeyId === null ? request.expiresAt : Math.min(request.expiresAt, principal.expiresAt),
      spentUsdc: 0,
      operatedBy: [],
      createdAt: now,
      endedAt: null,
    };
  }

  async #passOn(
    tx: Tx,
    { accountId, scopes: held }: Principal,
    { chain: ids, actors, keyId }: Delegated,
    request: DelegationRequest,
    now: number,
  ): Promise<Delegation> {
    const chain = await lockDelegations(tx, ids);
    const parent = chain.at(-1);
    if (!parent || !stands(chain, ids, now)) throw new ApiError('unauthorized');
    if (parent.mayDelegate < 1) throw new ApiError('may_not_delegate');
    if (request.audience !== null && request.audience !== parent.audience && !isOwn(request.audience, this.#deps))
      throw new ApiError('invalid_target', { message: 'What is passed on must be for the same audience.' });
    const scopes = inTableOrder(request.scopes.filter((scope) => held?.includes(scope)));
    if (scopes.length === 0)
      throw new ApiError('invalid_scope', { message: 'The access token has none of these scopes.' });
    const id = newId('dlg', now);
    return {
      ...request,
      id,
      accountId,
      fromId: actors[0],
      rootId: parent.rootId,
      path: `${parent.path}/${id}`,
      keyId,
      scopes,
      addresses: parent.addresses,
      audience: parent.audience,
      expiresAt: Math.min(request.expiresAt, parent.expiresAt, await keyEndsAt(tx, actors[0], keyId)),
      mayDelegate: Math.min(request.mayDelegate, parent.mayDelegate - 1),
      spentUsdc: 0,
      operatedBy: [],
      createdAt: now,
      endedAt: null,
    };
  }

  /** Ends a locked delegation. @returns how many ended */
  async #endOne(tx: Tx, delegation: Delegation, now: number): Promise<number> {
    if (delegation.endedAt !== null) return 0;
    const ended = await endWithDescendants(tx, delegation, now);
    const { id, accountId, fromId, toId } = delegation;
    const data = { delegation_id: id, account_id: accountId, from: fromId, to: toId };
    for (const party of partiesOf(delegation))
      await this.#deps.appendEvent(tx, { accountId: party, type: 'delegation.ended', data, now });
    // The tokens of all that was passed on act on the same account.
    this.#deps.credentialEnded(tx, accountId);
    return ended;
  }
}

const partiesOf = ({ accountId, fromId, toId }: Delegation): string[] => [...new Set([accountId, fromId, toId])].sort();

const inTableOrder = (scopes: DelegationRequest['scopes']): Delegation['scopes'] =>
  SCOPE_NAMES.filter((scope) => scopes.includes(scope));

/** When the named key ends that a token was got with; Infinity for a key without an end, and for no named key. */
async function keyEndsAt(tx: Tx, accountId: string, keyId: string | null): Promise<number> {
  const key = keyId === null ? null : await findNamedKey(tx, accountId, keyId);
  return key?.expiresAt ?? Number.POSITIVE_INFINITY;
}

/** Whether an audience is this service. */
export const isOwn = (audience: string, { baseUrl }: Pick<DelegationDeps, 'baseUrl'>): boolean =>
  audience === baseUrl() || audience === `${baseUrl()}/`;

/** @throws ApiError `invalid_request` for an account that does not exist, or that has this authority already */
async function requireDelegate(reader: Reader, { accountId, toId }: Delegation, actors: readonly string[]) {
  if (toId === accountId || actors.includes(toId))
    throw invalidField('/body/to', 'not_allowed', 'to must be an account that does not have this authority yet.');
  if (!isId('acc', toId) || !(await findAccount(reader, toId)))
    throw invalidField('/body/to', 'unknown', 'There is no account with this id.');
}

/** Reads the delegations of a path if each of them stands, otherwise null. */
export async function findStanding(reader: Reader, path: string, now: number): Promise<Delegation[] | null> {
  const ids = idsOf(path);
  const chain = await findDelegations(reader, ids);
  return stands(chain, ids, now) ? chain : null;
}

/**
 * Refuses what was delegated once the policies for ways out allow it no more. Each step is a way out of the account, of the
 * delegate that passed it on, and of the delegate that acts: its words come to be in another's account.
 * @throws ApiError `way_off`, `target_not_allowed`, `operator_required`
 */
export async function requireDelegable(reader: Reader, gate: Gate, steps: readonly Delegation[]): Promise<void> {
  for (const { accountId, fromId, toId, operatedBy } of steps) {
    const actors = fromId === accountId ? [] : [fromId];
    const refusal = (await gate.mayLeave(reader, { accountId, actors }, 'delegate'))({ target: toId, operatedBy });
    if (refusal) throw refusal;
    // What the delegate writes there, the delegator reads.
    const acting = (await gate.mayLeave(reader, { accountId: toId }, 'delegate'))({ target: accountId, operatedBy });
    if (acting === null) continue;
    const { code, message, fields } = acting;
    throw new ApiError(code, { message, fields: { ...fields, limit_set_by: 'delegate' } });
  }
}

/** Names the delegations that an account made lately and that stand. */
export const youngDelegations: RecentlyAdded = async (reader, accountId, now) =>
  (await findLiveOfAccount(reader, accountId, now))
    .filter(
      ({ createdAt, expiresAt }) => !isTrusted({ since: createdAt, trustedFromStart: false }, now) && expiresAt > now,
    )
    .slice(0, YOUNG_SHOWN_MAX)
    .map(({ id, toId }) => `delegation ${id} to ${toId}`);

/** Deletes tokens that expired, and delegations that expired a while ago. */
export async function expireDelegations(tx: Tx, now: number): Promise<void> {
  await purgeAccessTokens(tx, now);
  await purgeDelegations(tx, now - SHOWN_DAYS * DAY_MS, PURGED_MAX);
}
