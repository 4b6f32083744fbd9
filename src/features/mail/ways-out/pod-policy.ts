import type { LockdownHook, RecentChange } from '../../../api/account/lockdown-parts.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { requireAddressAuthority } from '../../money/budget.ts';
import { restored, type SettingHistory } from '../../service/settings/setting-history.ts';
import { outboundByPlatform, setPlatformPolicy } from '../mail-policy/effective-policy.ts';
import type { PodPolicy, PodPolicyChange } from './pod-policy-schema.ts';
import type { WayPolicies } from './way-policy.ts';
import { setWays } from './way-policy-schema.ts';
import { listWays, removeWay } from './way-policy-store.ts';

/** Both parts, as they are set: what `secure` puts back as a whole. */
const fieldsOf = ({ ways, outbound }: PodPolicy) => ({ ways: setWays(ways), outbound });

/** What platforms set about what may leave their pods. */
export class PodPolicies {
  readonly #ways: WayPolicies;
  readonly #history: SettingHistory;

  constructor(ways: WayPolicies, history: SettingHistory) {
    this.#ways = ways;
    this.#history = history;
  }

  /** @throws ApiError `operator_required`, `invalid_request` */
  async set(tx: Tx, platform: Principal, podAccountId: string, change: PodPolicyChange, now: number): Promise<void> {
    await requireAddressAuthority(tx, platform);
    const before = fieldsOf(await this.get(tx, podAccountId));
    await this.#store(tx, podAccountId, change, now);
    const given = fieldsOf(await this.get(tx, podAccountId));
    await this.#history.note(tx, platform, { setting: 'pod_policy', target: podAccountId, before, given }, now);
  }

  async get(reader: Reader, podAccountId: string): Promise<PodPolicy> {
    const ways = (await listWays(reader, podAccountId)).filter(({ isPlatform }) => isPlatform);
    return { ways, outbound: await outboundByPlatform(reader, podAccountId) };
  }

  /** Puts back what a thief of the platform's key set for its pods. */
  readonly secure: LockdownHook = async (tx, securing) => {
    const { now } = securing;
    const changes: RecentChange[] = [];
    for (const former of await this.#history.takeBack(tx, securing, 'pod_policy')) {
      const before = fieldsOf(await this.get(tx, former.target));
      const cleared = Object.fromEntries(Object.keys(former.fields).map((part) => [part, null]));
      await this.#store(tx, former.target, cleared, now);
      await this.#store(tx, former.target, former.fields as PodPolicyChange, now);
      changes.push(...restored('pod_policy', before, former, now));
    }
    return { changes };
  };

  async #store(tx: Tx, podAccountId: string, { ways, outbound }: PodPolicyChange, now: number): Promise<void> {
    if (ways === null)
      for (const { way } of (await this.get(tx, podAccountId)).ways) await removeWay(tx, podAccountId, way, true);
    else if (ways)
      await this.#ways.store(tx, { accountId: podAccountId, isPlatform: true }, ways, '/body/policy/ways', now);
    if (outbound !== undefined) await setPlatformPolicy(tx, podAccountId, outbound, now);
  }
}
