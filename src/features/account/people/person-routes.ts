import { AUTHORITIES } from '../../../api/authority.ts';
import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { guidance, nullable, oneOf, record, text, timestamp } from '../../../api/fields.ts';
import { WAY_REFUSALS } from '../../../api/way-out.ts';
import { iso } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import { requirePersonalEmail } from '../../../mail/address/mail-address.ts';
import type { PeopleRules } from './people-changes.ts';
import { daysRemovable } from './person.ts';

const email = nullable(text(254), { description: 'A personal email address. Null clears it.' });
const confirmed = Type.Boolean({ description: 'False until the owner of the address confirms it.' });

const readEmail = (given: string | null): string | null =>
  given === null ? null : requirePersonalEmail(given, '/body/email');

const setRecovery = (people: PeopleRules) =>
  endpoint({
    method: 'POST',
    path: '/v1/account/recovery-email',
    operation: 'setRecoveryEmail',
    tag: 'Accounts',
    summary: 'Set or clear the recovery email',
    description:
      'The address gets one email that asks its owner to confirm it. It can log in at once. An old, confirmed address keeps working beside the new one for 7 days.',
    auth: 'key',
    scope: 'account:manage',
    wholeAccount: true,
    whileSuspended: true,
    effect: 'write',
    leaves: ['invite'],
    bucket: 'revoke',
    action: 'account.recovery_email_set',
    body: record({ email }),
    replies: { 200: record({ ok: Type.Boolean(), recovery_email: nullable(Type.String()), confirmed }) },
    errors: [...WAY_REFUSALS, 'address_refused', 'removal_disputed'],
    handle: async ({ principal, body, now, transact }) => {
      const address = readEmail(body.email);
      return transact(async (tx, audit) => {
        audit.resourceId = principal.accountId;
        const isConfirmed = await people.setRecovery(tx, principal, address, now);
        return reply(200, { ok: true, recovery_email: address, confirmed: isConfirmed });
      });
    },
  });

const setOperator = (people: PeopleRules) =>
  endpoint({
    method: 'POST',
    path: '/v1/account/operator-email',
    operation: 'setOperatorEmail',
    tag: 'Accounts',
    summary: 'Name an operator, or clear all',
    description:
      'An operator decides for this account: approvals and requests for credentials are mailed to each. An account has up to three. The address gets one email, and nothing else until its owner confirms there.',
    auth: 'platform',
    scope: 'account:manage',
    wholeAccount: true,
    whileSuspended: true,
    effect: 'write',
    leaves: [],
    bucket: 'revoke',
    action: 'account.operator_email_set',
    body: record({
      email,
      authority: Type.Optional(
        oneOf(AUTHORITIES, {
          description:
            'The proposed answer to “Must you approve spending and changes?”. The owner of the address decides.',
        }),
      ),
    }),
    replies: {
      200: record({
        ok: Type.Boolean(),
        operator_email: nullable(Type.String()),
        confirmed,
        warning: Type.Optional(guidance(Type.String())),
      }),
    },
    errors: ['operator_required', 'address_refused', 'removal_disputed'],
    handle: async ({ principal, body, now, transact }) => {
      const named = { address: readEmail(body.email), authority: body.authority ?? null };
      return transact(async (tx, audit) => {
        audit.resourceId = principal.accountId;
        const person = await people.setOperator(tx, principal, named, now);
        const days = person === null ? 0 : daysRemovable(person, now);
        const isConfirmed = person !== null && person.confirmedAt !== null;
        const warning = `For ${days} days from the confirmation, the account’s key can remove this operator at once. After that it needs ${days} days’ notice.`;
        const body = { ok: true, operator_email: named.address, confirmed: isConfirmed };
        return reply(200, days === 0 ? body : { ...body, warning });
      });
    },
  });

const removeOperator = (people: PeopleRules) =>
  endpoint({
    method: 'DELETE',
    path: '/v1/account/operators/{address}',
    operation: 'removeOperator',
    tag: 'Accounts',
    summary: 'Remove an operator',
    description:
      'At once: one confirmed for less than 7 days, the caller’s own address, and by a session of an address confirmed earlier. Otherwise after 7 days’ notice, which the operator can undo.',
    auth: 'platform',
    scope: 'account:manage',
    wholeAccount: true,
    whileSuspended: true,
    effect: 'write',
    leaves: [],
    bucket: 'revoke',
    action: 'account.operator_removed',
    params: record({ address: text(254) }),
    replies: {
      200: record({
        status: oneOf(['ended', 'scheduled']),
        ends_at: timestamp({ description: 'When it ends or ended.' }),
      }),
    },
    errors: ['not_found', 'operator_required', 'removal_disputed', 'older_factor_required'],
    handle: async ({ principal, params, now, transact }) =>
      transact(async (tx, audit) => {
        audit.resourceId = principal.accountId;
        const { status, endsAt } = await people.removeOperator(tx, principal, params.address.trim().toLowerCase(), now);
        return reply(200, { status, ends_at: iso(endsAt) });
      }),
  });

export const personRoutes = (people: PeopleRules): Endpoint[] => [
  setRecovery(people),
  setOperator(people),
  removeOperator(people),
];
