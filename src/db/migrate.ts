import { readdirSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { FIRST_IDS, FIRST_SCHEMA } from './baseline/first-schema.ts';
import { forPostgres, forSqlite, type Migration } from './migration-sql.ts';
import { postgresConfig } from './postgres.ts';
import { postgresLibrary } from './postgres-library.ts';
import { SqliteConnection } from './sqlite.ts';

const FOLDER = new URL('migrations/', import.meta.url);

/** The steps of the schema that this version knows, in the order of their numbers. A step's id is the name of its file. */
export const MIGRATION_IDS: readonly string[] = [
  ...FIRST_IDS,
  ...readdirSync(FOLDER)
    .filter((file) => /^\d{4}-[a-z0-9-]+\.ts$/.test(file))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort(),
];

const TOO_OLD = 'a version of signet before 0.19 made this database; start 0.19.0 on it once, then this version';

/** Statements that run together, and the ids of the steps that are then done. */
interface Step {
  ids: readonly string[];
  statements: Migration['statements'];
}

async function load(id: string): Promise<Step> {
  const { migration } = (await import(new URL(`${id}.ts`, FOLDER).href)) as { migration: Migration };
  if (migration.id !== id) throw new Error(`src/db/migrations/${id}.ts has the id ${migration.id}`);
  return { ids: [id], statements: migration.statements };
}

/** Loads the steps that a database lacks: most starts find it up to date. @throws Error for one of a version before 0.19 */
async function stepsAfter(done: ReadonlySet<unknown>): Promise<Step[]> {
  const missing = MIGRATION_IDS.filter((id) => !done.has(id));
  const later = missing.filter((id) => !FIRST_IDS.includes(id));
  const isNew = done.size === 0;
  if (!isNew && missing.length > later.length) throw Object.assign(new Error(TOO_OLD), { code: 'SCHEMA_TOO_OLD' });
  return [...(isNew ? [{ ids: FIRST_IDS, statements: FIRST_SCHEMA }] : []), ...(await Promise.all(later.map(load)))];
}

/** Any fixed number: PostgreSQL's advisory locks are named by one. */
const LOCK_ID = 728_146_011;

const CREATE_LOG = 'create table if not exists schema_migrations (id text primary key)';

const doneIn = (db: DatabaseSync): Set<unknown> =>
  new Set(
    db
      .prepare('select id from schema_migrations')
      .all()
      .map((row) => row.id),
  );

/** Brings the SQLite file up to date. @returns the ids of the steps that ran */
export async function migrateSqlite(path: string, claim: () => () => void): Promise<string[]> {
  const { db } = new SqliteConnection(path);
  let release = (): void => {};
  try {
    db.exec(CREATE_LOG);
    // Loaded before the transaction: who waits for its lock stands still, and with it this whole process.
    const steps = await stepsAfter(doneIn(db));
    if (steps.length === 0) return [];
    release = claim();
    db.exec('BEGIN IMMEDIATE');
    const done = doneIn(db);
    const due = steps.filter(({ ids }) => !ids.some((id) => done.has(id)));
    const log = db.prepare('insert into schema_migrations (id) values (?)');
    for (const { ids, statements } of due) {
      for (const statement of statements) db.exec(forSqlite(statement));
      for (const id of ids) log.run(id);
    }
    db.exec('COMMIT');
    return due.flatMap(({ ids }) => ids);
  } finally {
    db.close();
    release();
  }
}

/** Brings the PostgreSQL database up to date; instances that start together take turns. */
export async function migratePostgres(url: string): Promise<string[]> {
  const client = new (postgresLibrary().Client)(postgresConfig(url));
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK_ID]);
    await client.query(CREATE_LOG);
    const done = new Set((await client.query('select id from schema_migrations')).rows.map((row) => row.id));
    const due = await stepsAfter(done);
    for (const { ids, statements } of due) {
      for (const statement of statements) await client.query(forPostgres(statement));
      await client.query('insert into schema_migrations (id) select unnest($1::text[])', [ids]);
    }
    await client.query('COMMIT');
    return due.flatMap(({ ids }) => ids);
  } finally {
    await client.end();
  }
}
