import type { Limits, Tier } from '../../../api/limits.ts';
import type { Delegated, Payer } from '../../../api/principal.ts';
import type { Reader } from '../../../api/transaction.ts';
import { type Account, findAccount } from '../../account/accounts/account-lifecycle.ts';
import { openAccess } from '../../account/delegations/access-token.ts';
import { openGrantAccess } from '../../account/grants/grant-access.ts';
import { rateLimitsOf } from '../pods/pod.ts';

/** The quotas of an account, and the platform of a pod, whose tier and quotas apply to it. */
export async function quotasOf(
  reader: Reader,
  { id, parentId, tier: own }: Account,
  limits: Pick<Limits, Tier>,
): Promise<{ parent: Account | null; tier: Tier; payer: Payer }> {
  const parent = parentId === null ? null : await findAccount(reader, parentId);
  const rateLimits = parent === null ? null : await rateLimitsOf(reader, id);
  const tier = parent?.tier ?? own;
  return { parent, tier, payer: { accountId: id, quotaAccountId: parent?.id ?? id, limits: limits[tier], rateLimits } };
}

/** Finds what an access token opens. Its calls act on the account that delegated, and count as that account's. */
export async function readAccess(reader: Reader, hash: string, limits: Pick<Limits, Tier>, now: number) {
  const access = await openAccess(reader, hash, now);
  const first = access?.chain[0];
  const holder = access && (await findAccount(reader, access.actorId));
  if (!access || !first || !holder) return null;
  const { accountId, scopes, prefix: actor, expiresAt, chain, actors } = access;
  const ids = chain.map(({ id }) => id);
  const { payer } = await quotasOf(reader, holder, limits);
  const delegation: Delegated = {
    id: ids.at(-1) as string,
    chain: ids,
    actors: actors as [string, ...string[]],
    keyId: access.keyId,
    payer,
  };
  const secret = { keyHash: hash, sessionHash: null, consoleHash: null, namedKeyId: null, lineage: hash };
  const auditActor = { chain: ids, id: holder.id, kind: 'delegate', prefix: actor } as const;
  const whose = { delegation, auditActor, grant: null, requestsShare: null, actor };
  const terms = { ...whose, scopes, addresses: first.addresses, expiresAt };
  return {
    accountId,
    steps: chain,
    fields: { credential: 'api_key' as const, operator: false, person: null, method: null, ...secret, ...terms },
  };
}

/** Finds what the access token of a client opens. Its calls count against the account. */
export async function readGrantAccess(reader: Reader, hash: string, now: number) {
  const access = await openGrantAccess(reader, hash, now);
  if (!access) return null;
  const { accountId, clientId, grantId, scopes, prefix: actor, expiresAt } = access;
  const none = { operator: false, person: null, method: null, delegation: null, addresses: null };
  const secret = { keyHash: hash, sessionHash: null, consoleHash: null, namedKeyId: null, lineage: hash };
  const auditActor = { id: grantId, kind: 'client', name: clientId, prefix: actor } as const;
  const terms = { grant: { id: grantId, clientId }, scopes, requestsShare: null, expiresAt, actor, auditActor };
  return { accountId, fields: { credential: 'api_key' as const, ...none, ...secret, ...terms } };
}
