import { DELETION_ASKERS } from '../../../api/account/pending-deletion.ts';
import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { nullable, oneOf, record, sameAs, timestamp } from '../../../api/fields.ts';
import { SCOPE_NAMES } from '../../../api/scopes.ts';
import { iso } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import { type AccountDeps, readLeft } from './account-left.ts';
import { requireAccount } from './account-lifecycle.ts';
import { AccountLimits } from './account-limit-schema.ts';
import { peopleBody, peopleFields } from './account-people-schema.ts';

const Left = record({
  requests_per_day: Type.Integer(),
  emails_per_day: Type.Integer(),
  emails_per_hour: Type.Integer(),
});

const Account = record({
  id: Type.String(),
  account_id: sameAs('id'),
  key_prefix: Type.String({
    description: 'First characters of the key in use; for a session, of the active key.',
  }),
  name: Type.String({ description: 'Empty when not set.' }),
  tier: oneOf(['free', 'paid']),
  ...peopleFields,
  vault_recovery_email: nullable(Type.String()),
  addresses: Type.Array(Type.String(), { description: 'Mail addresses of the account, oldest first.' }),
  scopes: Type.Array(oneOf(SCOPE_NAMES), { description: 'What this credential may do.' }),
  limits: AccountLimits,
  left: Left,
  storage_used: Type.Integer({ description: 'Bytes, of `limits.storage_bytes`.' }),
  parent_account_id: nullable(Type.String(), { description: 'The platform of a pod; null for a platform.' }),
  deletion: nullable(record({ ends_at: timestamp(), by: oneOf(DELETION_ASKERS) }), {
    description: 'The deletion that waits, and who asked for it, which decides who can cancel it.',
  }),
  capabilities: Type.Array(Type.String()),
  waiting: Type.Optional(
    record(
      { total: Type.Integer(), by_kind: Type.Record(Type.String(), Type.Integer()) },
      {
        description: 'With `include=waiting`: how many wait, at most 100 of a kind.',
      },
    ),
  ),
  created_at: timestamp(),
});

const me = (deps: AccountDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/account/me',
    operation: 'getAccount',
    tag: 'Accounts',
    summary: 'Get the account',
    description: 'A key that is limited to addresses does not see the addresses of people.',
    auth: 'key',
    scope: 'account:read',
    addresses: 'filtered',
    effect: 'none',
    tools: [
      {
        name: 'whoami',
        group: 'identity',
        description: 'Who you are: account, mail addresses, scopes, limits and what is left.',
        takes: [],
        gives: [
          'account_id',
          'name',
          'tier',
          'addresses',
          'scopes',
          'limits',
          'left',
          'operator_email',
          'parent_account_id',
          'deletion',
        ],
      },
    ],
    query: record({ include: Type.Optional(oneOf(['waiting'])) }),
    replies: { 200: Account },
    errors: [],
    handle: async ({ principal, query, now }) => {
      const { database, activePrefix, people, addresses, vaultRecoveryOf, storage } = deps;
      const account = await requireAccount(database, principal.accountId);
      const { deletion } = principal;
      const counts = query.include === 'waiting' ? await deps.whatWaits.count(principal, now) : null;
      const isLimited = principal.addresses !== null;
      return reply(200, {
        id: account.id,
        account_id: account.id,
        key_prefix:
          principal.keyHash === null ? ((await activePrefix(account.id)) ?? principal.actor) : principal.actor,
        name: account.name ?? '',
        tier: principal.tier,
        // The holder of a key for some addresses need not know whose agent it is.
        ...peopleBody(isLimited ? [] : await people.list(database, account.id)),
        vault_recovery_email: isLimited ? null : await vaultRecoveryOf(account.id),
        addresses: [
          ...(principal.addresses ?? (await addresses.list(database, account.id)).map(({ address }) => address)),
        ],
        scopes: [...(principal.scopes ?? SCOPE_NAMES)],
        limits: principal.limits,
        left: await readLeft(deps, principal, now),
        storage_used: await storage.used(database, account.id),
        parent_account_id: account.parentId,
        deletion: deletion && { ends_at: iso(deletion.endsAt), by: deletion.by },
        capabilities: account.capabilities,
        ...(counts && { waiting: { total: counts.total, by_kind: counts.byKind } }),
        created_at: iso(account.createdAt),
      });
    },
  });

export const accountRoutes = (deps: AccountDeps): Endpoint[] => [me(deps)];
