import { newId } from '../../kernel/ids.ts';
import type { Notice } from '../../kernel/notices.ts';
import type { Database } from '../../kernel/transaction.ts';
import { appendAudit } from '../audit/audit-rules.ts';
import type { NoticeRules } from '../notices/notice-rules.ts';

export interface FactorRemovalDeps {
  database: Database;
  notices: Pick<NoticeRules, 'startByAdministrator'>;
  now(): number;
}

/** Removes a factor that its account cannot agree about. Takes 72 hours, is told to all, and nobody undoes it. */
export const createFactorRemoval = ({ database, notices, now }: FactorRemovalDeps) => ({
  /** `target`: the prefix of a backup key, a public key, or an address. @returns one notice for each role of it */
  removeFactor: (accountId: string, target: string): Promise<Notice[]> =>
    database.transaction(async (tx) => {
      const at = now();
      const started = await notices.startByAdministrator(tx, accountId, target, at);
      const by = { actor: 'operator', ip: 'local', status: 200, now: at, action: 'account.factor_removal_asked' };
      for (const { id } of started)
        await appendAudit(tx, { ...by, accountId, resourceId: id, requestId: newId('req', at) });
      return started;
    }),
});
