import { tables } from '../../db/statement.ts';
import type { Reader } from '../../kernel/transaction.ts';

const sql = tables<{ schema_migrations: { id: string } }>();

const applied = sql((q, _p: Record<never, never>) => q.selectFrom('schema_migrations').select('id').orderBy('id'));

/** Steps of the schema that the database has had, in order. */
export const appliedMigrations = async (reader: Reader): Promise<string[]> =>
  (await reader.all(applied, {})).map(({ id }) => id);

/** Settings of a PostgreSQL server that decide whether a commit is durable. `now` in milliseconds, by its clock. */
export async function readServerFacts(
  reader: Reader,
): Promise<{ fsync: string; synchronousCommit: string; now: number } | null> {
  // Declared here, because SQLite has none of these functions.
  const server = sql((q, _p: Record<never, never>) =>
    q.selectNoFrom((eb) => [
      eb.fn<string>('current_setting', [eb.val('fsync')]).as('fsync'),
      eb.fn<string>('current_setting', [eb.val('synchronous_commit')]).as('synchronous_commit'),
      eb.fn<Date>('clock_timestamp').as('now'),
    ]),
  );
  const row = await reader.first(server, {});
  return row ? { fsync: row.fsync, synchronousCommit: row.synchronous_commit, now: new Date(row.now).getTime() } : null;
}
