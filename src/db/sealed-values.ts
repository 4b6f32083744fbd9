import type { Database } from '../api/transaction.ts';
import { SEAL_PREFIX, type Sealed, type SealedColumn, type Sealer, sealedBy } from '../base/sealing.ts';
import { tables } from './statement.ts';

/** Rows of one transaction: few enough that other writers hardly wait. */
const BATCH = 100;

/** Statements over the values of one column. */
function statementsOf({ table, column, id }: SealedColumn) {
  const sql = tables<Record<'cells', { cell_id: string; cell_value: string | null }>>();
  // The builder knows one name for any table and column.
  const [name, key, value] = [table as 'cells', id as 'cell_id', column as 'cell_value'] as const;
  return {
    page: sql((q, p: { after: string; done: string; limit: number }) =>
      q
        .selectFrom(name)
        .select([`${key} as id`, `${value} as text`])
        .where(key, '>', p.after)
        .where(value, 'is not', null)
        .where(value, 'not like', p.done)
        .orderBy(key)
        .limit(p.limit),
    ),
    // A value that changed since the read stays, because its writer has sealed it.
    replace: sql((q, p: { id: string; was: string; sealed: string }) =>
      q
        .updateTable(name)
        .set({ [value]: p.sealed })
        .where(key, '=', p.id)
        .where(value, '=', p.was),
    ),
  };
}

/** The pattern of what needs no sealing: by this key, or with null by any. */
const doneBy = (keyId: string | null): string => `${SEAL_PREFIX}${keyId === null ? '' : `${keyId}.`}%`;

/** What a pass over a column did. */
export interface SealingPass {
  /** Values sealed under the current key. */
  sealed: number;
  /** Values that none of the keys opens. They stay as they are. */
  unreadable: number;
}

/** Returns the secret of a stored value, plain or sealed, or null when no key opens it. */
function readValue(sealer: Sealer, column: SealedColumn, id: string, stored: string): string | null {
  if (sealedBy(stored) === null) return stored;
  try {
    return sealer.open(column, id, stored as Sealed);
  } catch {
    return null;
  }
}

/**
 * Seals values of one column under the current key, in small transactions: all that are not, or only the `plain` ones. It
 * may run beside a service and other passes, and be repeated after a kill.
 */
export async function sealColumn(
  database: Database,
  sealer: Sealer,
  column: SealedColumn,
  which: 'plain' | 'all',
): Promise<SealingPass> {
  const { page, replace } = statementsOf(column);
  const done = doneBy(which === 'plain' ? null : sealer.keyId);
  const pass = { sealed: 0, unreadable: 0 };
  for (let after = ''; ; ) {
    const rows = await database.all(page, { after, done, limit: BATCH });
    const last = rows.at(-1);
    if (!last) return pass;
    const values = rows.map(({ id, text }) => {
      const was = text as string;
      const secret = readValue(sealer, column, id, was);
      return { id, was, sealed: secret === null ? null : sealer.seal(column, id, secret) };
    });
    pass.unreadable += values.filter(({ sealed }) => sealed === null).length;
    pass.sealed += await database.transaction(async (tx) => {
      let changed = 0;
      for (const { id, was, sealed } of values)
        if (sealed !== null) changed += await tx.run(replace, { id, was, sealed });
      return changed;
    });
    after = last.id;
  }
}

/** Whether a column holds a value that another key sealed, or none; with null, one that is not sealed at all. */
export const hasUnsealed = async (database: Database, column: SealedColumn, keyId: string | null): Promise<boolean> =>
  (await database.first(statementsOf(column).page, { after: '', done: doneBy(keyId), limit: 1 })) !== undefined;
