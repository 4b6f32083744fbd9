import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Static } from 'typebox';
import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import {
  cursorParam,
  limitParam,
  nextCursor,
  nullable,
  oneOf,
  record,
  secret,
  text,
  timestamp,
} from '../../../api/fields.ts';
import { newestFirst } from '../../../api/page.ts';
import type { Database } from '../../../api/transaction.ts';
import { iso, isoOrNull } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import { isActive, type PasskeyRules } from './passkey.ts';
import type { Passkey } from './passkey-table.ts';
import { RegistrationBody, RegistrationOptions } from './webauthn-schema.ts';

const TAG = 'Passkeys';

const PasskeyView = record({
  id: Type.String(),
  name: Type.String(),
  status: oneOf(['active', 'pending']),
  created_at: timestamp(),
  active_at: timestamp({ description: 'From then on it logs in.' }),
  last_used_at: nullable(timestamp()),
});

const viewOf = (passkey: Passkey, now: number): Static<typeof PasskeyView> => ({
  id: passkey.id,
  name: passkey.name,
  status: isActive(passkey, now) ? 'active' : 'pending',
  created_at: iso(passkey.createdAt),
  active_at: iso(passkey.activeAt),
  last_used_at: isoOrNull(passkey.lastUsedAt),
});

/** What a person does for the person's own address, also with a mailed login. The rules refuse what takes a passkey. */
const ofPerson = { auth: 'person', scope: 'account:manage', wholeAccount: true, mailedLogin: true } as const;

const options = (rules: PasskeyRules) =>
  endpoint({
    method: 'POST',
    path: '/v1/passkeys/options',
    operation: 'createPasskeyOptions',
    tag: TAG,
    summary: 'Get options to create a passkey',
    description: 'For `navigator.credentials.create`. Needs an operator session, and lives for 5 minutes.',
    ...ofPerson,
    effect: 'write',
    dryRun: false,
    leaves: [],
    action: 'passkey.options_made',
    replies: { 200: RegistrationOptions },
    errors: ['operator_required', 'passkeys_unavailable', 'limit_reached'],
    handle: async ({ principal, now, transact }) => {
      const made = (await rules.options(principal)) as Static<typeof RegistrationOptions>;
      return transact(async (tx) => {
        await rules.keepOptions(tx, principal, made.challenge, now);
        return reply(200, made);
      });
    },
  });

const add = (rules: PasskeyRules) =>
  endpoint({
    method: 'POST',
    path: '/v1/passkeys',
    operation: 'addPasskey',
    tag: TAG,
    summary: 'Add a passkey',
    description:
      'Takes the browser’s answer to the options. With a mailed login, a further passkey becomes active after 72 hours.',
    ...ofPerson,
    effect: 'write',
    dryRun: false,
    leaves: [],
    action: 'passkey.added',
    bodyLimitBytes: 131_072,
    body: RegistrationBody,
    replies: { 201: PasskeyView, 202: PasskeyView },
    errors: ['operator_required', 'passkeys_unavailable', 'invalid_passkey', 'limit_reached'],
    handle: async ({ principal, body, now, transact }) => {
      const { name = 'Passkey', ...response } = body;
      const proven = await rules.prove(principal, response as RegistrationResponseJSON, now);
      return transact(async (tx, audit) => {
        const passkey = await rules.add(tx, principal, { ...proven, name }, now);
        audit.resourceId = passkey.id;
        return reply(isActive(passkey, now) ? 201 : 202, viewOf(passkey, now));
      });
    },
  });

const list = (rules: PasskeyRules, database: Database) =>
  endpoint({
    method: 'GET',
    path: '/v1/passkeys',
    operation: 'listPasskeys',
    tag: TAG,
    summary: 'List your passkeys',
    description: 'Also those that wait.',
    auth: 'person',
    scope: 'account:read',
    wholeAccount: true,
    effect: 'none',
    bucket: 'inspect',
    query: record({ limit: limitParam(50, 200), cursor: cursorParam() }),
    replies: { 200: record({ passkeys: Type.Array(PasskeyView), next_cursor: nextCursor() }) },
    errors: ['operator_required', 'invalid_cursor'],
    handle: async ({ principal, query, now }) => {
      const all = await rules.list(database, principal);
      const { rows, nextCursor: next } = await newestFirst(
        'psk',
        { cursor: query.cursor, limit: query.limit as number },
        async (before, many) => all.filter(({ id }) => id < before).slice(0, many),
        ({ id }) => id,
      );
      return reply(200, { passkeys: rows.map((passkey) => viewOf(passkey, now)), next_cursor: next });
    },
  });

const remove = (rules: PasskeyRules) =>
  endpoint({
    method: 'DELETE',
    path: '/v1/passkeys/{id}',
    operation: 'removePasskey',
    tag: TAG,
    summary: 'Remove a passkey',
    description: 'An active one takes a session that a passkey or a recovery code opened.',
    ...ofPerson,
    effect: 'write',
    dryRun: false,
    leaves: [],
    bucket: 'revoke',
    action: 'passkey.removed',
    params: record({ id: text(64) }),
    replies: { 200: record({ ok: Type.Boolean() }) },
    errors: ['operator_required', 'not_found', 'passkeys_needed'],
    handle: async ({ principal, params, now, transact }) =>
      transact(async (tx, audit) => {
        audit.resourceId = params.id;
        await rules.remove(tx, principal, params.id, now);
        return reply(200, { ok: true });
      }),
  });

const renewCodes = (rules: PasskeyRules) =>
  endpoint({
    method: 'POST',
    path: '/v1/passkeys/recovery-codes',
    operation: 'createRecoveryCodes',
    tag: TAG,
    summary: 'Create recovery codes',
    description: 'Ten codes that log in once each. They replace the former ones. Print them.',
    ...ofPerson,
    effect: 'write',
    dryRun: false,
    leaves: [],
    bucket: 'revoke',
    action: 'passkey.codes_made',
    replies: { 200: record({ codes: secret(Type.Array(Type.String())) }) },
    errors: ['operator_required'],
    handle: async ({ principal, now, transact }) =>
      transact(async (tx) => reply(200, { codes: await rules.renewCodes(tx, principal, now) })),
  });

export const passkeyRoutes = (rules: PasskeyRules, database: Database): Endpoint[] => [
  options(rules),
  add(rules),
  list(rules, database),
  remove(rules),
  renewCodes(rules),
];
