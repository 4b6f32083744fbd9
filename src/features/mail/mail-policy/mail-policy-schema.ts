import type { Static } from 'typebox';
import { audited, named, nullable, oneOf, record, text } from '../../../api/fields.ts';
import { FIXED_LIMITS } from '../../../api/metering/fixed-limits.ts';
import { Type } from '../../../base/schema.ts';
import {
  HOLDS,
  INBOUND_ANSWERS,
  type MailPolicy,
  OTHERWISE,
  type OutboundPolicy,
  type PolicyChange,
  SECRET_ANSWERS,
} from './mail-policy-table.ts';

const List = named(
  'MailList',
  Type.Array(text(260, { minLength: 1 }), {
    maxItems: FIXED_LIMITS.mail_policy_entries.value,
    description: 'Addresses, domains, and `*.domain` for subdomains. The narrowest entry wins; `block` wins ties.',
  }),
);

const inboundFields = {
  from: oneOf(['open', 'list'], {
    description: 'With `list`, only senders in `allow` whose From address is proven by DMARC. Other mail is rejected.',
  }),
  allow: List,
  block: List,
  unauthenticated: oneOf(INBOUND_ANSWERS, { description: 'For mail whose From address is not proven.' }),
  suspicious: oneOf(['accept', 'quarantine']),
  dangerous: oneOf(INBOUND_ANSWERS),
};

const outboundFields = {
  to: oneOf(['open', 'list', 'known'], {
    description: '`list`: only recipients in `allow`. `known`: also those that an operator remembered.',
  }),
  otherwise: oneOf(OTHERWISE, {
    description:
      'For other recipients under `list` and `known`. `review`: the mail waits for an operator; those remembered pass.',
  }),
  allow: List,
  block: List,
  hold: oneOf(HOLDS, { description: 'Which mail waits until an operator approves it.' }),
  secrets: oneOf(SECRET_ANSWERS, { description: 'For mail with a key of a well-known kind. Our own are refused.' }),
  max_recipients_per_day: nullable(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
};

export const Policy = named('MailPolicy', record({ inbound: record(inboundFields), outbound: record(outboundFields) }));

/** What the audit log keeps of a policy: of lists only how long they are, because they name people. */
const AuditedSide = <T extends object>(fields: T) =>
  record({
    ...Object.fromEntries(Object.keys(fields).map((name) => [name, audited(Type.Unsafe<unknown>({}))])),
    allow: record({ length: audited(Type.Integer()) }),
    block: record({ length: audited(Type.Integer()) }),
  });
export const AuditedPolicy = record({ inbound: AuditedSide(inboundFields), outbound: AuditedSide(outboundFields) });

export const policyBody = ({ inbound, outbound: { maxRecipientsPerDay, ...outbound } }: MailPolicy) => ({
  inbound,
  outbound: { ...outbound, max_recipients_per_day: maxRecipientsPerDay },
});

/** The fields to set of each side. */
export const InboundChange = record(Type.Partial(record(inboundFields)).properties);
export const OutboundChange = named('OutboundChange', record(Type.Partial(record(outboundFields)).properties));

export const outboundChange = (given: Static<typeof OutboundChange>): PolicyChange['outbound'] => {
  const { max_recipients_per_day: maxRecipientsPerDay, ...outbound } = given;
  return {
    ...outbound,
    ...(maxRecipientsPerDay === undefined ? {} : { maxRecipientsPerDay }),
  } as Partial<OutboundPolicy>;
};

export const shownOutbound = ({ maxRecipientsPerDay: max, ...outbound }: PolicyChange['outbound']) => ({
  ...outbound,
  ...(max === undefined ? {} : { max_recipients_per_day: max }),
});
