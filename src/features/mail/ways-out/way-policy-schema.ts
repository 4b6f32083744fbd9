import type { Static } from 'typebox';
import { audited, named, nullable, oneOf, record, text } from '../../../api/fields.ts';
import { FIXED_LIMITS } from '../../../api/metering/fixed-limits.ts';
import { RULED_WAYS, WAY_RULES, WAYS, type WayOut } from '../../../api/way-out.ts';
import { Type } from '../../../base/schema.ts';
import type { WayChange, WayChanges, WayPolicy, WayView } from './way-policy-table.ts';

const Rule = oneOf(WAY_RULES);
const Targets = Type.Array(text(200, { minLength: 1 }), { maxItems: FIXED_LIMITS.mail_policy_entries.value });

type GivenRule = NonNullable<WayChange>['rule'] | WayChange;

/** Chooses the shape by the type of the value, so that errors point at the faulty field. */
const Given = named(
  'WayRule',
  Type.Unsafe<GivenRule>({
    description:
      'A rule, or `{rule, allow}`. `list`: only targets in `allow`. `operator`: those, and what an operator does in a session. Null: the default. Targets are hosts without a port (webhook, fetch), client ids (grant), audiences (token) or account ids (delegate).',
    if: { type: 'object' },
    // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword (draft 2020-12, 10.2.2)
    then: record({ rule: Rule, allow: Type.Optional(Targets) }),
    else: nullable(Rule),
  }),
);

/** Rules to set, by way. */
export const GivenWays = named(
  'WayRules',
  record(Object.fromEntries(RULED_WAYS.map((way) => [way, Type.Optional(Given)]))),
);

export const changesIn = (given: object): WayChanges =>
  Object.fromEntries(
    Object.entries(given as Record<string, GivenRule>).map(([way, rule]) => [
      way,
      typeof rule === 'string' ? { rule } : rule,
    ]),
  );

const Shown = named(
  'WayPolicy',
  record({
    rule: audited(oneOf([...WAY_RULES, 'known'])),
    allow: Type.Array(Type.String()),
    from: oneOf(['default', 'own', 'platform']),
  }),
);

/** Rules as they are set, by way. */
export const setWays = (rows: readonly WayPolicy[]) =>
  Object.fromEntries(rows.map(({ way, rule, allow }) => [way, { rule, allow }]));

export const ShownWays = record(Object.fromEntries(WAYS.map((way) => [way, Shown])) as Record<WayOut, typeof Shown>);

export const shownWays = (ways: Record<WayOut, WayView>, withLists: boolean) =>
  Object.fromEntries(
    Object.entries(ways).map(([way, { rule, allow, from }]) => [
      way,
      { rule, allow: withLists ? [...allow] : [], from },
    ]),
  ) as Record<WayOut, Static<typeof Shown>>;

/** What the audit log keeps of the ways: of lists only how long they are. */
export const AuditedWays = record(
  Object.fromEntries(
    WAYS.map((way) => [
      way,
      record({ rule: Shown.properties.rule, allow: record({ length: audited(Type.Integer()) }) }),
    ]),
  ),
);
