import { TRUST_DELAY_MS } from '../../../api/account/factor.ts';
import { LOOK_BACK_DAYS, type Securing } from '../../../api/account/lockdown-parts.ts';
import { DAY_MS } from '../../../base/period.ts';
import type { FieldChange, FieldChanges } from './setting-change-table.ts';

export const KEPT_MS = LOOK_BACK_DAYS * DAY_MS;
/** Of one field. */
const CHANGES_MAX = 16;
/** Characters of JSON for the changes of one field. One value may have more. */
const TEXT_MAX = 64_000;

const isTooMuch = (changes: readonly FieldChange[]): boolean =>
  changes.length > CHANGES_MAX || JSON.stringify(changes).length > TEXT_MAX;

/**
 * Forgets the value that stood for the shortest time, the newest of several: the one before it counts as if it had stood
 * until the next. So a thief who changes a value without end pushes out only values of the thief. A value that counts as
 * old is never forgotten.
 */
function withoutBriefest(changes: readonly FieldChange[], now: number): FieldChange[] {
  const stood = changes.slice(0, -1).map(({ at, isOld, by }, i) => {
    if (isOld || now - at >= TRUST_DELAY_MS) return Number.POSITIVE_INFINITY;
    // What a person set goes last: the person may count as old by the time it matters.
    return (changes[i + 1] as FieldChange).at - at + (by === undefined ? 0 : KEPT_MS);
  });
  const least = Math.min(...stood);
  if (least === Number.POSITIVE_INFINITY) return [...changes];
  const i = stood.lastIndexOf(least);
  return changes.toSpliced(i, 2, { ...(changes[i + 1] as FieldChange), before: changes[i]?.before });
}

/** Adds a change to those of a field, and keeps them few. */
export function withChange(changes: readonly FieldChange[], change: FieldChange): FieldChange[] {
  // Nothing goes back behind a value that counts as old, but for a pod whose holder changes.
  if (change.isOld) return [{ ...change, before: (changes[0] ?? change).before }];
  const all = [...changes, change];
  if (!isTooMuch(all)) return all;
  const now = change.at;
  // Of the values that went more than 7 days ago the oldest matters, to a pod whose holder changes.
  let kept = all.filter(({ at }, i) => i === 0 || now - at < TRUST_DELAY_MS);
  for (let left = kept.length; isTooMuch(kept) && left > 1; left--) kept = withoutBriefest(kept, now);
  return kept;
}

/** The changes that are not older than 30 days. */
export const withoutExpired = (changes: FieldChanges, now: number): FieldChanges =>
  Object.fromEntries(
    Object.entries(changes)
      .map(([field, list]) => [field, list.filter(({ at }) => now - at < KEPT_MS)] as const)
      .filter(([, list]) => list.length > 0),
  );

/**
 * The change behind which a field goes back. Undefined: it stays. `oldPeople`: the addresses that count as old by now.
 */
export function changeToUndo(
  changes: readonly FieldChange[],
  { whole, now }: Pick<Securing, 'whole' | 'now'>,
  oldPeople: ReadonlySet<string>,
): FieldChange | undefined {
  if (whole) return changes[0];
  const last = changes.findLastIndex(({ isOld, by }) => isOld || (by !== undefined && oldPeople.has(by)));
  return changes.slice(last + 1).find(({ at }) => now - at < TRUST_DELAY_MS);
}
