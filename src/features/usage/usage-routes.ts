import { type Static, Type } from 'typebox';
import { iso } from '../../kernel/clock.ts';
import { type Endpoint, endpoint, reply } from '../../kernel/endpoint.ts';
import { guidance, named, nullable, oneOf, record, timestamp } from '../../kernel/fields.ts';
import { utcDay } from '../../kernel/period.ts';
import type { Holdings, Prices, Usage, UsageRules } from './usage-rules.ts';

const Used = named('Usage', record({ used: Type.Integer(), limit: Type.Integer() }));

const Spent = record({
  daily_spent_usdc: Type.Integer(),
  weekly_spent_usdc: Type.Integer(),
  monthly_spent_usdc: Type.Integer(),
  status: oneOf(['active', 'limit_reached']),
});

const spentBody = ({ spent, isSpentUp }: Holdings['budget']): Static<typeof Spent> => ({
  daily_spent_usdc: spent.daily,
  weekly_spent_usdc: spent.weekly,
  monthly_spent_usdc: spent.monthly,
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

const usage = (rules: UsageRules) =>
  endpoint({
    method: 'GET',
    path: '/v1/usage',
    operation: 'getUsage',
    tag: 'Usage',
    summary: 'What is used of today’s limits',
    description:
      'A pod shares its platform’s quotas of requests, e-mails and stacks, and sees them here; the rest is its own.',
    auth: 'key',
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
        vault_keys: record({ used: Type.Integer(), limit: nullable(Type.Integer()) }),
        calendar_events: Used,
        budget: Spent,
        emails: record({
          daily_used: Type.Integer(),
          daily_limit: Type.Integer(),
          daily_remaining: Type.Integer(),
          hourly_limit: Type.Integer(),
          hourly_remaining: Type.Integer(),
          reset_at: timestamp(),
        }),
      }),
    },
    errors: [],
    handle: async ({ principal, now }) => {
      const { accountId, quotaAccountId, tier } = principal;
      const { requests, stacks, pods, emails } = await rules.usage(quotaAccountId, tier, now);
      const { addresses, vaultKeys, calendarEvents, budget } = await rules.holdings(accountId, tier, now);
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
        budget: spentBody(budget),
        emails: emailsBody(emails),
      });
    },
  });

const NOTES = {
  facilitator: 'Over a limit, pay what the 402 asks for; GET /v1/billing/payments lists what was paid.',
  off: 'A development server: payments are verified and deliver, but none is settled and no money moves.',
  refused: 'This service takes no payments: no facilitator is configured. Limits reset with the hour and the UTC day.',
} as const;

const billing = ({ acceptance, prices }: Prices) =>
  endpoint({
    method: 'GET',
    path: '/v1/billing',
    operation: 'getBilling',
    tag: 'Usage',
    summary: 'Plan and prices',
    auth: 'key',
    effect: 'none',
    replies: {
      200: record({
        account_id: Type.String(),
        tier: oneOf(['free', 'paid']),
        plan: Type.String(),
        x402: record({
          supported: Type.Boolean({ description: 'Whether this service takes x402 payments.' }),
          settlement: oneOf(['facilitator', 'off'], {
            description: '`facilitator`: payments are settled on the chain. `off`: no money moves.',
          }),
          network: Type.String(),
          asset: Type.String(),
          email_price: Type.String({ description: 'USDC per mail over the limit.' }),
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

export const usageRoutes = (rules: UsageRules, payments: Prices): Endpoint[] => [usage(rules), billing(payments)];
