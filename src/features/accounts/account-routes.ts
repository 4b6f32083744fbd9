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
  /** Where a budget's authority is the operator's, nobody else may change who that is. @throws ApiError `operator_required` */
  mayChangeEmail(tx: Tx, principal: Principal): Promise<void>;
  /** Whoever had the address before must not keep what it opened. */
  emailChanged(tx: Tx, principal: Principal): Promise<void>;
  /** The prefix of the account's active key; null when it has none. */
  activePrefix(accountId: string): Promise<string | null>;
}

const Account = record({
  id: Type.String(),
  key_prefix: Type.String({
    description: 'First characters of the key in use; for a session, of the account’s active key.',
  }),
  name: Type.String({ description: 'Empty without one.' }),
  tier: oneOf(['free', 'paid']),
  recovery_email: nullable(Type.String()),
  email: nullable(Type.String()),
  operator_email: nullable(Type.String()),
  parent_account_id: nullable(Type.String({ description: 'The platform this pod belongs to.' })),
  capabilities: Type.Array(Type.String()),
  created_at: timestamp(),
});

const EmailBody = record({ email: text(254, { description: 'A personal e-mail address.' }) });

const me = ({ database, activePrefix }: AccountRouteDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/account/me',
    operation: 'getAccount',
    tag: 'Accounts',
    summary: 'The account behind this key',
    auth: 'key',
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
    summary: 'Set the address for login links',
    description:
      'From then on `POST /v1/auth/login` with this address mails a link to this account. It replaces the address before.',
    auth: 'key',
    effect: 'write',
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
    summary: 'Name the person who decides for this account',
    description: 'Approvals are mailed to this address, and a login through it opens an operator session.',
    auth: 'platform',
    effect: 'write',
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
