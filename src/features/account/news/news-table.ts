import { column, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

/** News that waits for the next mail to a person. A row goes when its mail has left. */
export const BUNDLED_NEWS = table(
  'bundled_news',
  {
    /** The job that brought it. */
    id: column.text('id'),
    email: column.text('email'),
    accountId: column.text('account_id'),
    subject: column.text('subject'),
    content: column.text('content'),
    createdAt: column.integer('created_at'),
    /** When the mail with it is due: the same for all that wait for one mail. */
    dueAt: column.integer('due_at'),
    /** The job that mails it. Null: none yet. */
    bundle: column.text('bundle').orNull(),
  },
  { key: ['id'], account: ['accountId'], erase: 'delete' },
);
export type BundledNews = RecordOf<typeof BUNDLED_NEWS>;
