import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { oneOf, record, timestamp } from '../../../api/fields.ts';
import { iso } from '../../../base/clock.ts';
import type { BackupRules } from './backup-key.ts';

const removeBackup = (rules: BackupRules) =>
  endpoint({
    method: 'DELETE',
    path: '/v1/auth/keys/backup',
    operation: 'deleteBackupKey',
    tag: 'Accounts',
    summary: 'Remove the backup key',
    description:
      'At once while it is younger than 7 days, otherwise after 7 days. `POST /v1/account/notices/{id}/undo` stops it.',
    auth: 'key',
    scope: 'account:manage',
    wholeAccount: true,
    whileSuspended: true,
    effect: 'write',
    dryRun: false,
    leaves: [],
    bucket: 'revoke',
    action: 'key.backup_removed',
    replies: { 200: record({ status: oneOf(['ended', 'scheduled']), ends_at: timestamp() }) },
    errors: ['not_found', 'removal_disputed'],
    handle: async ({ principal, now, transact }) =>
      transact(async (tx, audit) => {
        const { status, endsAt, prefix } = await rules.remove(tx, principal, now);
        audit.resourceId = prefix;
        if (status === 'scheduled') audit.action = 'key.backup_removal_asked';
        return reply(200, { status, ends_at: iso(endsAt) });
      }),
  });

export const backupRoutes = (rules: BackupRules): Endpoint[] => [removeBackup(rules)];
