import { sql as raw } from 'kysely';
import type { Database, Reader } from '../../../api/transaction.ts';
import { tables } from '../../../db/statement.ts';

const sql = tables<{ schema_migrations: { id: string } }>();

const applied = sql((q, _p: Record<never, never>) => q.selectFrom('schema_migrations').select('id').orderBy('id'));

/** Lists the migrations that the database has run, in order. */
export const appliedMigrations = async (reader: Reader): Promise<string[]> =>
  (await reader.all(applied, {})).map(({ id }) => id);

/** Reads the PostgreSQL settings that decide whether a commit is durable. `now` is the server's clock in milliseconds. */
export async function readServerSettings(
  reader: Reader,
): Promise<{ fsync: string; synchronousCommit: string; now: number } | null> {
  // Declared here because SQLite does not have these functions.
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

/** The size of the database in bytes. */
export async function databaseBytes(database: Database): Promise<number> {
  // Declared here because each engine has functions that the other lacks.
  const size = sql((q, _p: Record<never, never>, engine) =>
    engine === 'postgres'
      ? q.selectNoFrom((eb) => eb.fn<number>('pg_database_size', [eb.fn('current_database')]).as('bytes'))
      : q.selectNoFrom(
          raw<number>`(select page_count * page_size from pragma_page_count(), pragma_page_size())`.as('bytes'),
        ),
  );
  return Number((await database.first(size, {}))?.bytes ?? 0);
}
