import type { LockdownHook } from '../../../api/account/lockdown-parts.ts';
import { restored, type SettingHistory } from '../../service/settings/setting-history.ts';
import { ownPolicies, savePolicy } from './mail-policy-store.ts';
import type { PolicyChange } from './mail-policy-table.ts';

const SIDES = ['inbound', 'outbound'] as const;

/** The fields that a policy sets, as `outbound.to`. */
export const fieldsOf = (policy: PolicyChange | undefined): Record<string, unknown> =>
  Object.fromEntries(
    SIDES.flatMap((side) => Object.entries(policy?.[side] ?? {}).map(([field, value]) => [`${side}.${field}`, value])),
  );

/** The policy that sets these fields. Undefined: it does not set the field. */
function policyOf(fields: Record<string, unknown>): PolicyChange {
  const part = (side: string): object =>
    Object.fromEntries(
      Object.entries(fields)
        .filter(([field, value]) => field.startsWith(`${side}.`) && value !== undefined)
        .map(([field, value]) => [field.slice(side.length + 1), value]),
    );
  return { inbound: part('inbound'), outbound: part('outbound') };
}

/** Puts back what a thief changed in the policies of an account and its addresses. */
export const securePolicies =
  (history: SettingHistory): LockdownHook =>
  async (tx, securing) => {
    const { accountId, now } = securing;
    const changes = [];
    for (const former of await history.takeBack(tx, securing, 'mail_policy')) {
      const { target: address } = former;
      const stored = (await ownPolicies(tx, accountId, address)).find((policy) => policy.address === address);
      const before = fieldsOf(stored);
      await savePolicy(tx, { accountId, address, ...policyOf({ ...before, ...former.fields }), updatedAt: now });
      changes.push(...restored('mail_policy', before, former, now));
    }
    return { changes };
  };
