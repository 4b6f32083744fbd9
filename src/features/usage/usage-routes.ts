import { Type } from 'typebox';
import { iso } from '../../kernel/clock.ts';
import { type Endpoint, endpoint, reply } from '../../kernel/endpoint.ts';
import { guidance, nullable, oneOf, record, timestamp } from '../../kernel/fields.ts';
import type { Limits } from '../../kernel/limits.ts';
import { utcDay } from '../../kernel/period.ts';
import type { Reader } from '../../kernel/transaction.ts';
import type { RequestMeter } from '../limits/meter-rules.ts';
import { readEmailQuota } from '../limits/quota-rules.ts';
import { PAYMENT_NETWORK, PRICE_USDC } from '../payments/payment-rules.ts';

export interface UsageDeps {
  limits: Limits;
  meter: RequestMeter;
  database: Reader;
}

const Used = record({ used: Type.Integer(), limit: Type.Integer() });

const usage = ({ limits, meter, database }: UsageDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/usage',
    operation: 'getUsage',
    tag: 'Usage',
    summary: 'What is used of today’s limits',
    description: 'A pod shares its platform’s quotas and sees them here.',
    auth: 'key',
    effect: 'none',
    replies: {
      200: record({
        account_id: Type.String(),
        tier: oneOf(['free', 'paid']),
        period: Type.String({ description: 'The UTC day, YYYY-MM-DD.' }),
        requests: Used,
        stacks: Used,
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
      const quota = await readEmailQuota(database, quotaAccountId, limits[tier], now);
      return reply(200, {
        account_id: accountId,
        tier,
        period: utcDay(now),
        requests: { used: await meter.used(quotaAccountId, now), limit: limits[tier].requests_per_day },
        stacks: { used: 0, limit: limits[tier].stacks },
        emails: {
          daily_used: quota.dailyUsed,
          daily_limit: quota.dailyLimit,
          daily_remaining: quota.dailyRemaining,
          hourly_limit: quota.hourlyLimit,
          hourly_remaining: quota.hourlyRemaining,
          reset_at: iso(quota.resetAt),
        },
      });
    },
  });

/** Atomic units as a decimal amount of USDC: 10,000 is `0.01`. */
const PRICE = (PRICE_USDC / 1_000_000).toFixed(2);

const billing = endpoint({
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
      x402: { supported: false, network: PAYMENT_NETWORK, asset: 'USDC', email_price: PRICE },
      note: 'This version states its prices and does not take payments yet: limits reset with the hour and the UTC day.',
    }),
});

export const usageRoutes = (deps: UsageDeps): Endpoint[] => [usage(deps), billing];
