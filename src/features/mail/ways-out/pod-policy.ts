import type { Reader, Tx } from '../../../api/transaction.ts';
import { setPlatformPolicy } from '../mail-policy/effective-policy.ts';
import { platformPolicyOf } from '../mail-policy/mail-policy-store.ts';
import type { PolicyChange } from '../mail-policy/mail-policy-table.ts';
import type { WayChanges, WayPolicies } from './way-policy.ts';
import { listWays, removeWay } from './way-policy-store.ts';
import type { WayPolicy } from './way-policy-table.ts';

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

/** Sets the policy of a pod. The caller is its platform, and may. @throws ApiError `invalid_request` */
export async function setPodPolicy(
  tx: Tx,
  policies: WayPolicies,
  accountId: string,
  { ways, outbound }: PodPolicyChange,
  now: number,
): Promise<void> {
  if (ways === null)
    for (const { way } of (await getPodPolicy(tx, accountId)).ways) await removeWay(tx, accountId, way, true);
  else if (ways) await policies.store(tx, { accountId, isPlatform: true }, ways, '/body/policy/ways', now);
  if (outbound !== undefined) await setPlatformPolicy(tx, accountId, outbound, now);
}

export async function getPodPolicy(reader: Reader, accountId: string): Promise<PodPolicy> {
  const ways = (await listWays(reader, accountId)).filter(({ isPlatform }) => isPlatform);
  return { ways, outbound: (await platformPolicyOf(reader, accountId))?.outbound ?? {} };
}
