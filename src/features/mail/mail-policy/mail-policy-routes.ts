import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { named, nullable, oneOf, record, text } from '../../../api/fields.ts';
import { FIXED_LIMITS } from '../../../api/metering/fixed-limits.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader } from '../../../api/transaction.ts';
import { Type } from '../../../base/schema.ts';
import { type MailPolicyDeps, type MailPolicyRules, policyFor } from './effective-policy.ts';
import {
  HOLDS,
  INBOUND_ANSWERS,
  type MailPolicy,
  OTHERWISE,
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

const Policy = named('MailPolicy', record({ inbound: record(inboundFields), outbound: record(outboundFields) }));

const policyBody = ({ inbound, outbound: { maxRecipientsPerDay, ...outbound } }: MailPolicy) => ({
  inbound,
  outbound: { ...outbound, max_recipients_per_day: maxRecipientsPerDay },
});

const Query = record({
  address: Type.Optional(text(254, { description: 'The policy of one address. Absent: of the account.' })),
});

/** An address of the caller, for the text in a request. @throws ApiError `invalid_address`, `address_forbidden`, `not_found` */
const ownAddress = async ({ addresses }: MailPolicyDeps, reader: Reader, principal: Principal, text: string) =>
  (await addresses.requireOwned(reader, principal, text)).address;

const getPolicy = (deps: MailPolicyDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/email/policy',
    operation: 'getMailPolicy',
    tag: 'Email',
    summary: 'Get the mail policy',
    model: false,
    description: 'What an address does not set itself comes from the account.',
    auth: 'key',
    scope: 'mail:read',
    addresses: 'refused',
    effect: 'none',
    query: Query,
    replies: { 200: Policy },
    errors: ['invalid_address', 'address_forbidden', 'not_found'],
    handle: async ({ principal, query }) => {
      const { database } = deps;
      const address = query.address === undefined ? '' : await ownAddress(deps, database, principal, query.address);
      return reply(200, policyBody(await policyFor(database, principal.accountId, address)));
    },
  });

const putPolicy = (rules: MailPolicyRules, deps: MailPolicyDeps) =>
  endpoint({
    method: 'PUT',
    path: '/v1/email/policy',
    operation: 'setMailPolicy',
    tag: 'Email',
    summary: 'Update the mail policy',
    description:
      'Absent fields stay as they are. Only the authority of the account can change it. `hold`, `secrets: hold` and `otherwise: review` need a confirmed operator. `outbound` of a platform also binds its pods; a pod cannot set `otherwise: review`.',
    auth: 'key',
    scope: 'mail:manage',
    wholeAccount: true,
    effect: 'write',
    leaves: [],
    action: 'mail_policy.changed',
    query: Query,
    body: record({
      inbound: Type.Optional(record(Type.Partial(record(inboundFields)).properties)),
      outbound: Type.Optional(record(Type.Partial(record(outboundFields)).properties)),
    }),
    replies: { 200: Policy },
    errors: ['invalid_address', 'address_forbidden', 'not_found', 'operator_required', 'operator_email_required'],
    handle: async ({ principal, query, body, now, transact }) =>
      transact(async (tx, audit) => {
        const address = query.address === undefined ? null : await ownAddress(deps, tx, principal, query.address);
        const { max_recipients_per_day: maxRecipientsPerDay, ...outbound } = body.outbound ?? {};
        const day = maxRecipientsPerDay === undefined ? {} : { maxRecipientsPerDay };
        const given = { inbound: body.inbound ?? {}, outbound: { ...outbound, ...day } } as PolicyChange;
        audit.resourceId = address ?? principal.accountId;
        return reply(200, policyBody(await rules.change(tx, principal, address, given, now)));
      }),
  });

export const mailPolicyRoutes = (rules: MailPolicyRules, deps: MailPolicyDeps): Endpoint[] => [
  getPolicy(deps),
  putPolicy(rules, deps),
];
