import type { Authority } from '../../../api/authority.ts';
import { column, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';
import { PEOPLE } from './person-table.ts';

/** The link of the confirmation mail of an address. There is one; a new mail replaces it. */
export const PERSON_LINKS = table(
  'person_links',
  {
    personId: column.text('person_id'),
    /** SHA-256 of the token. The token itself is not stored. */
    hash: column.text('hash'),
    /** The answer that the page proposes for "Must you approve spending and changes?". */
    authority: column.word<Authority>()('authority').orNull(),
    expiresAt: column.integer('expires_at'),
  },
  { key: ['personId'], account: [{ field: 'personId', of: PEOPLE, account: 'accountId' }], erase: 'delete' },
);
export type PersonLink = RecordOf<typeof PERSON_LINKS>;

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
