import type { Static } from 'typebox';
import type { RecentlyAdded } from '../../../api/account/lockdown-parts.ts';
import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { guidance, line, named, oneOf, record, secret, text, timestamp } from '../../../api/fields.ts';
import type { Limits, Tier } from '../../../api/limits.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader } from '../../../api/transaction.ts';
import type { ClientNetworks } from '../../../base/client-network.ts';
import { iso } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import { requirePersonalEmail } from '../../../mail/address/mail-address.ts';
import { type KeyDeps, type KeyRules, listStandingKeys, type SignUp } from './key.ts';

const TAG = 'Accounts';
const SAVE_IT = 'Store this key now: only a hash of it is kept, and it cannot be shown again.';

const CreateBody = named(
  'SignUp',
  record({
    name: Type.Optional(line(100, { description: 'A label for the account.' })),
    email: Type.Optional(text(254, { description: 'Receives login links. Optional.' })),
    backup: Type.Optional(
      Type.Boolean({ default: false, description: 'Also create a backup key, in case the primary is lost.' }),
    ),
    invite: Type.Optional(text(64, { description: 'Needed where sign-up is by invite.' })),
  }),
);

const KeyLimits = record({
  stacks: Type.Integer(),
  addresses: Type.Integer(),
  dns_records: Type.Integer(),
  emails_per_day: Type.Integer(),
  requests_per_day: Type.Integer(),
});

const CreatedKey = record({
  api_key: secret(Type.String()),
  backup_key: Type.Optional(secret(Type.String())),
  key_prefix: Type.String(),
  account_id: Type.String(),
  tier: oneOf(['free', 'paid']),
  created_at: timestamp(),
  warning: guidance(Type.String()),
  limits: KeyLimits,
});

function keyLimits(limits: Limits, tier: Tier) {
  const { stacks, addresses, dns_records, emails_per_day, requests_per_day } = limits[tier];
  return { stacks, addresses, dns_records, emails_per_day, requests_per_day };
}

const kindOf = (principal: Principal): 'platform' | 'pod' => (principal.parentId === null ? 'platform' : 'pod');

/** Reads the body of both sign-up routes. @throws ApiError `invalid_request` for an invalid email address */
const readSignUp = ({ name, email, backup, invite }: Static<typeof CreateBody>, networks: ClientNetworks): SignUp => ({
  name: name ?? null,
  email: email === undefined ? null : requirePersonalEmail(email, '/body/email'),
  backup: backup ?? false,
  invite,
  networks,
});

const createKey = (rules: KeyRules, { limits, networksOf }: KeyDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/auth/keys',
    operation: 'createKey',
    tag: TAG,
    summary: 'Create an account with an API key',
    description: 'No email address or name is required. One network can create five accounts an hour.',
    auth: 'none',
    effect: 'write',
    leaves: [],
    action: 'account.created',
    body: CreateBody,
    replies: { 201: CreatedKey },
    errors: ['rate_limited', 'signup_closed', 'invite_required'],
    handle: async ({ body, ip, now, transact }) => {
      const signup = readSignUp(body, networksOf(ip));
      return transact(async (tx, audit) => {
        const { primary, backup, tier } = await rules.signUp(tx, signup, now);
        audit.accountId = primary.accountId;
        audit.resourceId = primary.accountId;
        return reply(201, {
          api_key: primary.key,
          ...(backup ? { backup_key: backup.key } : {}),
          key_prefix: primary.prefix,
          account_id: primary.accountId,
          tier,
          created_at: iso(primary.createdAt),
          warning: SAVE_IT,
          limits: keyLimits(limits, tier),
        });
      });
    },
  });

const createKeyAlias = (rules: KeyRules, { networksOf }: KeyDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/keys',
    operation: 'createKeyAlias',
    tag: TAG,
    summary: 'Create an account with an API key (short form)',
    description: 'Works like `POST /v1/auth/keys` and counts against the same limit.',
    auth: 'none',
    effect: 'write',
    leaves: [],
    action: 'account.created',
    body: CreateBody,
    replies: {
      201: record({
        key: secret(Type.String()),
        backup_key: Type.Optional(secret(Type.String())),
        account_id: Type.String(),
        created_at: timestamp(),
        note: guidance(Type.String()),
      }),
    },
    errors: ['rate_limited', 'signup_closed', 'invite_required'],
    handle: async ({ body, ip, now, transact }) => {
      const signup = readSignUp(body, networksOf(ip));
      return transact(async (tx, audit) => {
        const { primary, backup } = await rules.signUp(tx, signup, now);
        audit.accountId = primary.accountId;
        audit.resourceId = primary.accountId;
        return reply(201, {
          key: primary.key,
          ...(backup ? { backup_key: backup.key } : {}),
          account_id: primary.accountId,
          created_at: iso(primary.createdAt),
          note: SAVE_IT,
        });
      });
    },
  });

