import { ApiError } from '../../api/errors.ts';
import { money } from '../../api/money-fields.ts';
import { iso } from '../../base/clock.ts';
import { CAP_PERIODS, type CapPeriod } from '../../base/period.ts';
import { usdc } from '../../base/usdc.ts';
import { capState, capStates } from './budget.ts';
import type { CapAt } from './budget-schema.ts';
import type { Budget, Caps, OnLimit } from './budget-table.ts';
import type { PlatformQuota } from './platform-quota.ts';

/** One set of limits that a charge must fit. An account has its own; a pod has two more from its platform. */
interface Layer {
  setBy: 'account' | 'platform';
  caps: Caps;
  singleTxLimit: number | null;
  onLimit: OnLimit;
  spend: Budget['spend'];
  /** The account that decides about a charge over this layer. */
  holderId: string;
  /** False for the platform's own budget: its pods may not read its figures. */
  isVisible: boolean;
}

interface Exceeded {
  period: CapPeriod;
  setBy: Layer['setBy'];
  state: CapAt;
  isVisible: boolean;
}

/** The limits that a charge exceeds. */
export type Excess =
  | { reason: 'single_tx_limit_exceeded'; limit: number | null }
  | { reason: 'budget_exceeded'; exceeded: Exceeded[] };

type ChargeDecision =
  | { kind: 'admit' }
  | { kind: 'refuse'; excess: Excess }
  | { kind: 'ask'; holderId: string; excess: Excess };

interface Violation {
  layer: Layer;
  isSingle: boolean;
  exceeded: Exceeded[];
}

function exceededIn({ caps, spend, setBy, isVisible }: Layer, amount: number): Exceeded[] {
  return CAP_PERIODS.flatMap((period) => {
    const cap = caps[period];
    if (cap === null || spend[period].spent + amount <= cap) return [];
    return { period, setBy, state: capState(cap, spend[period], period), isVisible };
  });
}

function excessOf(violations: readonly Violation[]): Excess {
  const singles = violations.filter(({ isSingle }) => isSingle).map(({ layer }) => layer);
  if (singles.length === 0)
    return { reason: 'budget_exceeded', exceeded: violations.flatMap(({ exceeded }) => exceeded) };
  const limits = singles.flatMap(({ isVisible, singleTxLimit }) => (isVisible ? (singleTxLimit ?? []) : []));
  return { reason: 'single_tx_limit_exceeded', limit: limits.length > 0 ? Math.min(...limits) : null };
}

/**
 * Decides a charge of `amount`, given the layers that it must fit, lowest first. A layer checks its limit of a single
 * transaction before its caps. One exceeded layer with `on_limit: "reject"` refuses the charge; otherwise the holder of
 * the highest exceeded layer is asked.
 */
export function decide(layers: readonly Layer[], amount: number): ChargeDecision {
  const violations: Violation[] = layers.flatMap((layer) => {
    const isSingle = layer.singleTxLimit !== null && amount > layer.singleTxLimit;
    const exceeded = isSingle ? [] : exceededIn(layer, amount);
    return isSingle || exceeded.length > 0 ? { layer, isSingle, exceeded } : [];
  });
  const highest = violations.at(-1);
  if (highest === undefined) return { kind: 'admit' };
  const rejecting = violations.filter(({ layer }) => layer.onLimit === 'reject');
  if (rejecting.length > 0) return { kind: 'refuse', excess: excessOf(rejecting) };
  return { kind: 'ask', holderId: highest.layer.holderId, excess: excessOf(violations) };
}

/** Returns the layers of a charge, lowest first. `platform` is the budget of a pod's platform. */
export function layersOf(own: Budget, platform: Budget | null): Layer[] {
  const { caps, singleTxLimit, onLimit, spend, accountId, platformCaps } = own;
  const lowest: Layer = {
    setBy: 'account',
    caps,
    singleTxLimit,
    onLimit,
    spend,
    holderId: accountId,
    isVisible: true,
  };
  if (platform === null) return [lowest];
  const above = { setBy: 'platform', onLimit: platform.onLimit, holderId: platform.accountId } as const;
  return [
    lowest,
    { ...above, caps: platformCaps, singleTxLimit: null, spend, isVisible: true },
    {
      ...above,
      caps: platform.caps,
      singleTxLimit: platform.singleTxLimit,
      spend: platform.spend,
      isVisible: false,
    },
  ];
}

/**
 * Returns what is left of each period that the spender's own caps, or those that its platform sets for it, limit. It is
 * never more than the platform has left.
 */
export function remainingOf(
  { caps, platformCaps, spend }: Budget,
  { left: room }: PlatformQuota,
): Partial<Record<CapPeriod, number>> {
  const sets = [capStates(caps, spend), capStates(platformCaps, spend)];
  const left: Partial<Record<CapPeriod, number>> = {};
  for (const period of CAP_PERIODS) {
    const states = sets.flatMap((set) => set[period] ?? []);
    if (states.length > 0) left[period] = Math.min(room[period], ...states.map(({ remaining }) => remaining));
  }
  return left;
}

/** Returns the fields of a refusal, or of a charge that waits for approval, in the names of the API. */
export function excessFields(excess: Excess): Record<string, unknown> {
  if (excess.reason === 'single_tx_limit_exceeded') return money({ single_tx_limit_usdc: excess.limit });
  const exceeded = excess.exceeded.map(({ period, setBy, state, isVisible }) => ({
    period,
    ...money({
      spent_usdc: isVisible ? state.spent : null,
      limit_usdc: isVisible ? state.limit : null,
      remaining_usdc: isVisible ? state.remaining : null,
    }),
    resets_at: iso(state.resetsAt),
    limit_set_by: setBy,
  }));
  return { exceeded };
}

/** Says in a sentence which limit a charge of `amount` exceeds. */
export function excessMessage(excess: Excess, amount: number): string {
  const given = `${usdc(amount)} USDC`;
  if (excess.reason === 'single_tx_limit_exceeded')
    return excess.limit === null
      ? `${given} exceeds the platform’s limit for a single transaction.`
      : `${given} exceeds the limit of ${usdc(excess.limit)} USDC for a single transaction.`;
  const [first] = excess.exceeded as [Exceeded];
  const until = `until ${iso(first.state.resetsAt)}`;
  if (!first.isVisible) return `${given} does not fit the platform’s ${first.period} budget ${until}.`;
  const { limit, remaining } = first.state;
  return `${given} does not fit the ${first.period} cap of ${usdc(limit)} USDC: ${usdc(remaining)} USDC is left ${until}.`;
}

/** The 402 of a charge, with the limits that it exceeds. */
export const refusal = (excess: Excess, amount: number): ApiError =>
  new ApiError(excess.reason, {
    message: excessMessage(excess, amount),
    fields: { ...money({ amount_usdc: amount }), ...excessFields(excess) },
  });
