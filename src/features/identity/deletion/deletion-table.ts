import type { DeletionAsker } from '../../../api/account/pending-deletion.ts';
import { DAY_MS } from '../../../base/period.ts';
import { column, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

/** How long a deletion can be cancelled. */
export const DELETION_DELAY_MS = 3 * DAY_MS;

/** An account that is going to be deleted, or is being deleted. */
export const DELETIONS = table(
  'account_deletions',
  {
    accountId: column.text('account_id'),
    askedAt: column.integer('asked_at'),
    /** The prefix of a key, the address of a session, or `administrator`. */
    askedBy: column.text('asked_by'),
    askerKind: column.enum<DeletionAsker>()('asker_kind'),
    /** For an operator: since when the address was confirmed, and whether it counted as old from then on. */
    askerSince: column.integer('asker_since').orNull(),
    askerBornOld: column.flag('asker_born_old'),
    deletesAt: column.integer('deletes_at'),
    /** When it became too late to cancel: from then on nobody gets in. Null before. */
    closedAt: column.integer('closed_at').orNull(),
    /** The last entry of the audit chain whose content is gone. */
    auditSeq: column.integer('audit_seq'),
  },
  { key: ['accountId'], account: ['accountId'], erase: { by: 'account-deletion.ts' } },
);
export type Deletion = RecordOf<typeof DELETIONS>;
