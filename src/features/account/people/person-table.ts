import { column, columnMap, type RecordOf } from '../../../db/column-map.ts';

/** `email`: set at sign-up. `recovery`: logs in when keys are lost. `operator`: decides for the account. */
export const PERSON_ROLES = ['email', 'recovery', 'operator'] as const;
export type PersonRole = (typeof PERSON_ROLES)[number];

/** An address of a person, in one role for one account. Until it is confirmed it gets login and recovery mails only. */
export const PEOPLE = columnMap({
  /** `per_…` */
  id: column.text('id'),
  accountId: column.text('account_id'),
  role: column.word<PersonRole>()('role'),
  address: column.text('address'),
  namedAt: column.integer('named_at'),
  /** Who named it: the prefix of a key, or the address of a session. */
  namedBy: column.text('named_by'),
  /** Named during set-up, or by a session of an old factor: it counts as old from its confirmation. */
  oldWhenConfirmed: column.flag('old_when_confirmed'),
  confirmedAt: column.integer('confirmed_at').orNull(),
  /** When it ends: it was replaced or is being removed with notice. Null: it stays. */
  removalDueAt: column.integer('removal_due_at').orNull(),
});
export type Person = RecordOf<typeof PEOPLE>;
