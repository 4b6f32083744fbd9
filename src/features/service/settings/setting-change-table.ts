import { column, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

/** What `secure` puts back. */
export type Setting = 'budget' | 'mail_policy' | 'way_policy' | 'pod_policy' | 'address' | 'profile';

/** A value of a field gave way to another. A field that was not set has no `before`. */
export interface FieldChange {
  before?: unknown;
  /** Milliseconds. */
  at: number;
  /** The new value counts as old: it was set in the account's first hour, or by a session of an old address. */
  isOld?: boolean;
  /** The person whose session set the new value, if the person was young. */
  by?: string;
}

/** By field, oldest change first. */
export type FieldChanges = Record<string, FieldChange[]>;

/** What the fields of one thing were in the last 30 days. */
export const SETTING_CHANGES = table(
  'setting_changes',
  {
    accountId: column.text('account_id'),
    setting: column.enum<Setting>()('setting'),
    /** An address, or empty for a setting of the whole account. */
    target: column.text('target'),
    changes: column.json<FieldChanges>()('changes'),
    changedAt: column.integer('changed_at'),
  },
  { key: ['accountId', 'setting', 'target'], account: ['accountId'], erase: 'delete' },
);
export type SettingChanges = RecordOf<typeof SETTING_CHANGES>;
