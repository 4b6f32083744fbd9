import type { Reader } from '../../../api/transaction.ts';
import { DAY_MS } from '../../../base/period.ts';
import { countObservers, readTrustInputs, type TrustInputs } from '../../service/observations/observation.ts';
import { findAccount } from '../accounts/account-lifecycle.ts';

export const TRUST_TIERS = ['untrusted', 'provisional', 'trusted', 'verified'] as const;
export type TrustTier = (typeof TRUST_TIERS)[number];

export interface TrustScore {
  /** 0 to 1000: the sum of the four dimensions. */
  score: number;
  tier: TrustTier;
  /** Each 0 to 250. */
  breakdown: { behavioral: number; consistency: number; reputation: number; transparency: number };
}

export interface TrustProfile extends TrustScore {
  observationCount: number;
  /** `self`: observations by the agent. `peer`: telemetry of other accounts about it, which does not change the score. */
  evidence: { self: number; peer: number };
  /** True once enough other accounts reported on it. What it reports itself never counts here. */
  hasIndependentEvidence: boolean;
}

/** The other accounts whose reports make evidence independent. */
const PEERS_MIN = 5;
const DIMENSION_MAX = 250;
/** The consistency dimension halves after this time. */
const HALF_LIFE_MS = 7 * DAY_MS;

/** The tier of a score: four bands of 250 (spec, Trust score rules). */
export const tierOf = (score: number): TrustTier =>
  TRUST_TIERS[Math.min(3, Math.floor(score / DIMENSION_MAX))] as TrustTier;

/** Computes the score at `now` from counters (spec, Trust score rules). Pure. */
export function scoreOf(
  { observations, shared, topics, latestAt }: Omit<TrustInputs, 'peerReports'>,
  now: number,
): TrustScore {
  const age = Math.max(0, now - latestAt);
  const breakdown = {
    behavioral: Math.min(observations * 25, DIMENSION_MAX),
    consistency: observations === 0 ? 0 : Math.round(DIMENSION_MAX * 2 ** (-age / HALF_LIFE_MS)),
    reputation: Math.min(topics * 50, DIMENSION_MAX),
    transparency: observations === 0 ? 0 : Math.round((DIMENSION_MAX * shared) / observations),
  };
  const score = breakdown.behavioral + breakdown.consistency + breakdown.reputation + breakdown.transparency;
  return { score, tier: tierOf(score), breakdown };
}

/** Computes an agent's profile from its counters. Null if there is no such agent. */
export async function trustProfile(reader: Reader, accountId: string, now: number): Promise<TrustProfile | null> {
  if (!(await findAccount(reader, accountId))) return null;
  const inputs = await readTrustInputs(reader, accountId);
  return {
    ...scoreOf(inputs, now),
    observationCount: inputs.observations,
    evidence: { self: inputs.observations, peer: inputs.peerReports },
    hasIndependentEvidence: (await countObservers(reader, accountId, PEERS_MIN)) >= PEERS_MIN,
  };
}
