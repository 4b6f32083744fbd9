import type { Reader, Tx } from '../../../api/transaction.ts';
import { outboundByPlatform, setPlatformPolicy } from '../mail-policy/effective-policy.ts';
import type { PodPolicy, PodPolicyChange } from './pod-policy-schema.ts';
import type { WayPolicies } from './way-policy.ts';
import { listWays, removeWay } from './way-policy-store.ts';

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
  return { ways, outbound: await outboundByPlatform(reader, accountId) };
}
