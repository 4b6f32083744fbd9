import type { TSchema } from 'typebox';
import { audited, line, named, nullable, oneOf, record, text, timestamp } from '../../../api/fields.ts';
import { limitField } from '../../../api/money-fields.ts';
import { Type } from '../../../base/schema.ts';

const RATE_MAX = 1_000_000_000;
/** The largest cap (specification, Spending caps). */
export const CAP_RANGE = { minimum: 1, maximum: 1_000_000_000 };
const SCOPES_MAX = 100;

export const PodId = record({ pod_id: text(64) });

const amount = (maximum: number) => Type.Optional(nullable(Type.Integer({ minimum: 1, maximum })));
const RateLimitsBody = named(
  'PodRateLimitsInput',
  record(
    { requests_per_minute: amount(RATE_MAX), requests_per_hour: amount(RATE_MAX), requests_per_day: amount(RATE_MAX) },
    { description: '`minute <= hour <= day` must hold for the limits that are set; null removes a limit.' },
  ),
);
const CapsBody = named(
  'PodCapsInput',
  record(
    { daily: limitField(CAP_RANGE), weekly: limitField(CAP_RANGE), monthly: limitField(CAP_RANGE) },
    {
      description:
        'Atomic USDC, or USDC as in `"3.00"`, per UTC period. `daily <= weekly <= monthly` must hold for the caps that are set; null removes a cap.',
    },
  ),
);
const Scopes = Type.Array(Type.String({ pattern: '^[a-z][a-z0-9._:-]{0,127}$' }), {
  maxItems: SCOPES_MAX,
  uniqueItems: true,
  description: 'The scopes that its tokens may have; null for those of the platform.',
});

const settings = {
  name: Type.Optional(nullable(line(100, { description: 'A label; null or empty removes it.' }))),
  rate_limits: Type.Optional(nullable(RateLimitsBody)),
  spending_caps: Type.Optional(nullable(CapsBody)),
  allowed_scopes: Type.Optional(nullable(Scopes)),
};
export const CreateBody = record(settings);
export const changeBody = <P extends TSchema>(policy: P) =>
  record({
    ...settings,
    policy: Type.Optional(
      nullable(policy, { description: 'What may leave the pod, beside its own policies. Null removes it.' }),
    ),
    status: Type.Optional(oneOf(['active', 'suspended'], { description: '`active` reactivates a suspended pod.' })),
    recovery_email: Type.Optional(
      nullable(text(254), { description: 'Replaces the recovery addresses of the pod at once; null clears them.' }),
    ),
  });

const whole = Type.Optional(audited(Type.Integer()));
const words = Type.Optional(Type.String());
export const podFields = {
  pod_id: Type.String(),
  account_id: Type.String({ description: 'The pod’s own account.' }),
  name: audited(nullable(Type.String())),
  status: audited(oneOf(['active', 'suspended'])),
  created_at: timestamp(),
  updated_at: timestamp(),
  parent_account_id: Type.String(),
  rate_limits: nullable(
    named('PodRateLimits', record({ requests_per_minute: whole, requests_per_hour: whole, requests_per_day: whole })),
  ),
  spending_caps: nullable(named('PodCaps', record({ daily: whole, weekly: whole, monthly: whole }))),
  spending_caps_display: nullable(named('PodCapsDisplay', record({ daily: words, weekly: words, monthly: words }))),
  allowed_scopes: audited(nullable(Type.Array(Type.String()))),
};
export const PodReply = named('Pod', record(podFields));
