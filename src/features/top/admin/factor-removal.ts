import type { Notice } from '../../../api/account/removal-notices.ts';
import type { Database } from '../../../api/transaction.ts';
import type { NoticeRules } from '../../account/pending-removals/notice.ts';
import type { OperatorReplacement } from '../../account/people/operator-replacement.ts';
import { appendAudit } from '../../record/audit/audit-log.ts';
import { administratorEntry, auditAdministrator } from './service-administration.ts';

export interface FactorRemovalDeps {
  database: Database;
  notices: Pick<NoticeRules, 'startByAdministrator'>;
  replacement: Pick<OperatorReplacement, 'ask' | 'cancel'>;
  now(): number;
}

/** Removes a factor that its account cannot agree about. Takes 72 hours, is told to all, and cannot be undone. */
export const createFactorRemoval = ({ database, notices, replacement, now }: FactorRemovalDeps) => ({
  /** `target`: the prefix of a backup key, a public key, or an address. @returns one notice for each role of it */
  removeFactor: (accountId: string, target: string): Promise<Notice[]> =>
    database.transaction(async (tx) => {
      const at = now();
      const started = await notices.startByAdministrator(tx, accountId, target, at);
      const action = 'account.factor_removal_asked';
      for (const { id: resourceId } of started)
        await appendAudit(tx, administratorEntry({ action, resourceId, at }, accountId));
      return started;
    }),
  /**
   * Replaces the operators of an account by another, when that one confirms after 72 hours.
   * @throws ApiError `not_found`, `address_refused`, `invalid_request`
   */
  replaceOperator: (accountId: string, address: string): Promise<Notice> =>
    database.transaction(async (tx) => {
      const at = now();
      const notice = await replacement.ask(tx, accountId, address, at);
      await auditAdministrator(tx, {
        accountId,
        action: 'account.operator_replacement_asked',
        resourceId: address,
        at,
      });
      return notice;
    }),
  /** Takes that back, until the new operator has confirmed. @returns false when nothing of this kind waits */
  cancelReplacement: (accountId: string, address: string): Promise<boolean> =>
    database.transaction(async (tx) => {
      const at = now();
      if (!(await replacement.cancel(tx, accountId, address, at))) return false;
      const action = 'account.operator_replacement_cancelled';
      await auditAdministrator(tx, { accountId, action, resourceId: address, at });
      return true;
    }),
});
