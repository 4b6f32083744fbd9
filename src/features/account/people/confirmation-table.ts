import { column } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

/** An address whose owner said that this is not their agent. The account cannot name it again. */
export const PERSON_REFUSALS = table(
  'person_refusals',
  {
    accountId: column.text('account_id'),
    address: column.text('address'),
    refusedAt: column.integer('refused_at'),
  },
  { key: ['accountId', 'address'], account: ['accountId'], erase: 'delete' },
);
