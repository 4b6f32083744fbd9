import { exported } from '../../../../db/column-map.ts';
import { table } from '../../../../db/table.ts';

/** From whom the mailboxes of an account had mail. The row stays when the mail is deleted. */
export const SENDERS = table(
  'mail_senders',
  {
    accountId: exported.text('account_id'),
    /** The From address, lower case. */
    sender: exported.text('sender'),
    firstAt: exported.integer('first_at'),
  },
  { key: ['accountId', 'sender'], account: ['accountId'], erase: 'delete' },
);