/** What to do when a thief may have had the key: a rotation leaves what the thief planted. */
async function thiefWarning(parts: readonly RecentlyAdded[], reader: Reader, accountId: string, now: number) {
  const young: string[] = [];
  for (const part of parts) young.push(...(await part(reader, accountId, now)));
  const standing = young.length > 0 ? ` Set up in the last 7 days and still standing: ${young.join(', ')}.` : '';
  return `If someone else may have had the key, call POST /v1/account/secure.${standing}`;
}

const rotateKey = (rules: KeyRules, { youngParts }: KeyDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/auth/keys/rotate',
    operation: 'rotateKey',
    tag: TAG,
    summary: 'Replace the active key',
    description:
      'The old key stops working at once. All sessions of the account end, except the one that made the call.',
    auth: 'key',
    scope: 'account:manage',
    wholeAccount: true,
    whileSuspended: true,
    effect: 'write',
    dryRun: false,
    leaves: [],
    bucket: 'rotate',
    action: 'key.rotated',
    replies: {
      200: record({
        api_key: secret(Type.String()),
        key_prefix: Type.String(),
        account_id: Type.String(),
        rotated_at: timestamp(),
        standing: Type.Array(
          record({ id: Type.String(), kind: oneOf(['backup', 'named']), key_prefix: Type.String() }),
          { description: 'The other keys of the account, which still work.' },
        ),
        warning: guidance(Type.String()),
      }),
    },
    errors: [],
    handle: async ({ principal, now, transact }) =>
      transact(async (tx, audit) => {
        const { accountId } = principal;
        const minted = await rules.rotate(tx, { ...principal, kind: kindOf(principal) }, now);
        audit.resourceId = minted.prefix;
        const thief = await thiefWarning(youngParts, tx, accountId, now);
        const warning = `${SAVE_IT} The old key no longer works. ${thief}`;
        const keys = await listStandingKeys(tx, accountId, now);
        const standing = keys.flatMap(({ id, kind, prefix, expired }) =>
          kind === 'primary' || expired ? [] : [{ id, kind, key_prefix: prefix }],
        );
        return reply(200, {
          api_key: minted.key,
          key_prefix: minted.prefix,
          account_id: accountId,
          rotated_at: iso(now),
          standing,
          warning,
        });
      }),
  });

const generateBackup = (rules: KeyRules) =>
  endpoint({
    method: 'POST',
    path: '/v1/auth/keys/generate-backup',
    operation: 'generateBackupKey',
    tag: TAG,
    summary: 'Create the backup key',
    description:
      'An account has at most one backup key. It works only with `POST /v1/auth/keys/activate-backup`. Store it separately from the primary key.',
    auth: 'key',
    scope: 'account:manage',
    wholeAccount: true,
    effect: 'write',
    dryRun: false,
    leaves: [],
    action: 'key.backup_generated',
    body: record({ label: Type.Optional(line(100, { default: 'backup' })) }),
    replies: {
      201: record({
        backup_key: secret(Type.String()),
        key_prefix: Type.String(),
        status: oneOf(['backup']),
        created_at: timestamp(),
        warning: guidance(Type.String()),
      }),
    },
    errors: ['backup_exists'],
    handle: async ({ principal, body, now, transact }) =>
      transact(async (tx, audit) => {
        const minted = await rules.generateBackup(tx, principal, body.label ?? 'backup', now);
        audit.resourceId = minted.prefix;
        return reply(201, {
          backup_key: minted.key,
          key_prefix: minted.prefix,
          status: 'backup',
          created_at: iso(now),
          warning: SAVE_IT,
        });
      }),
  });

const activateBackup = (rules: KeyRules) =>
  endpoint({
    method: 'POST',
    path: '/v1/auth/keys/activate-backup',
    operation: 'activateBackupKey',
    tag: TAG,
    summary: 'Activate the backup key',
    description: 'Call this with the backup key if the primary key is lost. The primary key is revoked.',
    auth: 'backup',
    scope: 'account:manage',
    wholeAccount: true,
    whileSuspended: true,
    effect: 'write',
    dryRun: false,
    leaves: [],
    bucket: 'activate',
    action: 'key.backup_activated',
    replies: {
      200: record({
        activated_key_prefix: Type.String(),
        account_id: Type.String(),
        activated_at: timestamp(),
        message: guidance(Type.String()),
      }),
    },
    errors: ['not_found'],
    handle: async ({ principal, now, transact }) =>
      transact(async (tx, audit) => {
        const prefix = await rules.activateBackup(tx, principal.accountId, principal.sessionHash, now);
        audit.resourceId = prefix;
        const message =
          'The backup key is now the active key. The former primary is revoked. Create a new backup key next.';
        return reply(200, {
          activated_key_prefix: prefix,
          account_id: principal.accountId,
          activated_at: iso(now),
          message,
        });
      }),
  });

export const keyRoutes = (rules: KeyRules, deps: KeyDeps): Endpoint[] => [
  createKey(rules, deps),
  createKeyAlias(rules, deps),
  rotateKey(rules, deps),
  generateBackup(rules),
  activateBackup(rules),
];
