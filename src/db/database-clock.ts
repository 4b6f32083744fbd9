import { sql } from 'kysely';
import type { Engine } from './statement.ts';

/** Milliseconds since the epoch by the clock of the database, `ms` from now: the clocks of instances may differ. */
export const databaseTime = (engine: Engine, ms = 0) =>
  engine === 'postgres'
    ? sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint + ${sql.lit(ms)}`
    : sql<number>`unixepoch() * 1000 + ${sql.lit(ms)}`;
