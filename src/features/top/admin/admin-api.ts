import { ApiError, invalidField } from '../../../api/errors.ts';
import type { Tier } from '../../../api/limits.ts';
import { iso } from '../../../base/clock.ts';
import type { Account } from '../../account/accounts/account-lifecycle.ts';
import { SIGN_UP_MODES, type SignUpMode } from '../../account/sign-up/invite-table.ts';
import type { LimitHits } from '../../service/limits/limit-hits.ts';
import type { AdminCall, AdminReply, AdminRoute } from './admin-call.ts';
import type { ChangeOutcome, OperatorRules } from './service-operator.ts';

const PAGE_MAX = 500;
/** Accounts that one search of names looks through. */
const SEARCHED_MAX = 10_000;
const TIERS: readonly Tier[] = ['free', 'paid'];

const ok = (body: object, status = 200): AdminReply => ({ status, body });

const accountJson = ({ id, parentId, name, tier, status, createdAt }: Account) => ({
  id,
  parent_account_id: parentId,
  name,
  tier,
  status,
  created_at: iso(createdAt),
});

/** A field of a body that must be one of some words. @throws ApiError `invalid_request` */
function wordIn<T extends string>(body: unknown, field: string, words: readonly T[]): T {
  const given = (body as Record<string, unknown> | null)?.[field];
  const word = words.find((one) => one === given);
  if (word === undefined)
    throw invalidField(`/body/${field}`, 'invalid_value', `${field} must be ${words.join(', ')}.`);
  return word;
}

function changed(result: ChangeOutcome): AdminReply {
  if (result.outcome === 'not_found') throw new ApiError('not_found');
  if (result.outcome === 'pod')
    throw invalidField('/path/id', 'pod', `A pod has the tier of its platform, ${result.parentId}.`);
  return ok({ changed: result.outcome === 'changed', account: accountJson(result.account) });
}

/**
 * Finds accounts by id, by the address of an agent, or by part of a name. A search of names looks through some accounts
 * at a time: `next_after` goes on, also from a page without a match.
 */
async function found(operator: OperatorRules, search: string, after: string, limit: number) {
  const exact = await operator.accountNamed(search);
  if (exact) return { accounts: [accountJson(exact)], next_after: null };
  const wanted = search.toLowerCase();
  const matches: Account[] = [];
  let [seen, last] = [0, after];
  for await (const account of operator.accounts(after, SEARCHED_MAX)) {
    [seen, last] = [seen + 1, account.id];
    if (account.name?.toLowerCase().includes(wanted)) matches.push(account);
    if (matches.length === limit) break;
  }
  const isDone = seen < SEARCHED_MAX && matches.length < limit;
  return { accounts: matches.map(accountJson), next_after: isDone ? null : last };
}

const ACCOUNT = '/admin/v1/accounts/(acc_[0-9a-z]{26})';
const at = (path: string): RegExp => new RegExp(`^${path}$`);

function accountRoutes(operator: OperatorRules): AdminRoute[] {
  const list = async ({ query }: AdminCall): Promise<AdminReply> => {
    const limit = Math.min(PAGE_MAX, Math.max(1, Number(query.get('limit') ?? 50) || 50));
    const after = query.get('after') ?? '';
    const search = (query.get('search') ?? '').trim();
    if (search !== '') return ok(await found(operator, search, after, limit));
    const accounts: Account[] = [];
    for await (const account of operator.accounts(after, limit + 1)) accounts.push(account);
    const page = accounts.slice(0, limit);
    const next = accounts.length > limit ? (page.at(-1)?.id ?? null) : null;
    return ok({ accounts: page.map(accountJson), next_after: next });
  };
  const show = async ({ id }: AdminCall): Promise<AdminReply> => {
    const found = await operator.show(id);
    if (!found) throw new ApiError('not_found');
    const { account, keys, addresses, usage, deletesAt } = found;
    const times = <T extends { createdAt: number }>(rows: readonly T[]) =>
      rows.map(({ createdAt, ...row }) => ({ ...row, created_at: iso(createdAt) }));
    return ok({
      account: accountJson(account),
      keys: times(keys),
      addresses: times(addresses),
      usage,
      deletes_at: deletesAt === null ? null : iso(deletesAt),
    });
  };
  return [
    { method: 'GET', path: at('/admin/v1/accounts'), handle: list },
    { method: 'GET', path: at(ACCOUNT), handle: show },
    {
      method: 'PUT',
      path: at(`${ACCOUNT}/tier`),
      handle: async ({ id, body }) => changed(await operator.setTier(id, wordIn(body, 'tier', TIERS))),
    },
    {
      method: 'POST',
      path: at(`${ACCOUNT}/suspend`),
      handle: async ({ id }) => changed(await operator.setStatus(id, 'suspended')),
    },
    {
      method: 'POST',
      path: at(`${ACCOUNT}/resume`),
      handle: async ({ id }) => changed(await operator.setStatus(id, 'active')),
    },
    {
      method: 'DELETE',
      path: at(ACCOUNT),
      handle: async ({ id }) => {
        const { deletesAt, pods } = await operator.deleteAccount(id);
        return ok({ deletes_at: iso(deletesAt), pods }, 202);
      },
    },
    {
      method: 'POST',
      path: at(`${ACCOUNT}/delete/cancel`),
      handle: async ({ id }) => {
        await operator.cancelDeletion(id);
        return ok({ ok: true });
      },
    },
  ];
}

/** Every call of the administration API. Each does what a command of the command line does. */
export const adminRoutes = (
  operator: OperatorRules,
  limitHits: Pick<LimitHits, 'list'>,
  instanceId: string,
): AdminRoute[] => [
  ...accountRoutes(operator),
  {
    method: 'POST',
    path: at('/admin/v1/invites'),
    handle: async () => {
      const { invite, expiresAt } = await operator.createInvite();
      return ok({ invite, expires_at: iso(expiresAt) }, 201);
    },
  },
  { method: 'GET', path: at('/admin/v1/sign-up'), handle: async () => ok(await operator.signUpMode()) },
  {
    method: 'PUT',
    path: at('/admin/v1/sign-up'),
    handle: async ({ body }) => ok(await operator.setSignUpMode(wordIn<SignUpMode>(body, 'mode', SIGN_UP_MODES))),
  },
  { method: 'GET', path: at('/admin/v1/queues'), handle: async () => ok({ queues: await operator.queues() }) },
  {
    method: 'GET',
    path: at('/admin/v1/jobs/failed'),
    handle: async () => {
      const jobs = await operator.failedJobs();
      return ok({ jobs: jobs.map(({ runAt, ...job }) => ({ ...job, run_at: iso(runAt) })) });
    },
  },
  {
    method: 'POST',
    path: at('/admin/v1/jobs/(job_[0-9a-z]{26})/run'),
    handle: async ({ id }) => ok({ changed: await operator.runJob(id) }),
  },
  {
    method: 'GET',
    path: at('/admin/v1/limits'),
    handle: async () =>
      ok({
        instance: instanceId,
        limits: limitHits.list().map(({ limit, accountId, count, lastAt }) => ({
          limit,
          account_id: accountId,
          count,
          last_at: iso(lastAt),
        })),
      }),
  },
  { method: 'GET', path: at('/admin/v1/storage'), handle: async () => ok({ bytes: await operator.storageBytes() }) },
];
