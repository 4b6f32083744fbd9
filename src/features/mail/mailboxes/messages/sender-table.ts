import { column, columnMap } from '../../../../db/column-map.ts';

/** From whom the mailboxes of an account had mail. The row stays when the mail is deleted. */
export const SENDERS = columnMap({
  accountId: column.text('account_id'),
  /** The From address, lower case. */
  sender: column.text('sender'),
  firstAt: column.integer('first_at'),
});
