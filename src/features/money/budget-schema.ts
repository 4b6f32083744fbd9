import { audited, named, nullable, record, text } from '../../api/fields.ts';
import { amountField, limitField, money, moneyFields } from '../../api/money-fields.ts';
import { iso } from '../../base/clock.ts';
import type { CapPeriod } from '../../base/period.ts';
import { Type } from '../../base/schema.ts';
import { forEachPeriod } from './budget-table.ts';

/** The largest cap, and the largest limit of a single transaction (specification, Limits). */
export const CAP_RANGE = { minimum: 1, maximum: 1_000_000_000 };
/** A million USDC in one charge. Sums stay exact far beyond it. */
export const CHARGE_RANGE = { minimum: 1, maximum: 1_000_000_000_000 };

export const CURRENCY = 'USDC';
export const ATOMIC_UNIT = '0.000001 USDC';

export const currencyFields = {
  currency: Type.String({ description: 'Always `USDC`.' }),
  atomic_unit: Type.String({ description: 'The value of an amount of 1.' }),
};

export const capField = (description: string) => limitField(CAP_RANGE, { description });

const UTC_PERIODS = { daily: 'day', weekly: 'week', monthly: 'month' } as const;

/** Caps of a request: an absent cap stays, null removes it. */
export const capsFields = forEachPeriod((period) =>
  capField(`Atomic USDC, or USDC as in \`"3.00"\`, per UTC ${UTC_PERIODS[period]}; null removes the cap.`),
);

export const chargeAmount = amountField(CHARGE_RANGE, {
  description: 'Atomic USDC (1,000,000 is 1 USDC), or USDC with a point: `"3.00"`.',
});

export const CapState = named(
  'SpendingCap',
  record({
    ...moneyFields({
      limit_usdc: audited(Type.Integer({ description: 'Atomic USDC.' })),
      spent_usdc: Type.Integer(),
      remaining_usdc: Type.Integer({ description: 'Never negative.' }),
    }),
    resets_at: Type.String({ format: 'date-time' }),
  }),
);

export const CapStates = named('SpendingCaps', record(forEachPeriod(() => nullable(CapState))));

/** A cap and what is spent of it. */
export interface CapAt {
  limit: number;
  spent: number;
  remaining: number;
  /** Milliseconds. */
  resetsAt: number;
}

/** @param left what a platform leaves its pod of each period */
export const capsBody = (caps: Record<CapPeriod, CapAt | null>, left?: Readonly<Record<CapPeriod, number>>) =>
  forEachPeriod((period) => {
    const state = caps[period];
    const remaining = Math.min(state?.remaining ?? 0, left?.[period] ?? Number.POSITIVE_INFINITY);
    return (
      state && {
        ...money({ limit_usdc: state.limit, spent_usdc: state.spent, remaining_usdc: remaining }),
        resets_at: iso(state.resetsAt),
      }
    );
  });

/** A JSON object of the caller. */
export const metadataField = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  description: 'Your own JSON object, up to 4 KB, returned unchanged.',
});

export const chargeTexts = {
  category: text(64, { minLength: 1 }),
  description: text(1000),
  reference_id: text(255, { minLength: 1 }),
};
