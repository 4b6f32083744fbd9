import type { Static } from 'typebox';
import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { guidance, named, nullable, oneOf, record, text, timestamp } from '../../../api/fields.ts';
import { money, moneyFields } from '../../../api/money-fields.ts';
import { iso } from '../../../base/clock.ts';
import { utcDay } from '../../../base/period.ts';
import { Type } from '../../../base/schema.ts';
import { type Holdings, USAGE_DAYS, type Usage, type UsageDeps, type UsageRules } from './usage-report.ts';

const Used = named('Usage', record({ used: Type.Integer(), limit: Type.Integer() }));

const Spent = named(
  'Spent',
  record({
    ...moneyFields({
      daily_spent_usdc: Type.Integer({ description: 'Atomic USDC.' }),
      weekly_spent_usdc: Type.Integer(),
      monthly_spent_usdc: Type.Integer(),
    }),
    status: oneOf(['active', 'limit_reached'], { description: '`limit_reached` when any spending cap is used up.' }),
  }),
);

const spentBody = ({ spent, isSpentUp }: Holdings['budget']): Static<typeof Spent> => ({
  ...money({
    daily_spent_usdc: spent.daily,
    weekly_spent_usdc: spent.weekly,
    monthly_spent_usdc: spent.monthly,
  }),
  status: isSpentUp ? 'limit_reached' : 'active',
});

const emailsBody = (emails: Usage['emails']) => ({
  daily_used: emails.dailyUsed,
  daily_limit: emails.dailyLimit,
  daily_remaining: emails.dailyRemaining,
  hourly_limit: emails.hourlyLimit,
  hourly_remaining: emails.hourlyRemaining,
  reset_at: iso(emails.resetAt),
});

const VaultKeys = named(
  'VaultUsage',
  record({
    used: Type.Integer(),
    limit: nullable(Type.Integer({ description: 'Includes keys that were bought; null means no limit.' })),
  }),
);

const podUsage = (rules: UsageRules) =>
  endpoint({
    method: 'GET',
    path: '/v1/pods/{pod_id}/usage',
    operation: 'getPodUsage',
    tag: 'Pods',
    summary: 'Get the usage of a pod',
    description: '`requests` is null without a limit of its own for each day.',
    auth: 'key',
    scope: 'pods:manage',
    addresses: 'none',
    effect: 'none',
    params: record({ pod_id: text(64) }),
    replies: {
      200: record({
        requests: nullable(Used),
        addresses: Used,
        vault_keys: VaultKeys,
        calendar_events: Used,
        storage: Used,
        budget: Spent,
      }),
    },
    errors: ['not_found'],
    handle: async ({ principal, params, now }) => {
      const { requests, addresses, vaultKeys, calendarEvents, storage, budget } = await rules.pod(
        principal,
        params.pod_id,
        now,
      );
      return reply(200, {
        requests,
        addresses,
        vault_keys: vaultKeys,
        calendar_events: calendarEvents,
        storage,
        budget: spentBody(budget),
      });
    },
  });

const usage = (rules: UsageRules) =>
  endpoint({
    method: 'GET',
    path: '/v1/usage',
    operation: 'getUsage',
    tag: 'Usage',
    summary: 'Get usage and limits',
    description:
      'Requests and emails are those of the current UTC day. A pod sees the quotas of requests, emails, pods and stacks that it shares with its platform; the rest is its own.',
    auth: 'key',
    scope: 'account:read',
    addresses: 'filtered',
    effect: 'none',
    replies: {
      200: record({
        account_id: Type.String(),
        tier: oneOf(['free', 'paid']),
        period: Type.String({ description: 'The UTC day, YYYY-MM-DD.' }),
        requests: Used,
        stacks: Used,
        pods: Used,
        addresses: Used,
        vault_keys: VaultKeys,
        calendar_events: Used,
        storage: Used,
        budget: Spent,
        emails: record({
          daily_used: Type.Integer(),
          daily_limit: Type.Integer(),
          daily_remaining: Type.Integer(),
          hourly_limit: Type.Integer(),
          hourly_remaining: Type.Integer(),
          reset_at: timestamp({ description: 'When the daily count resets.' }),
        }),
      }),
    },
    errors: [],
    handle: async ({ principal, now }) => {
      const { accountId, quotaAccountId, tier } = principal;
      const { requests, stacks, pods, emails } = await rules.usage(quotaAccountId, tier, now);
      const { addresses, vaultKeys, calendarEvents, storage, budget } = await rules.holdings(principal, now);
      return reply(200, {
        account_id: accountId,
        tier,
        period: utcDay(now),
        requests,
        stacks,
        pods,
        addresses,
        vault_keys: vaultKeys,
        calendar_events: calendarEvents,
        storage,
        budget: spentBody(budget),
        emails: emailsBody(emails),
      });
    },
  });

const usageDays = (rules: UsageRules) =>
  endpoint({
    method: 'GET',
    path: '/v1/usage/days',
    operation: 'getUsageDays',
    tag: 'Usage',
    summary: 'Get requests and emails by day',
    description: `Of the last ${USAGE_DAYS} UTC days, oldest first. A pod sees the platform’s, which it shares.`,
    auth: 'key',
    scope: 'account:read',
    addresses: 'none',
    effect: 'none',
    compressed: true,
    replies: {
      200: record({
        days: Type.Array(record({ day: Type.String(), requests: Type.Integer(), emails: Type.Integer() })),
      }),
    },
    errors: [],
    handle: async ({ principal, now }) => reply(200, { days: await rules.days(principal.quotaAccountId, now) }),
  });

const NOTES = {
  facilitator: 'Over a limit, pay the offer of the 402. GET /v1/billing/payments lists your payments.',
  off: 'This is a development server: payments are verified and accepted, but not settled. No money moves.',
  refused:
    'This service does not accept payments: no facilitator is configured. Limits reset every hour and every UTC day.',
} as const;

const billing = ({ payments: { acceptance, prices } }: UsageDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/billing',
    operation: 'getBilling',
    tag: 'Usage',
    summary: 'Get plan and prices',
    description: 'What each tier allows, and what a payment buys.',
    auth: 'key',
    scope: 'account:read',
    addresses: 'none',
    effect: 'none',
    replies: {
      200: record({
        account_id: Type.String(),
        tier: oneOf(['free', 'paid']),
        plan: Type.String(),
        x402: record({
          supported: Type.Boolean({ description: 'True when this service takes x402 payments.' }),
          settlement: oneOf(['facilitator', 'off'], {
            description: '`facilitator`: payments are settled on the blockchain. `off`: no money moves.',
          }),
          network: Type.String(),
          asset: Type.String(),
          email_price: Type.String({ description: 'USDC for each email over the limit.' }),
        }),
        note: guidance(nullable(Type.String())),
      }),
    },
    errors: [],
    handle: async ({ principal }) =>
      reply(200, {
        account_id: principal.accountId,
        tier: principal.tier,
        plan: principal.tier,
        x402: {
          supported: acceptance !== 'refused',
          settlement: acceptance === 'facilitator' ? acceptance : ('off' as const),
          network: prices.network,
          asset: prices.asset,
          email_price: prices.email,
        },
        note: NOTES[acceptance],
      }),
  });

export const usageRoutes = (rules: UsageRules, deps: UsageDeps): Endpoint[] => [
  usage(rules),
  usageDays(rules),
  podUsage(rules),
  billing(deps),
];
