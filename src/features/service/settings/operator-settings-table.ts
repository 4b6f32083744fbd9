import { column, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

/** How often news of agents is mailed. What must be decided and what is about access is mailed at once, always. */
export const MAILS = ['now', 'hourly', 'daily', 'decisions'] as const;
export type Mails = (typeof MAILS)[number];

/** What an operator decided for his address, over all accounts that he operates. */
export const OPERATOR_SETTINGS = table(
  'operator_settings',
  {
    address: column.text('address'),
    /** Whether a mailed link no longer decides. */
    requirePasskey: column.flag('require_passkey'),
    /** `decisions`: no news at all. */
    mails: column.enum<Mails>()('mails'),
  },
  { key: ['address'], account: [], erase: { by: 'passkey-erasure.ts, when the address operates no account any more' } },
);
export type OperatorSettings = RecordOf<typeof OPERATOR_SETTINGS>;
