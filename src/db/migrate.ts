import pg from 'pg';
import { migration as foundation } from './migrations/0001-foundation.ts';
import { postgresConfig } from './postgres.ts';
import { connectSqlite } from './sqlite.ts';

/**
 * A step of the schema. Statements are written in the part of SQL both engines share, with three words that differ:
 * `integer` (64 bits on both), `blob`, and a trailing `clustered` for tables kept in primary-key order on SQLite.
 * A step that has been released is never edited; the next one mends it.
 */
export interface Migration {
  id: string;
  statements: readonly string[];
}

const MIGRATIONS: readonly Migration[] = [foundation];

/** Any fixed number: PostgreSQL's advisory locks are named by one. */
const LOCK_ID = 728_146_011;

const CREATE_LOG = 'create table if not exists schema_migrations (id text primary key)';

export function forSqlite(statement: string): string {
  if (!/^create table/i.test(statement)) return statement;
  return statement.endsWith(' clustered')
    ? statement.replace(/ clustered$/, ' strict, without rowid')
    : `${statement} strict`;
}

export function forPostgres(statement: string): string {
  return statement
    .replace(/ clustered$/, '')
    .replace(/\binteger\b/g, 'bigint')
    .replace(/\bblob\b/g, 'bytea');
}

/** Brings the SQLite file up to date. @returns the ids of the steps that ran */
export function migrateSqlite(path: string): string[] {
  const { db } = connectSqlite(path);
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
