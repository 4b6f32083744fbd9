import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { record, timestamp } from '../../../api/fields.ts';
import { iso } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import type { DeletionDeps, DeletionRules } from './account-deletion.ts';

const TAG = 'Accounts';

const deleteAccount = (rules: DeletionRules, { requireAddressAuthority }: DeletionDeps) =>
  endpoint({
    method: 'DELETE',
    path: '/v1/account',
    operation: 'deleteAccount',
    tag: TAG,
    summary: 'Delete the account in 72 hours',
    description:
      'Until `deletes_at` its keys only read, and `POST /v1/account/delete/cancel` keeps it. Then everything of the account and its pods is deleted for good. Nobody else ever gets its addresses.',
    auth: 'platform',
    scope: 'account:manage',
    wholeAccount: true,
    whileSuspended: true,
    effect: 'write',
    leaves: [],
    bucket: 'revoke',
    action: 'account.deletion_scheduled',
    replies: {
      202: record({
        deletes_at: timestamp(),
        pods: Type.Array(Type.String(), { description: 'The pods that go with it.' }),
      }),
    },
    errors: ['operator_required'],
    handle: async ({ principal, now, transact }) =>
      transact(async (tx, audit) => {
        const { accountId } = principal;
        await requireAddressAuthority(tx, principal);
        const { deletesAt, pods } = await rules.schedule(tx, { accountId, by: principal, now });
        audit.resourceId = accountId;
        return reply(202, { deletes_at: iso(deletesAt), pods });
      }),
  });

const cancelDeletion = (rules: DeletionRules) =>
  endpoint({
    method: 'POST',
    path: '/v1/account/delete/cancel',
    operation: 'cancelAccountDeletion',
    tag: TAG,
    summary: 'Cancel the deletion of the account',
    description:
      'What a key or a session asked for, any key that is not named, a backup key and any session cancel. What an operator asked for needs that operator’s session, or one of an address that was confirmed earlier; the keys can cancel it while the operator is younger than 7 days.',
    auth: 'backup',
    scope: 'account:manage',
    wholeAccount: true,
    whileSuspended: true,
    effect: 'write',
    leaves: [],
    bucket: 'revoke',
    action: 'account.deletion_cancelled',
    replies: { 200: record({ ok: Type.Boolean() }) },
    errors: ['not_found', 'account_deleting', 'operator_required'],
    handle: async ({ principal, now, transact }) =>
      transact(async (tx, audit) => {
        const { accountId } = principal;
        await rules.cancel(tx, { accountId, by: principal, now });
        audit.resourceId = accountId;
        return reply(200, { ok: true });
      }),
  });

export const deletionRoutes = (rules: DeletionRules, deps: DeletionDeps): Endpoint[] => [
  deleteAccount(rules, deps),
  cancelDeletion(rules),
];
