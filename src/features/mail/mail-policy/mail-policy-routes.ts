import { changeOf } from '../../../api/audit-record.ts';
import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { record, text } from '../../../api/fields.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader } from '../../../api/transaction.ts';
import { Type } from '../../../base/schema.ts';
import { type MailPolicyDeps, type MailPolicyRules, policyFor } from './effective-policy.ts';
import {
  AuditedPolicy,
  InboundChange,
  OutboundChange,
  outboundChange,
  Policy,
  policyBody,
} from './mail-policy-schema.ts';
import type { PolicyChange } from './mail-policy-table.ts';

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
      inbound: Type.Optional(InboundChange),
      outbound: Type.Optional(OutboundChange),
    }),
    replies: { 200: Policy },
    errors: ['invalid_address', 'address_forbidden', 'not_found', 'operator_required', 'operator_email_required'],
    handle: async ({ principal, query, body, now, transact }) =>
      transact(async (tx, audit) => {
        const address = query.address === undefined ? null : await ownAddress(deps, tx, principal, query.address);
        const given: PolicyChange = { inbound: body.inbound ?? {}, outbound: outboundChange(body.outbound ?? {}) };
        audit.resourceId = address ?? principal.accountId;
        const before = await policyFor(tx, principal.accountId, address ?? '');
        const policy = policyBody(await rules.change(tx, principal, address, given, now));
        audit.change = changeOf(AuditedPolicy, policyBody(before), policy);
        return reply(200, policy);
      }),
  });

export const mailPolicyRoutes = (rules: MailPolicyRules, deps: MailPolicyDeps): Endpoint[] => [
  getPolicy(deps),
  putPolicy(rules, deps),
];
