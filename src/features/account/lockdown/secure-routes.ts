import { LOOK_BACK_DAYS } from '../../../api/account/lockdown-parts.ts';
import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { guidance, named, nullable, record, secret, timestamp } from '../../../api/fields.ts';
import { iso, isoOrNull } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import type { SecureRules } from './account-lockdown.ts';

const count = (description?: string) => Type.Integer(description === undefined ? {} : { description });

const SecuredReply = named(
  'SecuredAccount',
  record({
    api_key: secret(Type.String()),
    key_prefix: Type.String(),
    ended: record({
      keys: count('Named keys, and a backup key that was young.'),
      sessions: count(),
      links: count(),
      tokens: count(),
      grants: count(),
      delegations: count(),
      streams: count('Streams that were open on this instance.'),
    }),
    webhooks: Type.Array(
      record({
        id: Type.String(),
        url: Type.String(),
        paused: Type.Boolean(),
        secret: nullable(secret(Type.String()), { description: 'The new secret. Null if it had none.' }),
      }),
    ),
    recent_changes: Type.Array(
      record({
        at: timestamp(),
        what: Type.String(),
        detail: Type.String(),
        count: count('Equal changes are one row. `at` is the time of the latest.'),
      }),
      { description: `What changed in ${LOOK_BACK_DAYS} days, newest first.` },
    ),
    backup: nullable(record({ created_at: timestamp(), ends_at: nullable(timestamp()) }), {
      description: 'The backup key that stays.',
    }),
    warning: guidance(Type.String()),
  }),
);

const secureAccount = (rules: SecureRules) =>
  endpoint({
    method: 'POST',
    path: '/v1/account/secure',
    operation: 'secureAccount',
    tag: 'Accounts',
    summary: 'Take the account back after its key was stolen',
    description:
      'Issues a new key. Ends other keys, sessions, links, tokens and streams, and what was set up in the last 7 days. Settings that a key changed in that time get their former values. A backup key or a session of a confirmed address may call it too.',
    auth: 'backup',
    scope: 'account:manage',
    wholeAccount: true,
    whileSuspended: true,
    effect: 'write',
    dryRun: false,
    leaves: [],
    bucket: 'secure',
    action: 'account.secured',
    body: record({
      revert: Type.Optional(
        Type.Boolean({
          default: true,
          description: 'False keeps addresses, operators, keys and settings of the last 7 days.',
        }),
      ),
    }),
    replies: { 200: SecuredReply },
    errors: ['confirmed_address_required'],
    handle: async ({ principal, body, now, transact }) =>
      transact(async (tx, audit) => {
        const done = await rules.secure(tx, principal, body.revert ?? true, now);
        audit.resourceId = done.minted.prefix;
        return reply(200, {
          api_key: done.minted.key,
          key_prefix: done.minted.prefix,
          ended: done.ended,
          webhooks: done.webhooks,
          recent_changes: done.changes.map(({ at, ...change }) => ({ at: iso(at), ...change })),
          backup: done.backup && {
            created_at: iso(done.backup.createdAt),
            ends_at: isoOrNull(done.backup.endsAt),
          },
          warning: 'Store this key now: it cannot be shown again. Look through recent_changes for what was not you.',
        });
      }),
  });

export const secureRoutes = (rules: SecureRules): Endpoint[] => [secureAccount(rules)];
