import type { RuledWay, WayRule } from '../../../api/way-out.ts';
import { exported, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

/** What may leave an account by a way. A way without a row follows the mail policy. */
export const WAY_POLICIES = table(
  'way_policies',
  {
    accountId: exported.text('account_id'),
    way: exported.enum<RuledWay>()('way'),
    /** Whether the platform of the pod set it. The rule of the pod holds beside it. */
    isPlatform: exported.flag('is_platform'),
    rule: exported.enum<WayRule>()('rule'),
    /** Targets: hosts, client ids, audiences or accounts. */
    allow: exported.json<string[]>()('allow'),
    updatedAt: exported.integer('updated_at'),
  },
  { key: ['accountId', 'way', 'isPlatform'], account: ['accountId'], erase: 'delete' },
);
export type WayPolicy = RecordOf<typeof WAY_POLICIES>;

/** Who set what holds. `default`: it follows from the mail policy. */
export type PolicySource = 'default' | 'own' | 'platform';

/** What a caller sets for a way: a rule, with or without the list of targets. Null: nothing, so that the default holds. */
export type WayChange = { rule: WayRule; allow?: string[] | undefined } | null;
export type WayChanges = Partial<Record<RuledWay, WayChange>>;

/** What holds for a way. */
export interface WayView {
  rule: WayRule | 'known';
  /** Empty where the list of the platform holds: it is not the pod's. */
  allow: readonly string[];
  from: PolicySource;
  /** How many targets the list that holds has. */
  targets: number;
}
