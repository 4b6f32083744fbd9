import { column } from '../../../../db/column-map.ts';
import { table } from '../../../../db/table.ts';

export const PROGRAM_NETWORKS = table(
  'mail_program_networks',
  {
    /** Keyed hash. */
    network: column.text('network'),
    /** When a login there is forgotten. */
    expiresAt: column.integer('expires_at'),
  },
  { key: ['network'], account: [], erase: { keep: 'belongs to no account' } },
);
