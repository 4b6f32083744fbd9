import type { TSchema } from 'typebox';
import { named, nullable, record } from '../../../api/fields.ts';
import type { TierLimits } from '../../../api/limits.ts';
import { mayBeUnlimited, TIER_LIMITS } from '../../../api/metering/tier-limits.ts';
import { Type } from '../../../base/schema.ts';

const limitField = (name: string, description: string): TSchema =>
  mayBeUnlimited(name)
    ? nullable(Type.Integer(), { description: `${description} Null: no limit.` })
    : Type.Integer({ description });

/** The limits of an account's tier, from the limit table. */
export const AccountLimits = named(
  'AccountLimits',
  Type.Unsafe<TierLimits>(
    record(Object.fromEntries(Object.entries(TIER_LIMITS).map(([name, { text }]) => [name, limitField(name, text)])), {
      description: 'The limits of the account’s tier.',
    }),
  ),
);
