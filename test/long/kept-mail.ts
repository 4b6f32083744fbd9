import assert from 'node:assert/strict';
import type { Folder } from './folder-book.ts';
import type { Ends } from './imap-connection.ts';

/** A mail as its program knows it. */
export interface Kept {
  subject: string;
  folder: Folder;
  /** Null: not told yet. */
  uid: number | null;
  id: string | null;
  flags: string;
}

/** What becomes of a mail. Null: it was not there; it is gone. */
export interface Turn {
  from: Kept | null;
  to: Kept | null;
}

/** A change of which nobody said whether it was done. */
export interface Doubt {
  turns: readonly Turn[];
  /** Where its folders ended before. */
  since: Map<Folder, Ends>;
}

const isSame = (mail: Kept, wanted: Kept): boolean =>
  mail.folder === wanted.folder &&
  mail.subject === wanted.subject &&
  mail.flags === wanted.flags &&
  (wanted.id === null || mail.id === wanted.id);

/**
 * Compares what is there with what a program knows: all of that must be there, what is in doubt whole or not at all, and nothing else.
 * @returns what it knows now, and whether what was in doubt was done
 */
export function settled(
  there: readonly Kept[],
  kept: readonly Kept[],
  doubt: Doubt | null,
): { known: Kept[]; isDone: boolean } {
  const turns = doubt?.turns ?? [];
  const what = (): string => JSON.stringify({ there, kept, doubt: turns });
  const left = new Set(there);
  /** @param since a mail whose UID was not told has one from there on */
  const take = (wanted: Kept, since = 0): Kept | null => {
    const hasUid = ({ uid }: Kept): boolean => (wanted.uid === null ? Number(uid) >= since : uid === wanted.uid);
    const mail = [...left].find((each) => isSame(each, wanted) && hasUid(each)) ?? null;
    if (mail) left.delete(mail);
    return mail;
  };
  const doubted = new Set(turns.map(({ from }) => from));
  // Those with a UID first: another copy of the same mail must not be taken for them.
  const certain = kept.filter((mail) => !doubted.has(mail)).sort((a, b) => Number(!a.uid) - Number(!b.uid));
  const known = certain.map((mail) => take(mail) ?? assert.fail(`lost or changed: ${JSON.stringify(mail)} ${what()}`));
  const before = turns.map(({ from }) => from && take(from));
  const after = turns.map(({ from, to }, n) =>
    before[n] || !to
      ? null
      : (take(to, doubt?.since.get(to.folder)?.uidNext) ?? (from ? assert.fail(`gone: ${what()}`) : null)),
  );
  assert.deepEqual([...left], [], `these are there too: ${what()}`);
  // A flag that a mail had already says nothing.
  const telling = turns.flatMap(({ from, to }, n) =>
    from?.uid === to?.uid && from?.flags === to?.flags ? [] : [from ? !before[n] : after[n] !== null],
  );
  assert.ok(new Set(telling).size < 2, `done in part: ${what()}`);
  return { known: [...known, ...before, ...after].filter((mail) => mail !== null), isDone: telling.includes(true) };
}
