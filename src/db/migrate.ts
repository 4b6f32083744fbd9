import { readdirSync } from 'node:fs';
import pg from 'pg';
import { forPostgres, forSqlite, type Migration } from './migration-sql.ts';
import { postgresConfig } from './postgres.ts';
import { SqliteConnection } from './sqlite.ts';

const FOLDER = new URL('migrations/', import.meta.url);

/** The step in a file of `migrations/`. @throws Error when its id is not the file's name: the id is what is kept */
async function readStep(file: string): Promise<Migration> {
  const { migration } = (await import(new URL(file, FOLDER).href)) as { migration: Migration };
  if (`${migration.id}.ts` !== file) throw new Error(`src/db/migrations/${file} has the id ${migration.id}`);
  return migration;
}

/** Every step, in the order of its number. */
const MIGRATIONS = await Promise.all(
  readdirSync(FOLDER)
    .filter((file) => /^\d{4}-[a-z0-9-]+\.ts$/.test(file))
    .sort()
    .map(readStep),
);

/** The steps of the schema that this version knows, in order. */
export const MIGRATION_IDS: readonly string[] = MIGRATIONS.map(({ id }) => id);

/** Any fixed number: PostgreSQL's advisory locks are named by one. */
const LOCK_ID = 728_146_011;

const CREATE_LOG = 'create table if not exists schema_migrations (id text primary key)';

/** Brings the SQLite file up to date. @returns the ids of the steps that ran */
export function migrateSqlite(path: string): string[] {
  const { db } = new SqliteConnection(path);
  try {
    db.exec('BEGIN IMMEDIATE');
    db.exec(CREATE_LOG);
    const done = new Set(
      db
        .prepare('select id from schema_migrations')
        .all()
        .map((row) => row.id),
    );
    const due = MIGRATIONS.filter(({ id }) => !done.has(id));
    for (const { id, statements } of due) {
      for (const statement of statements) db.exec(forSqlite(statement));
      db.prepare('insert into schema_migrations (id) values (?)').run(id);
    }
    db.exec('COMMIT');
    return due.map(({ id }) => id);
  } finally {
    db.close();
  }
}

/** Brings the PostgreSQL database up to date; instances that start together take turns. */
export async function migratePostgres(url: string): Promise<string[]> {
  const client = new pg.Client(postgresConfig(url));
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK_ID]);
    await client.query(CREATE_LOG);
    const done = new Set((await client.query('select id from schema_migrations')).rows.map((row) => row.id));
    const due = MIGRATIONS.filter(({ id }) => !done.has(id));
    for (const { id, statements } of due) {
      for (const statement of statements) await client.query(forPostgres(statement));
      await client.query('insert into schema_migrations (id) values ($1)', [id]);
    }
    await client.query('COMMIT');
    return due.map(({ id }) => id);
  } finally {
    await client.end();
  }
}
