import { changeOf } from '../../api/audit-record.ts';
import { AUTHORITIES } from '../../api/authority.ts';
import { type Endpoint, endpoint, reply } from '../../api/endpoint.ts';
import { invalidField } from '../../api/errors.ts';
import {
  audited,
  cursorParam,
  guidance,
  limitParam,
  named,
  nullable,
  oneOf,
  record,
  timestamp,
} from '../../api/fields.ts';
import {
  type Amount,
  atomicLimit,
  limitField,
  money,
  moneyFields,
  smallAmountField,
  smallAmountWarning,
} from '../../api/money-fields.ts';
import { CAP_PERIODS, type CapPeriod } from '../../base/period.ts';
import { Type } from '../../base/schema.ts';
import { type BudgetDeps, capStates, changeBudget, isSpentUp, readBudgetAt } from './budget.ts';
import {
  ATOMIC_UNIT,
  CAP_RANGE,
  CapState,
  CapStates,
  CURRENCY,
  capField,
  capsBody,
  capsFields,
  chargeTexts,
  currencyFields,
} from './budget-schema.ts';
import { BUDGET_TOOLS, type Budget, type BudgetSettings, type Caps, forEachPeriod, ON_LIMIT } from './budget-table.ts';
import { isoOfPosition } from './ledger/ledger-table.ts';
import { readHistory } from './ledger/spending-history.ts';
import { entryBody, History } from './ledger/spending-history-schema.ts';
import { type PlatformQuota, platformRoom } from './platform-quota.ts';

const Settings = named(
  'BudgetSettings',
  record({
    on_limit: audited(
      oneOf(ON_LIMIT, { description: 'What happens to a charge over a limit: 402, or a wait for approval.' }),
    ),
    ...moneyFields({
      single_tx_limit_cents: audited(nullable(Type.Integer({ description: 'Atomic USDC units, despite the name.' }))),
    }),
    authority: audited(
      oneOf(AUTHORITIES, {
        description: 'With `operator`, only an operator session may approve charges and raise or remove limits.',
      }),
    ),
  }),
);

const settingsBody = ({ onLimit, singleTxLimit, authority }: BudgetSettings) => ({
  on_limit: onLimit,
  ...money({ single_tx_limit_cents: singleTxLimit }),
  authority,
});

const hasAny = (caps: Caps): boolean => CAP_PERIODS.some((period) => caps[period] !== null);

const BudgetStatus = record({
  agent_id: Type.String(),
  ...currencyFields,
  caps: CapStates,
  has_caps: Type.Boolean(),
  status: oneOf(['active', 'limit_reached'], {
    description: '`limit_reached` when any cap is used up, for a pod also one of its platform.',
  }),
  settings: Settings,
  spending_caps: nullable({
    ...CapStates,
    description: 'For a pod: the caps set by its platform, in addition to its own. Null if there are none.',
  }),
  note: guidance(Type.String()),
});

function statusBody(accountId: string, budget: Budget, room: PlatformQuota) {
  const { caps, platformCaps, spend } = budget;
  return {
    agent_id: accountId,
    currency: CURRENCY,
    atomic_unit: ATOMIC_UNIT,
    caps: capsBody(capStates(caps, spend), room.left),
    has_caps: hasAny(caps) || hasAny(platformCaps),
    status: isSpentUp(budget) || room.isUsedUp ? ('limit_reached' as const) : ('active' as const),
    settings: settingsBody(budget),
    spending_caps: hasAny(platformCaps) ? capsBody(capStates(platformCaps, spend), room.left) : null,
    note: 'Amounts are atomic USDC (1 USDC = 1,000,000). Days, ISO weeks and months are in UTC.',
  };
}

const getBudget = ({ database }: BudgetDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/budget',
    operation: 'getBudget',
    tag: 'Budget',
    tools: BUDGET_TOOLS,
    summary: 'Get the budget',
    description:
      'Returns the caps, what is left of each, and the settings. An account without caps can spend any amount.',
    auth: 'key',
    scope: 'money:read',
    addresses: 'none',
    effect: 'none',
    replies: { 200: BudgetStatus },
    errors: [],
    handle: async ({ principal, now }) => {
      const { accountId, parentId } = principal;
      const budget = await readBudgetAt(database, accountId, now);
      return reply(200, statusBody(accountId, budget, await platformRoom(database, parentId, now)));
    },
  });

/** What the audit log keeps of a budget. */
const AuditedBudget = record({ caps: CapStates, settings: Settings });
const auditedBudget = (budget: Budget) => ({
  caps: capsBody(capStates(budget.caps, budget.spend)),
  settings: settingsBody(budget),
});

/** The flat form of `caps`. */
const deprecatedCaps = forEachPeriod((period) =>
  limitField(CAP_RANGE, { description: `As \`caps.${period}\`.`, deprecated: true }),
);

const BudgetBody = record(
  {
    caps: Type.Optional(record(capsFields, { minProperties: 1 })),
    ...deprecatedCaps,
    on_limit: Type.Optional(oneOf(ON_LIMIT)),
    single_tx_limit_cents: capField(
      'The largest single charge, in atomic USDC despite the name; null removes the limit.',
    ),
    authority: Type.Optional(oneOf(AUTHORITIES)),
  },
  { minProperties: 1 },
);

type GivenCaps = { [K in CapPeriod]?: Amount | null | undefined };

