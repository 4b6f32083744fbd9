import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { oneOf, record } from '../../../api/fields.ts';
import type { Database } from '../../../api/transaction.ts';
import { Type } from '../../../base/schema.ts';
import { MAILS } from '../../service/settings/operator-settings-table.ts';
import type { PasskeyRules, SettingsView } from './passkey.ts';

const MAILS_TEXT =
  'News of your agents: each at once, together once an hour or a day, or none (`decisions`). Logins, confirmations, security notices and what you must decide in time are mailed at once always.';

const Settings = record({
  address: Type.String(),
  require_passkey: Type.Boolean({ description: 'Whether mailed links and mailed logins can no longer decide.' }),
  mails: oneOf(MAILS, { description: MAILS_TEXT }),
  passkeys: Type.Integer({ description: 'How many are active.' }),
  recovery_codes: Type.Integer({ description: 'How many are left.' }),
});

const bodyOf = ({ address, requirePasskey, mails, passkeys, recoveryCodes }: SettingsView) => ({
  address,
  require_passkey: requirePasskey,
  mails,
  passkeys,
  recovery_codes: recoveryCodes,
});

const getSettings = (rules: PasskeyRules, database: Database) =>
  endpoint({
    method: 'GET',
    path: '/v1/operator/settings',
    operation: 'getOperatorSettings',
    tag: 'Passkeys',
    summary: 'Get your settings as an operator',
    description: 'They belong to your address, whatever account you act for.',
    auth: 'person',
    scope: 'account:read',
    wholeAccount: true,
    effect: 'none',
    replies: { 200: Settings },
    errors: ['operator_required'],
    handle: async ({ principal, now }) => reply(200, bodyOf(await rules.settings(database, principal, now))),
  });

const changeSettings = (rules: PasskeyRules) =>
  endpoint({
    method: 'PATCH',
    path: '/v1/operator/settings',
    operation: 'updateOperatorSettings',
    tag: 'Passkeys',
    summary: 'Change your settings as an operator',
    description:
      '`require_passkey` needs two passkeys, or one and recovery codes. Mailed links then decide nothing for any of your agents. What is absent stays.',
    auth: 'person',
    scope: 'account:manage',
    wholeAccount: true,
    mailedLogin: true,
    effect: 'write',
    leaves: [],
    action: 'operator.settings_changed',
    body: record(
      { require_passkey: Type.Optional(Type.Boolean()), mails: Type.Optional(oneOf(MAILS)) },
      { minProperties: 1 },
    ),
    replies: { 200: Settings },
    errors: ['operator_required', 'passkeys_needed'],
    handle: async ({ principal, body, now, transact }) =>
      transact(async (tx) => {
        const change = { requirePasskey: body.require_passkey, mails: body.mails };
        return reply(200, bodyOf(await rules.changeSettings(tx, principal, change, now)));
      }),
  });

/** What an operator decides for the operator's address. */
export const operatorSettingsRoutes = (rules: PasskeyRules, database: Database): Endpoint[] => [
  getSettings(rules, database),
  changeSettings(rules),
];
