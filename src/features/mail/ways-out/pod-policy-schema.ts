import type { Static } from 'typebox';
import { named, nullable, record } from '../../../api/fields.ts';
import { Type } from '../../../base/schema.ts';
import { OutboundChange, outboundChange, shownOutbound } from '../mail-policy/mail-policy-schema.ts';
import type { PolicyChange } from '../mail-policy/mail-policy-table.ts';
import { changesIn, GivenWays, setWays } from './way-policy-schema.ts';
import type { WayChanges, WayPolicy } from './way-policy-table.ts';

/** What a platform sets for its pod. Absent parts stay, and null removes. */
export interface PodPolicyChange {
  ways?: WayChanges | null;
  outbound?: PolicyChange['outbound'] | null;
}

/** The policy that a platform set for a pod: the rules of ways, and the outbound side of its mail policy. */
export interface PodPolicy {
  ways: readonly WayPolicy[];
  outbound: PolicyChange['outbound'];
}

/** The policy that a platform sets for its pod. A reply has both parts. */
export const PodPolicySchema = named(
  'PodPolicy',
  record({ ways: Type.Optional(nullable(GivenWays)), outbound: Type.Optional(nullable(OutboundChange)) }),
);

export type PodPolicyGiven = Static<typeof PodPolicySchema>;

export const podPolicyChange = ({ ways, outbound }: PodPolicyGiven): PodPolicyChange => ({
  ...(ways === undefined ? {} : { ways: ways && changesIn(ways) }),
  ...(outbound === undefined ? {} : { outbound: outbound && outboundChange(outbound) }),
});

export const podPolicyBody = ({ ways, outbound }: PodPolicy) => ({
  ways: setWays(ways),
  outbound: shownOutbound(outbound),
});
