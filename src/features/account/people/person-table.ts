import { exported, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

/** `email`: set at sign-up. `recovery`: logs in when keys are lost. `operator`: decides for the account. */
export const PERSON_ROLES = ['email', 'recovery', 'operator'] as const;
export type PersonRole = (typeof PERSON_ROLES)[number];

/** An address of a person, in one role for one account. Until it is confirmed it gets login and recovery mails only. */
export const PEOPLE = table(
  'people',
  {
    /** `per_…` */
    id: exported.text('id'),
    accountId: exported.text('account_id'),
    role: exported.enum<PersonRole>()('role'),
    address: exported.text('address'),
    namedAt: exported.integer('named_at'),
    /** Who named it: the prefix of a key, or the address of a session. */
    namedBy: exported.text('named_by'),
    /** Named during set-up, or by a session of an old factor: it counts as old from its confirmation. */
    oldWhenConfirmed: exported.flag('old_when_confirmed'),
    confirmedAt: exported.integer('confirmed_at').orNull(),
    /** When it ends: it was replaced or is being removed with notice. Null: it stays. */
    removalDueAt: exported.integer('removal_due_at').orNull(),
  },
  { key: ['id'], account: ['accountId'], erase: 'delete' },
);
export type Person = RecordOf<typeof PEOPLE>;
