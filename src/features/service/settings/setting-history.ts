import type { RecentChange, Securing } from '../../../api/account/lockdown-parts.ts';
import type { Notices } from '../../../api/account/removal-notices.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { changeToUndo, KEPT_MS, withChange, withoutExpired } from './setting-change.ts';
import { findChanges, listChanges, purgeChanges, saveChanges } from './setting-change-store.ts';
import type { Setting, SettingChanges } from './setting-change-table.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Fields of one thing that a caller sets: what they were, and what the caller gives. A field that is not set is absent. */
export interface SettingWrite {
  setting: Setting;
  /** An address, or empty for a setting of the whole account. */
  target: string;
  before: Fields;
  given: Fields;
}

/** The values to which some fields of one thing go back. */
export interface FormerSettings {
  target: string;
  /** Undefined: the field was not set. */
  fields: Fields;
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** `retentionDays` as the API writes it. */
const shown = (field: string): string =>
  field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/^is_/, '');

/** Names the fields of `before` that differ from their former values, as something that was taken back. */
export const restored = (
  setting: Setting,
  before: Fields,
  { target, fields }: FormerSettings,
  now: number,
): RecentChange[] =>
  Object.keys(fields)
    .filter((field) => !isSame(before[field], fields[field]))
    .map((field) => ({
      at: now,
      what: `${setting}_restored`,
      detail: target === '' ? shown(field) : `${shown(field)} of ${target}`,
    }));

/** Deletes what is older than 30 days. */
export const purgeSettingChanges = (tx: Tx, now: number): Promise<number> => purgeChanges(tx, now - KEPT_MS);

/**
 * Remembers what settings were, so that `secure` takes back what a thief set and leaves what others set. It keeps a few
 * changes of each field, however often it is changed.
 */
export class SettingHistory {
  readonly #notices: Pick<Notices, 'isTrustedFromStart'>;

  constructor(notices: Pick<Notices, 'isTrustedFromStart'>) {
    this.#notices = notices;
  }

  /** Notes a change, in its transaction, which has locked the account. */
  async note(tx: Tx, principal: Principal, { before, given, ...of }: SettingWrite, now: number): Promise<void> {
    const { accountId, person } = principal;
    const key = { accountId, ...of };
    const changes = withoutExpired((await findChanges(tx, accountId, of.setting, of.target))?.changes ?? {}, now);
    const isNew = (field: string): boolean => !isSame(before[field], given[field]);
    // A person who sets what stands agrees to it.
    const fields = Object.keys(given).filter((one) => isNew(one) || (person !== null && changes[one] !== undefined));
    if (fields.length === 0) return;
    const isOld = await this.#notices.isTrustedFromStart(tx, principal, now);
    // Only a pod, when its holder changes, goes back behind a value that counts as old.
    if (isOld && principal.parentId === null && fields.every((field) => changes[field] === undefined)) return;
    const by = isOld ? { isOld } : person === null ? {} : { by: person };
    for (const field of fields)
      changes[field] = withChange(changes[field] ?? [], { before: before[field], at: now, ...by });
    await saveChanges(tx, { ...key, changes, changedAt: now });
  }

  /**
   * Finds what goes back when an account is secured. From now on these values count as old: the caller stores them, in the
   * same transaction.
   */
  async takeBack(tx: Tx, securing: Securing, setting: Setting): Promise<FormerSettings[]> {
    const { accountId, revert, now } = securing;
    const former: FormerSettings[] = [];
    if (!revert) return former;
    const rows = await listChanges(tx, accountId, setting);
    const oldPeople = await this.#oldPeople(tx, accountId, rows, now);
    for (const row of rows) {
      const undone = Object.entries(row.changes).flatMap(([field, list]) => {
        const change = changeToUndo(list, securing, oldPeople);
        return change ? [[field, change.before] as const] : [];
      });
      if (undone.length === 0) continue;
      const changes = { ...row.changes };
      for (const [field] of undone) changes[field] = withChange(changes[field] ?? [], { at: now, isOld: true });
      await saveChanges(tx, { ...row, changes, changedAt: now });
      former.push({ target: row.target, fields: Object.fromEntries(undone) });
    }
    return former;
  }

  /** Of the people who set a value while they were young, those who are old by now. */
  async #oldPeople(
    reader: Reader,
    accountId: string,
    rows: readonly SettingChanges[],
    now: number,
  ): Promise<ReadonlySet<string>> {
    const people = rows.flatMap(({ changes }) => Object.values(changes).flatMap((list) => list.map(({ by }) => by)));
    const old = new Set<string>();
    for (const person of new Set(people))
      if (
        person !== undefined &&
        (await this.#notices.isTrustedFromStart(reader, { accountId, person, actor: person }, now))
      )
        old.add(person);
    return old;
  }
}
