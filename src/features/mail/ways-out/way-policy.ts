import type { LockdownHook, RecentChange } from '../../../api/account/lockdown-parts.ts';
import { invalidField } from '../../../api/errors.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { RULED_WAYS, type RuledWay, WAYS, type WayOut } from '../../../api/way-out.ts';
import { requireAddressAuthority } from '../../money/budget.ts';
import { restored, type SettingHistory } from '../../service/settings/setting-history.ts';
import { type Layer, sendingPolicyFor } from '../mail-policy/effective-policy.ts';
import { WHOLE_ACCOUNT } from '../mail-policy/mail-policy-table.ts';
import { narrowestOf } from './gate.ts';
import { listWays, removeWay, saveWay } from './way-policy-store.ts';
import type { WayChanges, WayPolicy, WayView } from './way-policy-table.ts';

type Side = Pick<Principal, 'accountId' | 'parentId'>;

/** What the targets of a way are. A way that is not here has none. */
const TARGETS: Partial<Record<RuledWay, 'host' | 'text'>> = {
  webhook: 'host',
  fetch: 'host',
  grant: 'text',
  token: 'text',
  delegate: 'text',
};

/** A host as URLs have it: in lower case, and in its ASCII form. Null for other text. */
function hostOf(text: string): string | null {
  const url = URL.parse(`http://${text.trim()}/`);
  return url !== null && url.port === '' && url.pathname === '/' && url.href === `http://${url.hostname}/`
    ? url.hostname
    : null;
}

function targetsOf(way: RuledWay, texts: readonly string[], path: string): string[] {
  const kind = TARGETS[way];
  if (kind === undefined && texts.length > 0)
    throw invalidField(path, 'not_allowed', `\`${way}\` has no targets, so it has no list.`);
  const targets = texts.map((text, i) => {
    const target = kind === 'host' ? hostOf(text) : text;
    if (target === null)
      throw invalidField(`${path}/${i}`, 'invalid_format', `${JSON.stringify(text)} is no host without a port.`);
    return target;
  });
  return [...new Set(targets)];
}

/** The fields of a setting, for the history: the way with its rule, and its list. */
const fieldsOf = (rows: readonly WayPolicy[]): Record<string, unknown> =>
  Object.fromEntries(
    rows.filter(({ isPlatform }) => !isPlatform).map(({ way, rule, allow }) => [way, { rule, allow }] as const),
  );

/** Sets and shows what may leave an account. */
export class WayPolicies {
  readonly #history: SettingHistory;

  constructor(history: SettingHistory) {
    this.#history = history;
  }

  /**
   * Sets rules of the caller's account. Ways that are not named stay.
   * @throws ApiError `operator_required`, `invalid_request`
   */
  async change(tx: Tx, principal: Principal, changes: WayChanges, now: number): Promise<void> {
    const { accountId } = principal;
    await requireAddressAuthority(tx, principal);
    const before = fieldsOf(await listWays(tx, accountId));
    await this.store(tx, { accountId, isPlatform: false }, changes, '/body/ways', now);
    const after = fieldsOf(await listWays(tx, accountId));
    const given = Object.fromEntries(Object.keys(changes).map((way) => [way, after[way]]));
    await this.#history.note(tx, principal, { setting: 'way_policy', target: '', before, given }, now);
  }

  /** Stores rules, without asking who may. @throws ApiError `invalid_request` */
  async store(
    tx: Tx,
    side: Pick<WayPolicy, 'accountId' | 'isPlatform'>,
    changes: WayChanges,
    path: string,
    now: number,
  ): Promise<void> {
    const known = (await listWays(tx, side.accountId)).filter(({ isPlatform }) => isPlatform === side.isPlatform);
    for (const way of RULED_WAYS) {
      const change = changes[way];
      if (change === undefined) continue;
      if (change === null) {
        await removeWay(tx, side.accountId, way, side.isPlatform);
        continue;
      }
      const allow =
        change.allow === undefined
          ? (known.find((row) => row.way === way)?.allow ?? [])
          : targetsOf(way, change.allow, `${path}/${way}/allow`);
      await saveWay(tx, { ...side, way, rule: change.rule, allow, updatedAt: now });
    }
  }

  /** What holds for each way of an account. */
  async view(reader: Reader, { accountId, parentId }: Side): Promise<Record<WayOut, WayView>> {
    const views: [WayOut, WayView][] = [];
    const layerOf = await narrowestOf(reader, { accountId, parentId });
    for (const way of WAYS) {
      if (way === 'mail') views.push([way, await mailView(reader, { accountId, parentId })]);
      else if (way === 'pay') views.push([way, { rule: 'open', allow: [], from: 'default', targets: 0 }]);
      else {
        const layer = layerOf(way);
        const { rule, setBy: from } = layer;
        const allow = layer.accountId === accountId ? layer.allow : [];
        views.push([way, { rule, from, allow, targets: layer.allow.length }]);
      }
    }
    return Object.fromEntries(views) as Record<WayOut, WayView>;
  }

  /** Puts back what a thief set. */
  readonly secure: LockdownHook = async (tx, securing) => {
    const { accountId, now } = securing;
    const changes: RecentChange[] = [];
    for (const former of await this.#history.takeBack(tx, securing, 'way_policy')) {
      const before = fieldsOf(await listWays(tx, accountId));
      const back = Object.entries(former.fields).map(([way, value]) => [way, value ?? null]);
      await this.store(tx, { accountId, isPlatform: false }, Object.fromEntries(back) as WayChanges, '', now);
      changes.push(...restored('way_policy', before, former, now));
    }
    return { changes };
  };
}

/** What holds for mail: set with the mail policy, shown beside the other ways. */
async function mailView(reader: Reader, { accountId, parentId }: Side): Promise<WayView> {
  const { own, others } = await sendingPolicyFor(reader, {
    accountId,
    address: WHOLE_ACCOUNT,
    platformId: parentId ?? accountId,
  });
  const width = ({ outbound: { to } }: Layer): number => ['list', 'known', 'open'].indexOf(to);
  const narrow = others.reduce((least, layer) => (width(layer) < width(least) ? layer : least), own);
  const { to: rule, allow } = narrow.outbound;
  return narrow === own
    ? { rule, allow, from: rule === 'open' ? 'default' : 'own', targets: allow.length }
    : { rule, allow: [], from: 'platform', targets: allow.length };
}