/** Merges the two ways of giving a cap. @throws ApiError `invalid_request` when they differ */
function givenCaps(flat: GivenCaps, nested: GivenCaps = {}): Partial<Caps> {
  const caps: Partial<Caps> = {};
  for (const period of CAP_PERIODS) {
    const outer = atomicLimit(flat[period], `/body/${period}`, CAP_RANGE);
    const inner = atomicLimit(nested[period], `/body/caps/${period}`, CAP_RANGE);
    if (outer !== undefined && inner !== undefined && outer !== inner)
      throw invalidField(`/body/${period}`, 'conflict', `${period} and caps.${period} differ. Send one of them.`);
    const given = inner !== undefined ? inner : outer;
    if (given !== undefined) caps[period] = given;
  }
  return caps;
}

const putBudget = (deps: BudgetDeps) =>
  endpoint({
    method: 'PUT',
    path: '/v1/budget',
    operation: 'setBudget',
    tag: 'Budget',
    summary: 'Update the budget',
    description:
      'Sets or removes caps and changes settings. Absent fields stay as they are. Send caps in `caps` or at the top level. `daily <= weekly <= monthly` must hold, including the stored caps. While `authority` is `operator`, only an operator session can raise or remove limits, or set `authority` back. A named key or access token cannot change `authority`. A call that only lowers or adds caps is answered after the day’s requests are used up, too, and counts in `revocations_per_hour` then.',
    auth: 'key',
    scope: 'money:manage',
    addresses: 'none',
    leavesAccess: true,
    effect: 'write',
    leaves: [],
    afterDay: 'revoke',
    action: 'budget.changed',
    body: BudgetBody,
    replies: {
      200: record({
        ok: Type.Boolean(),
        agent_id: Type.String(),
        caps: record(
          forEachPeriod(() => Type.Optional(nullable(CapState))),
          {
            description: 'The caps in the request.',
          },
        ),
        settings: Settings,
        budget: Type.Object(BudgetStatus.properties, {
          additionalProperties: false,
          deprecated: true,
          description: 'As `GET /v1/budget` returns it. `caps` and `settings` say what changed.',
        }),
        warning: smallAmountField,
      }),
    },
    errors: ['operator_required', 'operator_email_required'],
    handle: async ({ principal, body, now, spent, transact }) => {
      const caps = givenCaps(body, body.caps);
      const { on_limit: onLimit, authority } = body;
      const singleTxLimit = atomicLimit(body.single_tx_limit_cents, '/body/single_tx_limit_cents', CAP_RANGE);
      const change = {
        caps,
        ...(onLimit === undefined ? {} : { onLimit }),
        ...(singleTxLimit === undefined ? {} : { singleTxLimit }),
        ...(authority === undefined ? {} : { authority }),
      };
      return transact(async (tx, audit) => {
        const { before, next: changed } = await changeBudget(tx, deps, { principal, now, spent }, change);
        audit.resourceId = principal.accountId;
        audit.change = changeOf(AuditedBudget, auditedBudget(before), auditedBudget(changed));
        const room = await platformRoom(tx, principal.parentId, now);
        const states = capsBody(capStates(changed.caps, changed.spend), room.left);
        const named = CAP_PERIODS.filter((period) => period in caps).map((period) => [period, states[period]]);
        return reply(200, {
          ok: true,
          agent_id: principal.accountId,
          caps: Object.fromEntries(named),
          settings: settingsBody(changed),
          budget: statusBody(principal.accountId, changed, room),
          ...smallAmountWarning([...Object.values(caps), singleTxLimit]),
        });
      });
    },
  });

const getHistory = ({ database }: BudgetDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/budget/history',
    operation: 'getBudgetHistory',
    tag: 'Budget',
    summary: 'List charges, newest first',
    description:
      '`summary` covers the whole filtered history, not only this page. Follow `next_cursor` or `next_before` to read all pages. New entries do not shift the pages.',
    auth: 'key',
    scope: 'money:read',
    addresses: 'none',
    effect: 'none',
    query: record({
      limit: limitParam(50, 200),
      before: Type.Optional(
        timestamp({ description: 'Return only older entries: the `next_before` of the previous page.' }),
      ),
      cursor: cursorParam(),
      category: Type.Optional(chargeTexts.category),
    }),
    replies: { 200: History },
    errors: ['invalid_cursor'],
    handle: async ({ principal, query }) => {
      const { before, cursor, category = null } = query;
      const limit = query.limit as number;
      const history = await readHistory(database, principal.accountId, { category, before, cursor, limit });
      const last = history.entries.at(-1);
      return reply(200, {
        agent_id: principal.accountId,
        currency: CURRENCY,
        atomic_unit: ATOMIC_UNIT,
        entries: history.entries.map(entryBody),
        summary: {
          count: history.count,
          ...money({ total_usdc: history.totalUsdc }),
          by_category: history.byCategory,
        },
        pagination: {
          limit,
          has_more: history.hasMore,
          next_before: history.hasMore && last ? isoOfPosition(last.position) : null,
          next_cursor: history.nextCursor,
        },
        note: 'Amounts are atomic USDC (1 USDC = 1,000,000). The history of a platform includes the charges of its pods.',
      });
    },
  });

export const budgetRoutes = (deps: BudgetDeps): Endpoint[] => [getBudget(deps), putBudget(deps), getHistory(deps)];
