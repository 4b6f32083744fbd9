import { Type } from 'typebox';
import { iso } from '../../kernel/clock.ts';
import { type Endpoint, endpoint, reply } from '../../kernel/endpoint.ts';
import { nullable, oneOf, record, text, timestamp } from '../../kernel/fields.ts';
import { requirePersonalEmail } from '../../kernel/mail-address.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import { changeOperatorEmail, changeRecoveryEmail, requireAccount } from './account-rules.ts';

export interface AccountRouteDeps {
  database: Reader;
  /** Refuses when only the operator may change the account's addresses. @throws ApiError `operator_required` */
  mayChangeEmail(tx: Tx, principal: Principal): Promise<void>;
  /** Ends the logins that the previous address may have opened. */
  emailChanged(tx: Tx, principal: Principal): Promise<void>;
  /** Returns the prefix of the account's active key, or null without one. */
  activePrefix(accountId: string): Promise<string | null>;
}

const Account = record({
  id: Type.String(),
  key_prefix: Type.String({
    description: 'First characters of the key in use; for a session, of the active key.',
  }),
  name: Type.String({ description: 'Empty when not set.' }),
  tier: oneOf(['free', 'paid']),
  recovery_email: nullable(Type.String(), { description: 'Receives login links.' }),
  email: nullable(Type.String(), { description: 'Set at sign-up. Also receives login links.' }),
  operator_email: nullable(Type.String(), { description: 'Receives approval requests.' }),
  parent_account_id: nullable(Type.String(), { description: 'The platform of a pod; null for a platform.' }),
  capabilities: Type.Array(Type.String()),
  created_at: timestamp(),
});

const EmailBody = record({ email: text(254, { description: 'A personal email address.' }) });

const me = ({ database, activePrefix }: AccountRouteDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/account/me',
    operation: 'getAccount',
    tag: 'Accounts',
    summary: 'Get the account',
    auth: 'key',
    scope: 'account:read',
    addresses: 'filtered',
    effect: 'none',
    replies: { 200: Account },
    errors: [],
    handle: async ({ principal }) => {
      const account = await requireAccount(database, principal.accountId);
      return reply(200, {
        id: account.id,
        key_prefix:
          principal.keyHash === null ? ((await activePrefix(account.id)) ?? principal.actor) : principal.actor,
        name: account.name ?? '',
        tier: principal.tier,
        recovery_email: account.recoveryEmail,
        email: account.email,
        operator_email: account.operatorEmail,
        parent_account_id: account.parentId,
        capabilities: account.capabilities,
        created_at: iso(account.createdAt),
      });
    },
  });

const recoveryEmail = ({ mayChangeEmail, emailChanged }: AccountRouteDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/account/recovery-email',
    operation: 'setRecoveryEmail',
    tag: 'Accounts',
    summary: 'Set the recovery email',
    description:
      'Replaces the previous address. `POST /v1/auth/login` sends login links to it. When the address changes, other sessions end.',
    auth: 'key',
    scope: 'account:manage',
    wholeAccount: true,
    effect: 'write',
    bucket: 'revoke',
    action: 'account.recovery_email_set',
    body: EmailBody,
    replies: { 200: record({ ok: Type.Boolean(), recovery_email: Type.String() }) },
    errors: ['operator_required'],
    handle: async ({ principal, body, transact }) => {
      const email = requirePersonalEmail(body.email, '/body/email');
      return transact(async (tx, audit) => {
        await mayChangeEmail(tx, principal);
        if (await changeRecoveryEmail(tx, principal.accountId, email)) await emailChanged(tx, principal);
        audit.resourceId = principal.accountId;
        return reply(200, { ok: true, recovery_email: email });
      });
    },
  });

const operatorEmail = ({ mayChangeEmail, emailChanged }: AccountRouteDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/account/operator-email',
    operation: 'setOperatorEmail',
    tag: 'Accounts',
    summary: 'Set the operator email',
    description:
      'The operator makes decisions for this account: approvals are sent to this address, and logging in with it opens an operator session. When the address changes, other sessions end.',
    auth: 'platform',
    scope: 'account:manage',
    wholeAccount: true,
    effect: 'write',
    bucket: 'revoke',
    action: 'account.operator_email_set',
    body: EmailBody,
    replies: { 200: record({ ok: Type.Boolean(), operator_email: Type.String() }) },
    errors: ['operator_required'],
    handle: async ({ principal, body, transact }) => {
      const email = requirePersonalEmail(body.email, '/body/email');
      return transact(async (tx, audit) => {
        await mayChangeEmail(tx, principal);
        if (await changeOperatorEmail(tx, principal.accountId, email)) await emailChanged(tx, principal);
        audit.resourceId = principal.accountId;
        return reply(200, { ok: true, operator_email: email });
      });
    },
  });

export const accountRoutes = (deps: AccountRouteDeps): Endpoint[] => [
  me(deps),
  recoveryEmail(deps),
  operatorEmail(deps),
];
