import type { ExportPart } from '../../../api/account/export-file.ts';
import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { media } from '../../../api/fields.ts';
import type { Limits } from '../../../api/limits.ts';
import type { Reader } from '../../../api/transaction.ts';
import { admitExport, exportArchive } from './export-archive.ts';

/** @param parts complete when the features are built */
export const exportRoutes = (database: Reader, limits: Limits, parts: readonly ExportPart[]): Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/v1/account/export',
    operation: 'exportAccount',
    tag: 'Accounts',
    summary: 'Export the account',
    description:
      'A zip of everything: mail as mbox, one file for each address; the rest as JSON, with a schema for each file; the vault as stored, in ciphertext. `manifest.json` has the SHA-256 of each file. It holds no key and no hash of one.',
    auth: 'key',
    scope: 'account:manage',
    wholeAccount: true,
    effect: 'write',
    leaves: [],
    action: 'account.exported',
    replies: { 200: media('application/zip', 'The archive.') },
    errors: ['rate_limited'],
    handle: async ({ principal: { accountId }, now, gone, transact }) => {
      const admitted = await transact(async (tx, audit) => {
        await admitExport(tx, accountId, limits, now);
        audit.resourceId = accountId;
        return reply(200, null as never);
      });
      const body = await exportArchive(database, { parts, accountId, now, gone: gone() });
      const headers = { 'content-disposition': `attachment; filename="${accountId}.zip"` };
      return reply(admitted.status, body as never, headers);
    },
  }),
];
